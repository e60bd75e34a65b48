// Calls of the API from pages: with the token of the session, and errors as the server tells them.

const token = () => document.querySelector('meta[name="csrf-token"]')?.content ?? "";

export class Problem extends Error {
  constructor(problem, status) {
    super(problem.detail ?? problem.title ?? String(status));
    Object.assign(this, { problem, status });
  }
}

export async function get(path, headers = {}) {
  return answer(await fetch(path, { headers: { accept: "application/json", ...headers } }));
}

export async function send(path, body, { method = "POST", headers = {} } = {}) {
  const request = { method, headers: { "x-csrf-token": token(), ...headers } };
  if (body !== undefined) {
    request.body = JSON.stringify(body);
    request.headers["content-type"] = "application/json";
  }
  return answer(await fetch(path, request));
}

async function answer(response) {
  if (response.status === 401) {
    location.assign(`/sign-in?next=${encodeURIComponent(location.pathname)}`);
    throw new Problem({ title: "401" }, 401);
  }
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const body = isJson ? await response.json() : await response.text();
  if (!response.ok) throw new Problem(isJson ? body : { detail: body }, response.status);
  return body;
}

let hiding = 0;

// A line at the foot of the page; what went wrong stays until something else is told.
export function tell(text, { bad = false } = {}) {
  const toast = document.querySelector(".toast");
  toast.textContent = text;
  toast.classList.toggle("bad", bad);
  toast.setAttribute("role", bad ? "alert" : "status");
  toast.hidden = false;
  clearTimeout(hiding);
  if (!bad) hiding = setTimeout(() => (toast.hidden = true), 6000);
}

// What the server refuses is told, and so is what `others` (kinds of errors) say.
export async function attempt(act, ...others) {
  try {
    await act();
  } catch (error) {
    if (![Problem, ...others].some((kind) => error instanceof kind)) throw error;
    tell(error.message, { bad: true });
  }
}

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// Answers may come in another order than they were asked for: who asks takes a turn first, and asks it when the answer
// has come whether that is to be shown, or something newer is shown already.
export function turns() {
  let asked = 0;
  let shown = 0;
  return () => {
    const turn = ++asked;
    return () => {
      if (turn < shown) return false;
      shown = turn;
      return true;
    };
  };
}
