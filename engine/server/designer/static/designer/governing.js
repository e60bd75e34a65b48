// The part of bpmn-js that changes governance: each edit is one step of its command stack, for one element or many.

import { copyOf, withAgent, written } from './governance.js';

const COMMAND = 'governor.govern';

// The model that has an element's policy: of a pool its process; null where nothing has one.
export function bearer(element, bearers) {
  const bo = (element.labelTarget ?? element).businessObject;
  if (!bo) return null;
  const governed = bo.$type === 'bpmn:Participant' ? bo.processRef : bo;
  return governed && bearers.has(kind(governed)) ? governed : null;
}

// The name of the tag: 'userTask'.
export function kind(bo) {
  const name = bo.$type.slice(bo.$type.indexOf(':') + 1);
  return name[0].toLowerCase() + name.slice(1);
}

class Govern {
  static $inject = ['modeling'];

  constructor(modeling) {
    this.modeling = modeling;
  }

  preExecute({ steps }) {
    for (const { element, bo, properties } of steps) this.modeling.updateModdleProperties(element, bo, properties);
  }

  execute() {
    return [];
  }

  revert() {
    return [];
  }
}

export class Governing {
  static $inject = ['commandStack', 'moddle', 'eventBus'];

  constructor(commandStack, moddle, eventBus) {
    this.commandStack = commandStack;
    this.make = (type, properties) => moddle.create(type, properties);
    this.moddle = moddle;
    commandStack.registerHandler(COMMAND, Govern);
    this.keepOnCopy(eventBus);
  }

  // edits: [{ element, bo, changes: { field: text } }]; of one model several edits become one.
  set(edits) {
    const byModel = new Map();
    for (const { element, bo, changes } of edits) {
      const found = byModel.get(bo);
      byModel.set(bo, { element, bo, changes: { ...found?.changes, ...changes } });
    }
    this.run([...byModel.values()].map(({ element, bo, changes }) => ({ element, bo, properties: written(bo, changes, this.make) })));
  }

  setAgent(targets, said) {
    this.run(targets.map(({ element, bo }) => ({ element, bo, properties: withAgent(bo, said, this.make) })));
  }

  run(steps) {
    if (steps.length) this.commandStack.execute(COMMAND, { steps });
  }

  // bpmn-js drops extensions and attributes that no descriptor knows when it copies an element or changes its type.
  keepOnCopy(eventBus) {
    eventBus.on('moddleCopy.canCopyProperty', 2000, ({ property }) => {
      if (property?.$type && property.$instanceOf && this.moddle.getElementDescriptor(property).isGeneric) return this.copied(property);
    });
    eventBus.on('moddleCopy.canCopyProperties', 2000, ({ sourceElement, targetElement }) => {
      for (const [name, value] of Object.entries(sourceElement.$attrs ?? {})) {
        if (name.includes(':') && !name.startsWith('xmlns') && targetElement.$attrs) targetElement.$attrs[name] ??= value;
      }
    });
  }

  copied(generic) {
    return copyOf(generic, generic.$children?.map((child) => this.copied(child)));
  }
}
