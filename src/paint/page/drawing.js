// What was drawn on the shown image: acts in their order, of which those behind `at` were undone. The server has the same
// list and the same rules (drawing.c).

import { PER_PIXEL, state } from "./state.js";
import { tell } from "./events.js";

export const drawing = { width: 1, height: 1, slices: 1, levels: 1, tile: 512, acts: [], at: 0, revision: 0 };

export function load(item) {
  Object.assign(drawing, item);
  tell("drawing");
}

export function isVolume() {
  return drawing.slices > 1;
}

// Rows of pixels of a slice; of an image all.
export function sliceRows() {
  return drawing.height / drawing.slices;
}

// The slice with a row of pixels.
export function sliceOf(y) {
  return Math.min(drawing.slices - 1, Math.max(0, Math.floor(y / sliceRows())));
}

// The rectangle of the image that is shown: left, top, right, bottom.
export function shownPart() {
  return [0, state.slice * sliceRows(), drawing.width, (state.slice + 1) * sliceRows()];
}

// A path through the points of a stroke, in pixels of the image. A single point is a line that ends where it begins.
export function pathOf(points) {
  const path = new Path2D();
  path.moveTo(points[0] / PER_PIXEL, points[1] / PER_PIXEL);
  for (let i = points.length > 2 ? 2 : 0; i < points.length; i += 2) path.lineTo(points[i] / PER_PIXEL, points[i + 1] / PER_PIXEL);
  return path;
}

// Runs of marked pixels as one path per label.
function pathsOfBase(runs) {
  const paths = new Map();
  for (let i = 0; i < runs.length; i += 3) {
    if (!paths.has(runs[i])) paths.set(runs[i], new Path2D());
    paths.get(runs[i]).rect(runs[i + 1] % drawing.width, Math.floor(runs[i + 1] / drawing.width), runs[i + 2], 1);
  }
  return paths;
}

// What counts: {index, stroke, path} and {index, base, finished} in the order of drawing. Paths stay with their acts.
export function visible() {
  const gone = new Set();
  let first = 0;
  for (let i = 0; i < drawing.at; i++) {
    const act = drawing.acts[i];
    if ("delete" in act) gone.add(act.delete);
    if (act.clear || act.base || act.finish) first = i;
  }
  const list = [];
  for (let i = first; i < drawing.at; i++) {
    const act = drawing.acts[i];
    if (act.base) list.push({ index: i, base: (act.paths ??= pathsOfBase(act.base)) });
    if (act.finish) list.push({ index: i, base: (act.paths ??= pathsOfBase(act.finish)), finished: true });
    if (act.stroke && !gone.has(i)) list.push({ index: i, stroke: act.stroke, path: (act.path ??= pathOf(act.stroke.points)) });
  }
  return list;
}

export function isDrawn() {
  return visible().some(({ stroke, base }) => stroke?.label || base?.size);
}

// Labels whose last word is that they are hidden.
export function hiddenLabels() {
  const hidden = new Set();
  for (const { label } of drawing.acts.slice(0, drawing.at)) {
    if (label?.hidden === true) hidden.add(label.number);
    if (label?.hidden === false) hidden.delete(label.number);
  }
  return hidden;
}

export function usedLabels() {
  const used = new Set();
  for (const { stroke, base } of visible()) {
    if (stroke?.label) used.add(stroke.label);
    for (const label of base?.keys() ?? []) used.add(label);
  }
  return used;
}

// The same rules as the server's, so that the page need not wait for it.
export function apply(edit) {
  if (edit.undo) tell("act", { act: drawing.acts[--drawing.at], back: true });
  else if (edit.redo) tell("act", { act: drawing.acts[drawing.at++], back: false });
  else {
    tell("act", { act: edit, back: false });
    drawing.acts.length = drawing.at;
    drawing.acts.push(edit);
    drawing.at++;
  }
  tell("drawing");
}

export function canUndo() {
  return drawing.at > 0;
}

export function canRedo() {
  return drawing.at < drawing.acts.length;
}

// The uppermost stroke that covers a point of the image, or -1.
export function strokeAt(x, y, reach) {
  const list = visible();
  for (let i = list.length - 1; i >= 0; i--) {
    const { stroke, index } = list[i];
    if (stroke?.label && distance(stroke.points, x * PER_PIXEL, y * PER_PIXEL) <= stroke.radius + reach * PER_PIXEL) return index;
  }
  return -1;
}

function distance(points, x, y) {
  let best = Infinity;
  for (let i = 0; i < points.length; i += 2) {
    const j = i ? i - 2 : 0;
    const dx = points[i] - points[j], dy = points[i + 1] - points[j + 1], length = dx * dx + dy * dy;
    const t = length ? Math.min(1, Math.max(0, ((x - points[j]) * dx + (y - points[j + 1]) * dy) / length)) : 0;
    best = Math.min(best, Math.hypot(x - points[j] - t * dx, y - points[j + 1] - t * dy));
  }
  return best;
}
