// Everything that a button or a key does, in one table: the tool bar, the keyboard and the help are made of it.

import * as areas from "./areas.js";
import * as cuts from "./cuts.js";
import { ask, element } from "./dialogs.js";
import { canRedo, canUndo, drawing, isVolume } from "./drawing.js";
import { tell } from "./events.js";
import * as exporting from "./exports.js";
import * as folder from "./folder.js";
import * as labels from "./labels.js";
import { commit } from "./live.js";
import * as options from "./options.js";
import { post } from "./api.js";
import { state } from "./state.js";
import * as objects from "./objects.js";
import { dropPen, isEntersKey, movePen, togglePen } from "./pen.js";
import { fit, showSlice, view, zoomBy, zoomTo } from "./view.js";

const SHOWN = ["tint", "outline", "mask", "none"];
const SIZES = [1, 200]; // of the brush

function use(tool) {
  state.tool = tool;
  tell("look");
}

function resizeBrush(factor) {
  state.size = Math.min(SIZES[1], Math.max(SIZES[0], Math.round(state.size * factor) || 1));
  tell("look");
  tell("hint", `Brush: ${state.size} pixels on the screen`);
}

function cycle() {
  state.show = SHOWN[(SHOWN.indexOf(state.show) + 1) % SHOWN.length];
  tell("look");
  tell("hint", { tint: "Tint and outline", outline: "Outline", mask: "The mask alone", none: "The image alone" }[state.show]);
}

async function toggleUncertainty() {
  state.uncertainty = !state.uncertainty;
  tell("look");
  await post("uncertainty", { shown: state.uncertainty });
}

async function clear() {
  const answer = await ask("Remove all strokes?", [element("p", {}, "Undo brings them back.")], [["clear", "Take away"], ["", "Keep"]]);
  if (answer === "clear") commit({ clear: true });
}

function undo() {
  if (canUndo()) commit({ undo: true });
}

function redo() {
  if (canRedo()) commit({ redo: true });
}

function help() {
  const row = ({ keys, title }) => element("div", {}, element("dt", {}, title), element("dd", {}, ...keys.flatMap((key, i) => [i ? " " : "", element("kbd", {}, key)])));
  const extra = [
    { keys: ["1", "…", "9"], title: "Choose a label" },
    { keys: ["Shift"], title: "Straight line, while drawing" },
    { keys: ["right button"], title: state.object ? "Mark what is not of the object" : "Draw with the other of labels 1 and 2" },
    { keys: ["Space", "middle button", "two fingers"], title: "Move the image" },
    { keys: ["wheel", "pinch"], title: "Zoom" },
    { keys: ["↑ ↓ ← →"], title: "Move the pen" },
    { keys: ["Enter"], title: "After arrow keys: put the pen down, lift it" },
    { keys: ["Esc"], title: "Cancel the stroke" },
  ];
  return ask(state.model ? "Draw strokes where the model is wrong; the mask follows" : state.object ? "Click on an object; Enter finishes it, and the next one begins" : "Draw a stroke in each region; the mask follows", [element("dl", { class: "keys" }, ...[...extra, ...actions.filter(({ keys, shown }) => keys && (!shown || shown()))].map(row))], [["", "Close"]]);
}

