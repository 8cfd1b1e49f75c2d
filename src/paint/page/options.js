// How masks are made: controls made from the program's own table of options. Every change is an act like a stroke, so
// that undo covers it.

import { ask, element } from "./dialogs.js";
import { drawing } from "./drawing.js";
import { on } from "./events.js";
import { commit } from "./live.js";
import { state } from "./state.js";

function value(name) {
  let now = initial(name);
  for (const act of drawing.acts.slice(0, drawing.at)) {
    if (act.set?.name === "defaults") now = initial(name);
    else if (act.set?.name === name) now = act.set.value || initial(name);
  }
  return now;
}

// What the program was started with: the values without the acts, which the server has counted in.
let started = {};
function initial(name) {
  return started[name] ?? "";
}

function field(option) {
  const { name, type, choices } = option;
  if (type === "choice" || type === "method") {
    const empty = type === "method" ? [element("option", { value: "" }, "by default")] : [];
    const select = element("select", { id: `option-${name}` }, ...empty, ...choices.map((one) => element("option", { value: one }, one)));
    select.value = value(name);
    return select;
  }
  if (type === "flag") return element("input", { id: `option-${name}`, type: "checkbox", checked: Boolean(value(name)) });
  const placeholder = name === "regions" ? "as drawn" : null;
  return element("input", { id: `option-${name}`, value: value(name), placeholder, inputmode: type === "number" ? "decimal" : null, autocomplete: "off", spellcheck: "false" });
}

function line(option, inputs) {
  const input = field(option);
  inputs.set(option.name, input);
  const [first] = option.help.split(/[:;]/);
  return [element("label", { for: input.id, title: option.help }, option.name, element("small", {}, first)), input];
}

export async function show() {
  const inputs = new Map();
  const main = new Set(["method", "regions", "refine", "object", "contiguous", "islands", "reach"]);
  const rows = state.options.filter(({ name }) => main.has(name)).flatMap((option) => line(option, inputs));
  const more = state.options.filter(({ name }) => !main.has(name)).flatMap((option) => line(option, inputs));
  const rest = element("details", {}, element("summary", {}, "All options"), element("div", { class: "options" }, ...more));
  const answer = await ask("How masks are made", [element("div", { class: "options" }, ...rows, rest)], [["ok", "Use"], ["defaults", "As the defaults"], ["", "Cancel"]]);
  if (answer === "defaults") commit({ set: { name: "defaults", value: "" } });
  if (answer !== "ok") return;
  for (const [name, input] of inputs) {
    const now = input.type === "checkbox" ? (input.checked ? "1" : "") : input.value.trim();
    if (now === value(name)) continue;
    commit({ set: { name, value: now } }); // nothing: as at the start
  }
}

export function changed() {
  return state.options.map(({ name }) => [name, value(name)]).filter(([name, now]) => now !== initial(name));
}

on("opened", () => (started = drawing.initial ?? {}));
