// The mask as pixels of the screen: the tint of each region, and a line wherever two regions meet. Composed in one pass over
// the screen and put onto its canvas where it differs from what was there, so that a further stroke costs what it changes.

import { drawing, shownPart } from "./drawing.js";
import { mask } from "./mask.js";
import { rgb, state, UNKNOWN } from "./state.js";
import { view } from "./view.js";

const BLACK = 0xcc000000, WHITE = 0xffffffff, HATCH = 10; // of the line, as the bytes of an ImageData: red comes first; CSS pixels between stripes

// What is on the canvas: labels by pixel within a rectangle of the screen, and what they were drawn with.
const shown = { key: "", width: 0, labels: null, image: null };

// Pixels of a level along one axis, for those of the screen from `first` on, which alone lie in the shown part.
function axis(begin, end, count, offset, step, level) {
  const at = new Int32Array(count);
  let first = count, last = 0;
  for (let i = 0; i < count; i++) {
    const value = (i + 0.5) * step - offset; // in pixels of the image
    if (value < begin || value >= end) continue;
    at[i] = Math.floor(value / 2 ** level);
    first = Math.min(first, i);
    last = i + 1;
  }
  return { at, first: Math.min(first, last), last };
}

function coloursNow() {
  const colours = new Uint32Array(256);
  const alpha = state.show === "mask" ? 255 : Math.round(255 * state.opacity), rest = state.show === "mask" ? 0 : mask.shown?.rest;
  for (let label = 1; label < 255 && state.show !== "outline"; label++) {
    const [red, green, blue] = label === rest ? [0, 0, 0] : rgb(label); // what is of no object is darker
    if (!state.hidden.has(label)) colours[label] = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  }
  return colours;
}

// The labels of the rectangle's pixels, row by row, from the tiles of a level; of a tile that is missing, 0.
function readLabels(labels, width, columns, rows, level, tileAt) {
  const side = drawing.tile, across = Math.ceil(drawing.width / 2 ** level);
  labels.fill(0);
  for (let y = rows.first; y < rows.last; y++) {
    const from = y * width, at = rows.at[y];
    if (y > rows.first && at === rows.at[y - 1]) {
      labels.copyWithin(from, from - width, from);
      continue;
    }
    for (let x = columns.first; x < columns.last;) {
      const column = Math.floor(columns.at[x] / side), tile = tileAt(column, Math.floor(at / side));
      const tileWidth = Math.min(side, across - column * side), base = (at % side) * tileWidth - column * side;
      for (const end = (column + 1) * side; x < columns.last && columns.at[x] < end; x++) if (tile) labels[from + x] = tile[base + columns.at[x]];
    }
  }
}

// The part of the screen where labels are others than before: {left, top, right, bottom}, empty where none are.
function changed(before, now, width, columns, rows) {
  const box = { left: width, top: Infinity, right: 0, bottom: 0 };
  for (let y = rows.first; y < rows.last; y++) {
    const end = y * width + columns.last;
    let i = y * width + columns.first;
    while (i < end && before[i] === now[i]) i++;
    if (i === end) continue;
    box.left = Math.min(box.left, i - y * width);
    box.top = Math.min(box.top, y);
    box.bottom = y + 1;
    let last = end;
    while (before[last - 1] === now[last - 1]) last--;
    box.right = Math.max(box.right, last - y * width);
  }
  return box;
}

// What is unknown has no tint: stripes over the image, in the mask alone white as in its file.
function stripes(pixels, labels, width, part, ratio) {
  const period = Math.round(HATCH * ratio), light = Math.max(1, Math.round(1.5 * ratio)), whole = state.show === "mask";
  for (let y = part.top; y < part.bottom; y++)
    for (let x = part.left, i = y * width + x; x < part.right; x++, i++) {
      if (labels[i] !== UNKNOWN) continue;
      const at = (x + y) % period;
      if (whole || at < light) pixels[i] = WHITE;
      else if (at < 2 * light) pixels[i] = BLACK;
    }
}

// Squares of `side` pixels that begin `before` pixels left of and above each place, within the part.
function stamp(pixels, width, places, count, before, side, value, part) {
  for (let p = 0; p < count; p++) {
    const x = (places[p] % width) - before, y = Math.floor(places[p] / width) - before;
    const right = Math.min(part.right, x + side), bottom = Math.min(part.bottom, y + side);
    for (let v = Math.max(part.top, y); v < bottom; v++) for (let u = Math.max(part.left, x); u < right; u++) pixels[v * width + u] = value;
  }
}

// Where a label differs from that to the left or above, within `part` and as far around it as lines reach.
function places(labels, width, columns, rows, part, reach) {
  const left = Math.max(columns.first, part.left - reach), right = Math.min(columns.last, part.right + reach);
  const top = Math.max(rows.first, part.top - reach), bottom = Math.min(rows.last, part.bottom + reach);
  const list = new Int32Array((right - left) * (bottom - top));
  let count = 0;
  for (let y = top; y < bottom; y++) {
    for (let i = y * width + left, end = y * width + right, x = left; i < end; i++, x++) {
      const label = labels[i];
      if ((x > columns.first && label !== labels[i - 1]) || (y > rows.first && label !== labels[i - width])) list[count++] = i;
    }
  }
  return [list, count];
}

// Forget what is on the canvas: its size is another, or something was drawn over it.
export function forget() {
  shown.key = "";
}

// Draw the tiles of a level that tileAt(column, row) gives.
export function drawOverlay(context, ratio, level, tileAt) {
  const { width, height } = context.canvas;
  const step = 1 / (view.scale * ratio);
  const [partLeft, partTop, partRight, partBottom] = shownPart();
  const columns = axis(partLeft, partRight, width, view.x / view.scale, step, level), rows = axis(partTop, partBottom, height, view.y / view.scale, step, level);
  const colours = coloursNow();
  const key = [width, height, level, view.scale, view.x, view.y, state.show, colours.join()].join();
  const labels = new Uint8Array(width * height);
  readLabels(labels, width, columns, rows, level, tileAt);
  const light = Math.max(1, Math.round(ratio)), reach = 2 * light;
  let part = { left: columns.first, top: rows.first, right: columns.last, bottom: rows.last };
  if (key === shown.key) {
    const box = changed(shown.labels, labels, width, columns, rows);
    part = { left: Math.max(part.left, box.left - reach), top: Math.max(part.top, box.top - reach), right: Math.min(part.right, box.right + reach), bottom: Math.min(part.bottom, box.bottom + reach) };
  } else {
    if (shown.image?.width !== width || shown.image.height !== height) shown.image = new ImageData(width, height);
    shown.image.data.fill(0);
    context.clearRect(0, 0, width, height);
  }
  shown.key = key;
  shown.labels = labels;
  if (part.right <= part.left || part.bottom <= part.top) return;
  const pixels = new Uint32Array(shown.image.data.buffer);
  for (let y = part.top; y < part.bottom; y++) for (let i = y * width + part.left, end = y * width + part.right; i < end; i++) pixels[i] = colours[labels[i]];
  if (state.show !== "outline") stripes(pixels, labels, width, part, ratio);
  if (state.show !== "mask") {
    const [list, count] = places(labels, width, columns, rows, part, reach);
    stamp(pixels, width, list, count, light, 3 * light, BLACK, part);
    stamp(pixels, width, list, count, 0, light, WHITE, part);
  }
  context.putImageData(shown.image, 0, 0, part.left, part.top, part.right - part.left, part.bottom - part.top);
}
