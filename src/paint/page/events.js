// Who wants to know of a change, by its name.

const listeners = new Map();

export function on(name, run) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(run);
}

export function tell(name, detail) {
  for (const run of listeners.get(name) ?? []) run(detail);
}
