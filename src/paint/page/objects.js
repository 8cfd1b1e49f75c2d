// Object mode: strokes are of one object, and the rest is background. Enter finishes the object: its pixels stay as they are
// (an act "finish" has those of all finished objects), and the next strokes begin another one.

import { bytes } from "./api.js";
import { drawing, visible } from "./drawing.js";
import { on, tell } from "./events.js";
import { commit, heldEdits, hold, isKnown } from "./live.js";
import { setOption, value } from "./options.js";
import { state } from "./state.js";
import { tilesIn } from "./tiles.js";

const MOST = 253; // objects; the label behind the last one is the background's

export function isOn() {
  return !state.model && Boolean(value("object"));
}

// The object that is being drawn, after the finished ones; the server has the same rule (paint_object).
function count() {
  let object = 1;
  for (const act of drawing.acts.slice(0, drawing.at)) object = act.finish ? object + 1 : act.clear || act.base ? 1 : object;
  return object;
}

export function isStarted() {
  return [...visible(), ...heldEdits()].some(({ stroke, base }) => stroke?.label === state.object || base?.has?.(state.object));
}

export function canFinish() {
  return isOn() && (isStarted() || (!pending && Boolean(value("box"))));
}

export function toggle() {
  setOption("object", isOn() ? "" : "1");
  tell("hint", isOn() ? "One object after the other: the rest is background" : "Regions: a stroke in each of them");
}

// The object and its background as labels, 0 without object mode.
function note() {
  const before = [state.object, state.background].join();
  state.object = isOn() ? count() + pending : 0;
  state.background = state.object ? state.object + 1 : 0;
  if (before === [state.object, state.background].join()) return;
  if (state.object) state.label = state.object;
  state.label = Math.max(1, Math.min(state.label, Math.max(state.labels.length, state.background)));
  tell("labels");
}

let pending = 0; // objects that are being finished
let isDown = false; // the pen

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function isFinal() {
  const { news } = state;
  return isKnown() && news?.final && news.revision === drawing.revision && !news.outcome.pen;
}

// All runs of pixels of the objects, row by row: label, first pixel, pixels.
async function readObjects(rest) {
  const rows = Array.from({ length: drawing.height }, () => []);
  for (const [column, row] of tilesIn(0, 0, 0, drawing.width, drawing.height)) {
    const left = column * drawing.tile, top = row * drawing.tile, width = Math.min(drawing.tile, drawing.width - left);
    const labels = await bytes(`item/${state.item}/mask/0/${column}/${row}`);
    for (let i = 0; i < labels.length;) {
      const end = i - (i % width) + width, first = i, runs = rows[top + Math.floor(i / width)];
      while (i < end && labels[i] === labels[first]) i++;
      if (labels[first] && labels[first] !== rest) runs.push(labels[first], (top + Math.floor(first / width)) * drawing.width + left + (first % width), i - first);
    }
  }
  return rows.flat();
}

export async function finish() {
  if (isDown || !isOn()) return;
  if (!canFinish()) return tell("hint", "Nothing is drawn of this object yet.");
  if (state.object >= MOST) return tell("hint", "There is no label left.");
  pending++;
  note();
  if (pending === 1) await awaitMask();
  else commit({ enter: true }); // behind the one before
}

// Finish the object once the mask of its strokes is there.
async function awaitMask() {
  const object = count(), release = hold();
  let runs = null;
  try {
    for (let number = -1; number !== state.news?.outcome.number;) {
      for (const end = Date.now() + 60000; !isFinal(); await pause()) if (Date.now() > end) throw new Error("The mask is not there yet.");
      number = state.news.outcome.number;
      runs = state.news.outcome.mask ? await readObjects(state.news.outcome.rest) : [];
    }
    if (!runs.some((label, i) => i % 3 === 0 && label === object)) throw new Error("The mask has no pixel of this object.");
  } catch (error) {
    runs = null;
    tell("hint", error.message);
  }
  pending = runs ? pending - 1 : 0;
  release(runs && { finish: runs });
  note();
  tell("look");
}

export function start() {
  on("stroke", (down) => (isDown = down));
  on("enter", awaitMask);
  on("drawing", note);
  on("opened", () => {
    state.object = -1; // begin with the object, whatever was chosen for the image before
    note();
  });
}
