// The list of labels: choose, name, recolour, hide, add.

import { get } from "./api.js";
import { ask, element, icon } from "./dialogs.js";
import { drawing, hiddenLabels, isVolume, usedLabels } from "./drawing.js";
import { on, tell } from "./events.js";
import { commit, isSent } from "./live.js";
import * as objects from "./objects.js";
import { nameOf, state, strokeColour, UNKNOWN } from "./state.js";

// After Okabe & Ito, then Paul Tol's light colours: told apart by colour-blind people too.
const PALETTE = ["#e69f00", "#0072b2", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#999999", "#77aadd", "#ee8866", "#aaaa00", "#ffaabb", "#44bb99", "#bbcc33"];
const MOST = 254;

const list = document.getElementById("labels"), addLabel = document.getElementById("add-label"), mode = document.getElementById("mode");

export function choose(label) {
  if (label < 1 || label > Math.max(state.labels.length, state.background)) return;
  state.label = label;
  state.tool = "brush";
  tell("look");
  list.querySelector(".chosen")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// An object is label 1, and the rest 2: what a stroke of the other one is for.
export function other() {
  if (state.object) return state.label === state.object ? state.background : state.object;
  return state.label === 2 || state.labels.length < 2 ? 1 : 2;
}

// An act that names, colours or adds a label, or takes that back: the same rules as the server's (labels.c).
function take({ act: { label }, back }) {
  if (!label || "hidden" in label) return;
  const { number, name, colour, was } = label, labels = state.labels.map((one) => ({ ...one }));
  const before = labels[number - 1], keep = before?.fixed ? { colour: before.colour } : {};
  if (!back) labels[number - 1] = { ...before, name, colour, ...keep };
  else if (was && before) labels[number - 1] = { ...before, ...was, ...keep };
  else if (!was && number === labels.length && !before.fixed) labels.pop();
  state.labels = labels;
  state.label = Math.min(state.label, Math.max(labels.length, state.background));
  tell("labels");
}

function takeHidden() {
  const hidden = hiddenLabels();
  if (hidden.size === state.hidden.size && [...hidden].every((label) => state.hidden.has(label))) return;
  state.hidden = hidden;
  tell("labels");
}

// Regions that were found without a stroke get labels by the server. A mask that is older than the acts says nothing of them,
// and neither do labels that were asked for before an act.
async function takeFound(news) {
  if (!news?.final || !isSent() || !news.outcome.regions.some(({ label }) => label > state.labels.length)) return;
  const { item } = state, { at, revision } = drawing;
  const { labels } = await get("state");
  if (state.item !== item || drawing.at !== at || drawing.revision !== revision || !isSent()) return;
  state.labels = labels;
  tell("labels");
}

function unusedColour() {
  const used = new Set(state.labels.map(({ colour }) => colour));
  const free = PALETTE.find((colour) => !used.has(colour));
  if (free) return free;
  for (let value = 0x102030; ; value += 0x35a7c1) {
    const colour = `#${(value & 0xffffff).toString(16).padStart(6, "0")}`;
    if (!used.has(colour) && colour !== "#000000") return colour;
  }
}

export function add() {
  if (state.labels.length >= MOST) return;
  const number = state.labels.length + 1;
  commit({ label: { number, name: `region ${number}`, colour: unusedColour() } });
  choose(number);
}

// The first label without a stroke; a further one where all have some: -k beyond what is painted.
export function chooseUnused() {
  const used = usedLabels();
  const free = state.labels.findIndex((_, i) => !used.has(i + 1));
  if (free >= 0) choose(free + 1);
  else add();
}

export async function edit(label) {
  const { name, colour, fixed } = state.labels[label - 1];
  const text = element("input", { class: "name", value: name, maxlength: 60, "aria-label": "Name", autofocus: true });
  const picker = element("input", { type: "color", value: colour, "aria-label": "Another colour" });
  const taken = new Set(state.labels.filter((_, i) => i !== label - 1).map((one) => one.colour));
  const swatches = PALETTE.filter((one) => !taken.has(one)).map((one) => {
    const button = element("button", { type: "button", class: "colour", "aria-label": one, onclick: () => (picker.value = one) });
    button.style.setProperty("--swatch", one);
    return button;
  });
  const colours = fixed ? [element("p", { class: "quiet" }, "The model says the colour.")] : [element("p", {}, "Colour ", picker), element("div", { class: "grid" }, ...swatches)];
  const answer = await ask(`Label ${label}`, [element("p", {}, text), ...colours], [["ok", "Change"], ["", "Cancel"]]);
  if (answer !== "ok") return;
  const now = { name: text.value.trim() || name, colour: picker.value };
  if (taken.has(now.colour)) return tell("hint", "Another label has this colour.");
  if (now.name !== name || now.colour !== colour) commit({ label: { number: label, ...now, was: { name, colour } } });
}

export function toggleHidden(label) {
  commit({ label: { number: label, hidden: !state.hidden.has(label) } });
}

function percent(pixels) {
  return pixels ? `${((100 * pixels) / (drawing.width * drawing.height)).toFixed(1)} %` : "";
}

function share(label) {
  const rest = state.news?.outcome.rest;
  if (rest) label = label === state.background ? rest : label === rest ? 0 : label;
  return percent(state.news?.outcome.regions.find((one) => one.label === label)?.pixels);
}

// What is like nothing that the model knows stands below the labels, as no label that could be painted with.
function unknownRow() {
  const item = element("li", { class: "unknown", title: "Resembles nothing that the model knows: draw a stroke there" },
    element("span", { class: "swatch" }), element("span", { class: "text" }, element("span", {}, "unknown"), element("span", { class: "share" })));
  item.dataset.label = UNKNOWN;
  return item;
}

function showUnknown() {
  const item = list.querySelector(".unknown"), text = percent(state.news?.outcome.unknown);
  if (!item) return;
  item.querySelector(".share").textContent = text;
  item.hidden = !text;
}

function isDark(colour) {
  const value = parseInt(colour.slice(1), 16);
  return 0.3 * (value >> 16) + 0.59 * ((value >> 8) & 255) + 0.11 * (value & 255) < 120;
}

function row(label) {
  const name = nameOf(label), colour = strokeColour(label), chosen = state.label === label && state.tool !== "eraser";
  const item = element(
    "li",
    { class: [chosen && "chosen", state.hidden.has(label) && "hidden"].filter(Boolean).join(" ") },
    element(
      "button",
      { type: "button", class: "choose", "aria-pressed": String(chosen), title: label < 10 ? `${name} (key ${label})` : name, onclick: () => choose(label), ondblclick: () => edit(label) },
      element("span", { class: "swatch" }, String(label)),
      element("span", { class: "text" }, element("span", {}, name), element("span", { class: "share" }, share(label))),
    ),
    ...(label === state.background ? [] : [element("button", { type: "button", class: "small edit", title: "Name and colour", "aria-label": `Name and colour of ${name}`, onclick: () => edit(label) }, icon("pencil"))]),
    element("button", { type: "button", class: "small show", title: "Show or hide", "aria-label": `Show or hide ${name}`, "aria-pressed": String(state.hidden.has(label)), onclick: () => toggleHidden(label) }, icon("eye")),
  );
  item.dataset.label = label;
  item.style.setProperty("--swatch", colour);
  item.style.setProperty("--on-swatch", isDark(colour) ? "#fff" : "#000");
  return item;
}

// In object mode the objects so far and the background: the other labels are of other images, or have strokes.
function shown() {
  const used = usedLabels(), all = Array.from({ length: Math.max(state.labels.length, state.background) }, (_, i) => i + 1);
  return state.object ? all.filter((label) => label <= state.background || used.has(label)) : all;
}

function show() {
  const held = document.activeElement?.closest?.("#labels li"), place = held ? [...list.children].indexOf(held) : -1;
  const which = place >= 0 ? [...held.children].indexOf(document.activeElement) : -1;
  list.replaceChildren(...shown().map(row), ...(state.model ? [unknownRow()] : []));
  showUnknown();
  list.children[place]?.children[which]?.focus();
}

// Above the list what strokes are of, and below it what comes next.
function showMode() {
  mode.hidden = Boolean(state.model) || isVolume();
  const kinds = [["objects", "Objects", "One object after the other, the rest is background (key M)"], ["regions", "Regions", "A stroke in each region (key M)"]];
  mode.replaceChildren(...kinds.map(([kind, text, title]) => {
    const pressed = (kind === "objects") === objects.isOn();
    return element("button", { type: "button", id: `mode-${kind}`, title, "aria-pressed": String(pressed), onclick: () => pressed || objects.toggle() }, text);
  }));
  addLabel.querySelector("span").textContent = state.object ? "Next object (Enter)" : "Add label";
  addLabel.querySelector("use").setAttribute("href", state.object ? "#i-finish" : "#i-plus");
  addLabel.disabled = Boolean(state.object) && !objects.canFinish();
}

// Shares change with every mask; the rows stay.
function showShares() {
  for (const item of list.querySelectorAll("li:not(.unknown)")) item.querySelector(".share").textContent = share(Number(item.dataset.label));
  showUnknown();
}

export function start() {
  addLabel.addEventListener("click", () => (state.object ? objects.finish() : add()));
  on("opened", () => {
    state.label = Math.min(state.label, Math.max(state.labels.length, state.background));
    show();
  });
  on("act", take);
  on("drawing", takeHidden);
  on("news", takeFound);
  on("labels", show);
  on("look", show);
  on("news", showShares);
  for (const name of ["labels", "look", "drawing", "opened"]) on(name, showMode);
}
