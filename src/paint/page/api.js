// Requests to the server; the token is part of every path, because all paths are relative to the page's.

export class Refusal extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

async function answer(response) {
  if (response.ok) return response;
  let sentence = `the server answered ${response.status}`;
  try {
    sentence = (await response.json()).error;
  } catch {
    // not from the server's own code: the status says it
  }
  throw new Refusal(response.status, sentence);
}

export async function get(path, signal) {
  return (await answer(await fetch(`api/${path}`, { signal }))).json();
}

export async function bytes(path, signal) {
  return new Uint8ClampedArray(await (await answer(await fetch(`api/${path}`, { signal }))).arrayBuffer());
}

const MOST_KEPT = 60000; // characters of all requests that browsers let outlive the page

// `keep`: it is to arrive even if the page goes, as on a reload; one at a time.
export async function post(path, body, keep = false) {
  const text = JSON.stringify(body);
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: text, keepalive: keep && text.length < MOST_KEPT };
  return (await answer(await fetch(`api/${path}`, request))).json();
}