// In the tool bar from left to right; many: only where there are several images.
export const actions = [
  { id: "previous", title: "Previous image", icon: "left", keys: ["PageUp"], many: true, run: () => folder.next(-1), can: () => state.item > 0 },
  { id: "next", title: "Next image", icon: "right", keys: ["PageDown"], many: true, run: () => folder.next(1), can: () => state.item < state.images.length - 1 },
  { gap: true, many: true },
  { id: "brush", title: "Brush", icon: "brush", keys: ["P"], run: () => use("brush"), on: () => state.tool === "brush" },
  { id: "box", title: "Box around an object; a click removes it", icon: "box", keys: ["B"], run: () => use("box"), on: () => state.tool === "box", can: () => !state.model && !isVolume() },
  { id: "region", title: "Part of the image that alone is segmented; a click removes it", icon: "region", keys: ["R"], run: () => use("region"), on: () => state.tool === "region", can: () => !isVolume() },
  { id: "eraser", title: "Eraser", icon: "eraser", keys: ["E"], run: () => use("eraser"), on: () => state.tool === "eraser" },
  { id: "delete", title: "Delete a whole stroke", icon: "delete", keys: ["D"], run: () => use("delete"), on: () => state.tool === "delete" },
  { id: "finish", title: "Finish this object, begin the next", icon: "finish", keys: ["Enter"], run: objects.finish, can: objects.canFinish, shown: objects.isOn },
  { id: "undo", title: "Undo", icon: "undo", keys: ["Ctrl-Z"], run: undo, can: canUndo },
  { id: "redo", title: "Redo", icon: "redo", keys: ["Ctrl-Shift-Z"], run: redo, can: canRedo },
  { id: "clear", title: "Remove all strokes", icon: "clear", run: clear, can: () => drawing.at > 0 },
  { gap: true },
  { id: "out", title: "Smaller", icon: "minus", keys: ["-"], run: () => zoomBy(1 / 1.5) },
  { zoom: true },
  { id: "in", title: "Larger", icon: "plus", keys: ["+"], run: () => zoomBy(1.5) },
  { id: "fit", title: "Fit the window", icon: "fit", keys: ["F", "0"], run: fit, on: () => view.fitted },
  { gap: true },
  { id: "show", title: "Tint, outline, mask or image alone", icon: "layers", keys: ["V"], run: cycle },
  { id: "area", title: "Next ambiguous region", icon: "next", keys: ["N"], run: areas.next, can: () => state.news?.outcome.ambiguous.length > 0 },
  { id: "uncertainty", title: "Uncertainty", icon: "unsure", keys: ["U"], run: toggleUncertainty, on: () => state.uncertainty },
  { space: true },
  { id: "options", title: "Options of the segmentation", icon: "options", keys: ["O"], run: options.show, on: () => options.changed().length > 0 },
  { id: "export", title: "Use the mask in other programs", icon: "export", keys: ["S"], run: exporting.show, can: () => state.news?.final && state.news.outcome.mask && !isVolume() },
  { id: "help", title: "Help", icon: "help", keys: ["?"], run: help },
  // by keys alone
  { title: "Actual size", keys: ["="], run: () => zoomTo(1 / (devicePixelRatio || 1)) },
  { title: "Slice before, slice behind", keys: [",", "."], run: (key) => showSlice(state.slice + (key === "." ? 1 : -1)), shown: isVolume },
  { title: "Cuts across the slices", keys: ["C"], run: cuts.toggle, shown: isVolume },
  { title: "Thinner, thicker", keys: ["[", "]"], run: (key) => resizeBrush(key === "[" ? 1 / 1.25 : 1.25) },
  { title: "Objects, or a stroke in each region", keys: ["M"], run: objects.toggle, can: () => !state.model && !isVolume() },
  { title: "Object or background; of labels 1 and 2 the other", keys: ["X"], run: () => labels.choose(labels.other()) },
  { title: "Next unused label", keys: ["K"], run: labels.chooseUnused, shown: () => !state.object },
  { title: "Add a label", keys: ["A"], run: labels.add, shown: () => !state.object },
  { title: "Name and colour", keys: ["F2"], run: () => labels.edit(state.label), can: () => Boolean(state.labels[state.label - 1]) && state.label !== state.background },
  { title: "Hide the label", keys: ["H"], run: () => labels.toggleHidden(state.label) },
];

const STEP = 4, WIDE_STEP = 40; // of the keyboard's pen, pixels of the screen

// Keys on the image alone. @return whether it was one
export function penKey(event) {
  const step = event.shiftKey ? WIDE_STEP : STEP;
  const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
  if (moves[event.key]) movePen(...moves[event.key]);
  else if (event.key === "Enter" && (isEntersKey() || !objects.canFinish())) togglePen();
  else if (event.key === "Enter") objects.finish();
  else if (event.key === "Escape") dropPen();
  else return false;
  return true;
}

// The name of a pressed key as the table has it.
export function keyName(event) {
  const plain = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const held = `${event.ctrlKey || event.metaKey ? "Ctrl-" : ""}${event.shiftKey && event.ctrlKey ? "Shift-" : ""}`;
  return held + plain;
}
