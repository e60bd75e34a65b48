// What the server last said of the drawing: what holds at each element, from where, and what is wrong.

export class Sight {
  constructor() {
    this.told = { findings: [], policies: [], holds: {}, foreign: {} };
  }

  take(told) {
    this.told = told;
  }

  get findings() {
    return this.told.findings;
  }

  // { value, origin: { kind, element, line } or null for a default }; undefined where nothing is known yet.
  holds(id, field) {
    const policy = this.told.policies[this.told.holds[id]];
    return policy?.[field];
  }

  // The vendor's form in which a field is written on the element; undefined where in none.
  foreign(id, field) {
    return this.told.foreign[id]?.[field];
  }
}
