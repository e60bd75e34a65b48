// All that the page asks the server. What it refuses comes as a Problem, with what the server told as its facts.

export class Problem extends Error {
  constructor(status, told) {
    super(told.detail ?? '');
    this.status = status;
    this.title = told.title ?? '';
    this.facts = told;
  }
}

export class Server {
  constructor(base, token) {
    this.base = base;
    this.token = token;
  }

  start() {
    return this.ask('GET', '/start');
  }

  look(xml, changed) {
    return this.ask('POST', `/look?changed=${changed}`, 'application/xml', xml);
  }

  compare(drawing) {
    return this.ask('POST', '/compare', 'application/json', JSON.stringify(drawing));
  }

  keep(drawing) {
    return this.ask('PUT', '/file', 'application/json', JSON.stringify(drawing));
  }

  async ask(method, path, type, body) {
    const headers = { 'x-csrf-token': this.token, accept: 'application/json' };
    if (type) headers['content-type'] = type;
    let answer;
    try {
      answer = await fetch(this.base + path, { method, headers, body, redirect: 'manual' });
    } catch {
      throw new Problem(0, { title: 'Gone' });
    }
    const told = (answer.headers.get('content-type') ?? '').includes('json') ? await answer.json() : null;
    if (told === null) throw new Problem(401, { title: 'SignedOut' });
    if (!answer.ok) throw new Problem(answer.status, told);
    return told;
  }
}
