// Reads policies and agents from an element's model, and makes the model that says something else. Changes nothing itself.

import { approval, names, requirements, strategies } from './texts.js';

const POLICY = 'gov:Policy';
const SETTING = 'gov:Setting';
const AGENT = 'gov:Agent';

const CHILDREN = {
  retainKeys: {
    read: (policy) => names.print((policy.get('retainKeys') ?? []).map((child) => child.name)),
    write: (make, text) => ({ retainKeys: names.parse(text).map((name) => make('gov:RetainKey', { name })) }),
    empty: { retainKeys: [] },
  },
  'branchStrategy.keys': {
    read: (policy) => strategies.print((policy.get('mergeKeys') ?? []).map((child) => [child.name, child.strategy])),
    write: (make, text) => ({
      mergeKeys: strategies.parse(text).map(([name, strategy]) => make('gov:MergeKey', { name, strategy })),
    }),
    empty: { mergeKeys: [] },
  },
  knowledgeRequirements: {
    read: (policy) => requirements.print((policy.get('knowledgeRequirements') ?? []).map(requirement)),
    write: (make, text) => ({
      knowledgeRequirements: requirements.parse(text).map((item) => make('gov:KnowledgeRequirement', given(item))),
    }),
    empty: { knowledgeRequirements: [] },
  },
  approval: {
    read: (policy) => (policy.approval ? approval.print(attributes(policy.approval)) : ''),
    write: (make, text) => ({ approval: make('gov:Approval', given(approval.parse(text))) }),
    empty: { approval: undefined },
  },
  'branchStrategy.split': ofBranches('split'),
  'branchStrategy.merge': ofBranches('merge'),
};

function ofBranches(part) {
  return {
    read: (policy) => policy.branchStrategy?.[part] ?? '',
    write: (make, text, policy) => ({
      branchStrategy: make('gov:BranchStrategy', given({ ...attributes(policy.branchStrategy), [part]: text })),
    }),
    without: (make, policy) => {
      const left = given({ ...attributes(policy.branchStrategy), [part]: '' });
      return { branchStrategy: Object.keys(left).length ? make('gov:BranchStrategy', left) : undefined };
    },
  };
}

function requirement(child) {
  const said = attributes(child);
  const { text, ...rest } = said;
  return text && !rest.query ? { ...rest, query: text } : rest;
}

// What has a value, as text: blank means that nothing is said.
function given(values) {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined).map(([name, value]) => [name, String(value)]),
  );
}

export function attributes(element) {
  if (!element) return {};
  const known = element.$descriptor.properties.map((property) => property.name.replace(/^gov:/, ''));
  return given(Object.fromEntries(known.filter((name) => typeof element.get(name) !== 'object').map((name) => [name, element.get(name)])));
}

const values = (bo) => bo.extensionElements?.values ?? [];
const ofType = (bo, type) => values(bo).filter((value) => value.$type === type);
const settingsOf = (policy) => policy.get('settings') ?? [];

// A field as it is written on the element itself in the own form; '' where it is not.
export function read(bo, field) {
  for (const policy of ofType(bo, POLICY)) {
    const said = CHILDREN[field] ? CHILDREN[field].read(policy) : text(policy.get(field));
    const setting = settingsOf(policy).find((each) => each.name === field)?.value;
    if (said || setting) return said || setting;
  }
  const beside = ofType(bo, SETTING).find((each) => each.name === field)?.value;
  return beside || text(bo.get(`gov:${field}`));
}

function text(value) {
  return value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
}

