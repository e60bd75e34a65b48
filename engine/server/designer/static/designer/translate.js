// What bpmn-js says, in the page's language.

import { t } from './words.js';

export const translating = { translate: ['value', (text, values) => t(text, values ?? {})] };
