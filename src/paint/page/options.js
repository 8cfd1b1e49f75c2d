// How masks are made: controls made from the program's own table of options. Every change is an act like a stroke, so
// that undo covers it.

import { ask, element } from "./dialogs.js";
import { drawing } from "./drawing.js";
import { on } from "./events.js";
import { commit } from "./live.js";
import { state } from "./state.js";

const MAIN = new Set(["method", "regions", "refine", "object", "box", "region", "islands"]);

// What the program was started with: the values without the acts, which the server has counted in.
let started = {}, startedParams = {};
function initial(name) {
  return started[name] ?? "";
}

// What it would be started with otherwise.
function usual(name) {
  const option = state.options.find((one) => one.name === name);
  return (option?.type !== "flag" && option?.initial) || "";
}

function acts() {
  // A box is of one object, and goes when that is finished.
  return drawing.acts.slice(0, drawing.at).flatMap(({ set, finish }) => set ?? (finish ? { name: "box", value: null } : []));
}

export function value(name) {
  let now = initial(name);
  for (const set of acts()) {
    if (set.name === "defaults") now = initial(name);
    else if (set.name === name) now = set.value === null ? usual(name) : set.value || initial(name);
  }
  return now;
}

function defaults(method) {
  const params = state.methods.find(({ name }) => name === method)?.parameters ?? [];
  return Object.fromEntries(params.map(({ name, default: usually }) => [name, String(usually)]));
}

// Values of a method's parameters as the acts leave them; of another method than the chosen one, its defaults.
function params(method) {
  const begin = (name) => ({ ...defaults(name), ...(name === initial("method") ? startedParams : {}) });
  let chosen = initial("method"), now = begin(chosen);
  for (const { name, value: text } of acts()) {
    if (name === "defaults" || (name === "method" && text === "")) now = begin((chosen = initial("method")));
    else if (name === "method") now = defaults((chosen = text ?? ""));
    else if (name === "param" && text) now[text.slice(0, text.indexOf("="))] = text.slice(text.indexOf("=") + 1);
  }
  return chosen === method ? now : method === initial("method") ? begin(method) : defaults(method);
}

// With a model some say nothing, and one says something.
function isOffered({ name }) {
  return state.model ? !state.model.decides.includes(name) : name !== "no-unknown";
}

function isMain({ name }) {
  return MAIN.has(name) || name === "no-unknown";
}

function field({ name, type, choices }, id, now) {
  if (type === "choice" || type === "method") {
    const empty = type === "method" ? [element("option", { value: "" }, "by default")] : [];
    const select = element("select", { id }, ...empty, ...choices.map((one) => element("option", { value: one }, one)));
    select.value = now;
    return select;
  }
  if (type === "flag") return element("input", { id, type: "checkbox", checked: Boolean(now) });
  const placeholder = name === "regions" ? "as drawn" : null;
  return element("input", { id, value: now, placeholder, inputmode: type === "number" ? "decimal" : null, autocomplete: "off", spellcheck: "false" });
}

function shortHelp({ help }) {
  const said = help.replace(/^With a model: /, "").split(/[:;]/)[0];
  return said[0].toUpperCase() + said.slice(1);
}

// The first part of an option's help is enough; its parts are told by pointing at it.
function line(option, input, words = shortHelp(option)) {
  return [element("label", { for: input.id, title: option.help }, option.name, element("small", {}, words)), input];
}

// The parameters of the method that is chosen in the dialog.
function paramLines(method, inputs) {
  inputs.clear();
  const now = params(method);
  return (state.methods.find(({ name }) => name === method)?.parameters ?? []).flatMap((param) => {
    const type = param.choices ? "choice" : "number";
    const input = field({ ...param, type }, `param-${param.name}`, now[param.name]);
    inputs.set(param.name, input);
    return line(param, input, param.choices ? param.help : `${param.help} (${param.low} to ${param.high})`);
  });
}

function textOf(input) {
  return input.type === "checkbox" ? (input.checked ? "1" : "") : input.value.trim();
}

export async function show() {
  const inputs = new Map(), ofMethod = new Map();
  const lines = (wanted) =>
    state.options.filter(wanted).flatMap((option) => {
      inputs.set(option.name, field(option, `option-${option.name}`, value(option.name)));
      return line(option, inputs.get(option.name));
    });
  const main = lines((one) => isOffered(one) && isMain(one)), more = lines((one) => isOffered(one) && !isMain(one));
  const own = element("div", { class: "options params" }), chosen = inputs.get("method");
  const showOwn = () => {
    const rows = paramLines(chosen.value, ofMethod);
    const empty = chosen.value ? "This method has no parameters." : "Choose a method above to set its parameters.";
    if (own.parentElement) own.parentElement.open = rows.length > 0;
    own.replaceChildren(...(rows.length ? rows : [element("p", { class: "quiet" }, empty)]));
  };
  chosen.addEventListener("change", showOwn);
  showOwn();
  const answer = await ask("How masks are made", [
    element("div", { class: "options" }, ...main,
      element("details", { class: "own", open: Boolean(chosen.value) }, element("summary", {}, "Parameters of the method"), own),
      element("details", {}, element("summary", {}, "All options"), element("div", { class: "options" }, ...more))),
  ], [["ok", "Use"], ["defaults", "As the defaults"], ["", "Cancel"]]);
  if (answer === "defaults") commit({ set: { name: "defaults", value: "" } });
  if (answer !== "ok") return;
  const before = params(chosen.value);
  for (const [name, input] of inputs) {
    const now = textOf(input);
    setOption(name, now);
  }
  for (const [name, input] of ofMethod) {
    const now = textOf(input) || defaults(chosen.value)[name];
    if (now !== before[name]) commit({ set: { name: "param", value: `${name}=${now}` } });
  }
}

// "" is as at the start, null as by default: what was given at the start can be switched off.
export function setOption(name, now) {
  if (now !== value(name)) commit({ set: { name, value: now === initial(name) ? "" : now === "" ? null : now } });
}

// The box around an object, or the region that is segmented: [left, top, width, height], or null.
export function box(name) {
  const text = value(name);
  return text ? text.split(",").map(Number) : null;
}

export function setBox(name, sides) {
  setOption(name, sides ? sides.join() : "");
}

export function changed() {
  const method = value("method"), now = params(method), usually = { ...defaults(method), ...(method === initial("method") ? startedParams : {}) };
  return [
    ...state.options.map(({ name }) => [name, value(name)]).filter(([name, text]) => text !== initial(name)),
    ...Object.entries(now).filter(([name, text]) => text !== usually[name]),
  ];
}

on("opened", () => {
  started = drawing.initial ?? {};
  startedParams = Object.fromEntries(Object.entries(drawing.initial_params ?? {}).map(([name, one]) => [name, String(one)]));
});
