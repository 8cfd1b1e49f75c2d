// Which part of the image is on the screen: pixels of the image to CSS pixels of the stage.

import { drawing, isVolume, shownPart, sliceOf, sliceRows } from "./drawing.js";
import { tell } from "./events.js";
import { state } from "./state.js";

const LARGEST = 64; // CSS pixels per pixel

export const view = { scale: 1, x: 0, y: 0, width: 1, height: 1, fitted: true };

export function toImage(x, y) {
  return [(x - view.x) / view.scale, (y - view.y) / view.scale];
}

export function toScreen(x, y) {
  return [x * view.scale + view.x, y * view.scale + view.y];
}

// The part of the stage for the image: a volume has its slider below.
function free() {
  return view.height - (isVolume() ? 48 : 0);
}

function fitScale() {
  return Math.min((view.width - 16) / drawing.width, (free() - 16) / sliceRows());
}

// The image never leaves the stage altogether.
function hold() {
  const margin = Math.min(80, view.width / 3, view.height / 3);
  view.x = Math.min(view.width - margin, Math.max(margin - drawing.width * view.scale, view.x));
  const [, top, , bottom] = shownPart();
  view.y = Math.min(view.height - margin - top * view.scale, Math.max(margin - bottom * view.scale, view.y));
  tell("view");
}

export function fit() {
  view.scale = Math.max(fitScale(), 1e-3);
  view.x = (view.width - drawing.width * view.scale) / 2;
  const [, top, , bottom] = shownPart();
  view.y = (free() - (top + bottom) * view.scale) / 2;
  view.fitted = true;
  hold();
}

export function zoomTo(scale, x = view.width / 2, y = view.height / 2) {
  const [ix, iy] = toImage(x, y);
  view.scale = Math.min(LARGEST, Math.max(Math.min(fitScale() / 2, 0.25), scale));
  view.x = x - ix * view.scale;
  view.y = y - iy * view.scale;
  view.fitted = false;
  hold();
}

export function zoomBy(factor, x, y) {
  zoomTo(view.scale * factor, x, y);
}

export function moveBy(dx, dy) {
  view.x += dx;
  view.y += dy;
  view.fitted = false;
  hold();
}

// Another slice takes the place of the one that is shown.
export function showSlice(slice) {
  const before = state.slice;
  state.slice = Math.min(drawing.slices - 1, Math.max(0, slice));
  view.y -= (state.slice - before) * sliceRows() * view.scale;
  hold();
}

// A box of the image to the middle of the stage, at a size at which it can be painted in.
export function showBox(left, top, right, bottom) {
  state.slice = sliceOf((top + bottom) / 2);
  const scale = Math.min(view.width / (right - left), view.height / (bottom - top)) / 2.5;
  view.scale = Math.min(8, Math.max(scale, fitScale()));
  view.x = view.width / 2 - ((left + right) / 2) * view.scale;
  view.y = view.height / 2 - ((top + bottom) / 2) * view.scale;
  view.fitted = false;
  hold();
}

export function resize(width, height) {
  const [x, y] = toImage(view.width / 2, view.height / 2);
  view.width = width;
  view.height = height;
  if (view.fitted) return fit();
  view.x = width / 2 - x * view.scale;
  view.y = height / 2 - y * view.scale;
  hold();
}
