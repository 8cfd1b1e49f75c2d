// Orthogonal views of a volume: its cuts along the row and the column of the last stroke's middle, with the mask. A click
// shows the slice there.

import { drawing, isVolume, sliceOf, sliceRows, visible } from "./drawing.js";
import { on, tell } from "./events.js";
import { mask, photoTiles } from "./mask.js";
import { value } from "./options.js";
import { PER_PIXEL, rgb, state, UNKNOWN } from "./state.js";
import { showSlice } from "./view.js";

const SIDE = 170; // CSS pixels of the longest side
const MOST_TILES = 60; // of one kind: fewer than are kept
const WAIT = 100; // milliseconds

const frame = document.getElementById("cuts"), views = [...frame.children];
let waiting = 0, isWanted = true;

function tileCount(level) {
  const side = drawing.tile * 2 ** level;
  return Math.ceil(drawing.width / side) * Math.ceil(drawing.height / side);
}

// The level with pixels as large as those of the views, or a coarser one.
function levelNow() {
  let level = Math.max(0, Math.ceil(Math.log2(Math.max(drawing.width, sliceRows()) / SIDE)));
  while (tileCount(level) > MOST_TILES) level++;
  return Math.min(level, drawing.levels - 1);
}

// The middle point of the last stroke, or of all: pixels of a slice.
function place() {
  const points = visible().findLast(({ stroke }) => stroke)?.stroke.points ?? [], at = 2 * Math.floor(points.length / 4);
  const inside = (value, size) => Math.min(size - 1, Math.max(0, value));
  const [x, y] = points.length ? [points[at] / PER_PIXEL, points[at + 1] / PER_PIXEL] : [drawing.width / 2, sliceRows() / 2];
  return [inside(x, drawing.width), inside(y - sliceOf(y) * sliceRows(), sliceRows())];
}

// The parts of tiles that a line of a slice crosses, each with what it covers of the line, 0 to 1.
function* crossed(level, slice, isRow, [x, y]) {
  const pixel = 2 ** level, side = drawing.tile, begin = slice * sliceRows();
  const left = isRow ? 0 : Math.floor(x / pixel), right = isRow ? Math.ceil(drawing.width / pixel) : left + 1;
  const top = Math.floor((isRow ? begin + y : begin) / pixel), bottom = isRow ? top + 1 : Math.max(top + 1, Math.floor((begin + sliceRows()) / pixel));
  for (let row = Math.floor(top / side); row * side < bottom; row++)
    for (let column = Math.floor(left / side); column * side < right; column++) {
      const x0 = Math.max(left, column * side), x1 = Math.min(right, (column + 1) * side);
      const y0 = Math.max(top, row * side), y1 = Math.min(bottom, (row + 1) * side);
      const [from, to, all] = isRow ? [x0 - left, x1 - left, right - left] : [y0 - top, y1 - top, bottom - top];
      yield { column, row, x: x0 - column * side, y: y0 - row * side, width: x1 - x0, height: y1 - y0, from: from / all, to: to / all };
    }
}

function tint(label) {
  if (!label || state.show === "none" || state.hidden.has(label)) return null;
  const isRest = label === mask.shown.rest && label !== UNKNOWN;
  return `rgb(${isRest ? "0 0 0" : rgb(label).join(" ")} / ${state.show === "mask" ? 1 : state.opacity})`;
}

// Labels along a part of a tile, as rectangles of equal ones.
function drawLabels(labels, stride, part, isRow, rectangle) {
  const count = isRow ? part.width : part.height, at = (i) => labels[(part.y + (isRow ? 0 : i)) * stride + part.x + (isRow ? i : 0)];
  for (let i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && at(end) === at(i); ) end++;
    const share = (j) => part.from + ((part.to - part.from) * j) / count;
    rectangle(at(i), share(i), share(end));
  }
}

function drawView(canvas, isRow, length, depth) {
  const context = canvas.getContext("2d"), level = levelNow(), at = place(), tiles = mask.shown?.tiles;
  const step = depth / drawing.slices;
  const area = (slice, from, to) => (isRow ? [from * length, slice * step, (to - from) * length, step] : [slice * step, from * length, step, (to - from) * length]);
  [canvas.width, canvas.height] = isRow ? [length, depth] : [depth, length];
  for (let slice = 0; slice < drawing.slices; slice++)
    for (const part of crossed(level, slice, isRow, at)) {
      const photo = photoTiles.at(state.item, level, part.column, part.row);
      if (photo) context.drawImage(photo, part.x, part.y, part.width, part.height, ...area(slice, part.from, part.to));
      const labels = tiles?.at(state.item, level, part.column, part.row);
      if (!labels) continue;
      drawLabels(labels, tiles.size(level, part.column, part.row)[0], part, isRow, (label, from, to) => {
        const colour = tint(label);
        context.fillStyle = colour ?? "#0000";
        if (colour) context.fillRect(...area(slice, from, to));
      });
    }
  const now = (state.slice + 0.5) * step - 0.5; // the slice that is shown
  context.fillStyle = "#fff";
  context.fillRect(...(isRow ? [0, now, length, 1] : [now, 0, 1, length]));
}

function draw() {
  frame.hidden = !isVolume() || !isWanted || !state.ready;
  if (frame.hidden) return;
  const thick = drawing.slices * Number(value("spacing") || 1), scale = SIDE / Math.max(drawing.width, sliceRows(), thick);
  const pixels = (size) => Math.max(1, Math.round(size * scale));
  drawView(views[0], true, pixels(drawing.width), pixels(thick));
  drawView(views[1], false, pixels(sliceRows()), pixels(thick));
}

function later() {
  if (!isVolume()) return (frame.hidden = true);
  clearTimeout(waiting);
  waiting = setTimeout(draw, WAIT);
}

export function toggle() {
  isWanted = !isWanted;
  draw();
  tell("look");
}

export function start() {
  views.forEach((canvas, i) =>
    canvas.addEventListener("click", ({ offsetX, offsetY }) => showSlice(Math.floor((drawing.slices * (i ? offsetX / canvas.clientWidth : offsetY / canvas.clientHeight)))))
  );
  for (const event of ["opened", "view", "tiles", "settled", "drawing", "labels", "look"]) on(event, later);
}