// Properties of the element's model that say these fields anew: { field: text }, '' takes one away.
export function written(bo, changes, make) {
  const said = {};
  for (const field of Object.keys(changes)) {
    if (bo.get(`gov:${field}`) !== undefined) said[`gov:${field}`] = undefined;
  }
  const own = values(bo).filter((value) => !(value.$type === SETTING && value.name in changes));
  const kept = own.map((value) => (value.$descriptor.isGeneric ? withoutVendors(value, changes) : value)).filter(Boolean);
  const first = kept.findIndex((value) => value.$type === POLICY);
  const policies = kept.map((value) => (value.$type === POLICY ? without(value, Object.keys(changes), make) : value));
  const wanted = Object.entries(changes).filter(([, value]) => value.trim());
  if (wanted.length) {
    const governed = first < 0 ? make(POLICY) : policies[first];
    for (const [field, value] of wanted) {
      const more = CHILDREN[field] ? CHILDREN[field].write(make, value.trim(), governed) : { [field]: value.trim() };
      assign(governed, more);
    }
    if (first < 0) policies.unshift(governed);
    else policies[first] = governed;
  }
  return { ...said, extensionElements: holder(bo, policies.filter((value) => value.$type !== POLICY || says(value)), make) };
}

// A vendor's extension without the properties that say these fields; null where nothing is left of it.
function withoutVendors(generic, changes) {
  const children = generic.$children ?? [];
  const kept = children.filter((child) => !(vendorsField(child.name ?? child.key ?? child.target) in changes));
  if (vendorsField(generic.name) in changes) return null;
  if (kept.length === children.length) return generic;
  return kept.length ? copyOf(generic, kept) : null;
}

// The field that a vendor's name stands for, as the server reads it.
function vendorsField(name) {
  const found = /^gov([:._])(.+)$/.exec(name ?? '');
  if (!found) return '';
  return found[1] === '_' ? found[2].replaceAll('_', '.') : found[2];
}

// An element of no known type, with these children.
export function copyOf(generic, children) {
  const { name, ns } = generic.$descriptor;
  const said = Object.entries(generic).filter(([key]) => key === '$body' || !key.startsWith('$'));
  const made = generic.$model.createAny(name, ns.uri, Object.fromEntries(said));
  if (children) {
    made.$children = children;
    for (const child of children) child.$parent = made;
  }
  return made;
}

function without(policy, fields, make) {
  const copy = clone(policy, make);
  copy.set('settings', settingsOf(policy).filter((each) => !fields.includes(each.name)));
  for (const field of fields) {
    const child = CHILDREN[field];
    if (!child) assign(copy, { [field]: undefined });
    else if (child.without) assign(copy, child.without(make, copy));
    else assign(copy, child.empty);
  }
  return copy;
}

function clone(policy, make) {
  const copy = make(policy.$type);
  for (const property of policy.$descriptor.properties) {
    const value = policy.get(property.name);
    if (value !== undefined && !(Array.isArray(value) && !value.length)) copy.set(property.name, Array.isArray(value) ? [...value] : value);
  }
  Object.assign(copy.$attrs, policy.$attrs);
  return copy;
}

function assign(element, more) {
  for (const [name, value] of Object.entries(more)) {
    element.set(name, value);
    for (const child of [value].flat()) if (child?.$type) child.$parent = element;
  }
}

function says(policy) {
  const properties = policy.$descriptor.properties.map((property) => policy.get(property.name));
  return properties.some((value) => (Array.isArray(value) ? value.length : value !== undefined && value !== '')) || Object.keys(policy.$attrs).length > 0;
}

// The agent's attributes; null where no agent does the activity.
export function agent(bo) {
  const found = ofType(bo, AGENT)[0];
  return found ? attributes(found) : null;
}

// The same for the agent: null takes it away.
export function withAgent(bo, said, make) {
  const kept = [];
  let placed = false;
  for (const value of values(bo)) {
    if (value.$type !== AGENT) kept.push(value);
    else if (said && !placed) {
      kept.push(make(AGENT, given({ ...attributes(value), ...said })));
      placed = true;
    }
  }
  if (said && !placed) kept.push(make(AGENT, given(said)));
  return { extensionElements: holder(bo, kept, make) };
}

function holder(bo, list, make) {
  if (!list.length) return undefined;
  const made = make('bpmn:ExtensionElements', { values: list });
  made.$parent = bo;
  for (const value of list) value.$parent = made;
  return made;
}
