// Drawing: the image, the mask, the strokes, and the stroke under the pen, a canvas each, once a frame at most.

import { drawing, shownPart, sliceOf, visible } from "./drawing.js";
import { on, tell } from "./events.js";
import { mask, photoTiles, settle, uncertaintyTiles } from "./mask.js";
import { box } from "./options.js";
import { drawOverlay, forget } from "./overlay.js";
import { PER_PIXEL, state, strokeColour } from "./state.js";
import { tilesIn } from "./tiles.js";
import { resize, toImage, toScreen, view } from "./view.js";

const stage = document.getElementById("stage");
const layers = ["photo", "mask", "strokes", "pen"].map((id) => document.getElementById(id).getContext("2d"));
const [photo, over, strokes, pen] = layers;
const dirty = new Set();
let ratio = 1;

// What is under the pen: {x, y} of the ring, in CSS pixels, or null; the stroke that is being drawn; and the
// corners of a box that is being drawn.
export const hand = { ring: null, stroke: null, path: null, line: null, box: null };

export function redraw(...names) {
  if (!dirty.size) requestAnimationFrame(frame);
  for (const name of names) dirty.add(name);
}

function clear(context) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
}

function place(context) {
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
}

// The context in pixels of the image, and nothing beyond its border: strokes count within it alone.
function within(context, draw) {
  context.save();
  place(context);
  context.beginPath();
  const [left, top, right, bottom] = shownPart();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
  draw();
  context.restore();
}

// The level whose pixels are just smaller than those of the screen.
function levelNow() {
  return Math.max(0, Math.min(drawing.levels - 1, Math.floor(Math.log2(1 / (view.scale * ratio)) + 1e-6)));
}

function seen() {
  const [left, top, right, bottom] = shownPart(), [x0, y0] = toImage(0, 0), [x1, y1] = toImage(view.width, view.height);
  return [Math.max(x0, left), Math.max(y0, top), Math.min(x1, right), Math.min(y1, bottom)];
}

// Call `draw` with each tile on the screen, the context's units being pixels of the tile. @return whether all are there
function eachTile(tiles, context, level, draw) {
  if (!state.ready) return false;
  let complete = true;
  for (const [column, row] of tilesIn(level, ...seen())) {
    const tile = tiles.at(state.item, level, column, row);
    if (!tile) {
      complete = false;
      continue;
    }
    if (!draw) continue;
    place(context);
    context.scale(2 ** level, 2 ** level);
    context.translate(column * drawing.tile, row * drawing.tile);
    draw(tile);
  }
  return complete;
}

// A mask that takes long to compose, as on a large screen, goes with the image while that is moved, and is composed when it
// stands.
const SLOW = 12; // milliseconds
const composed = { view: null, cost: 0, later: 0 };

function moveMask() {
  const { scale, x, y } = composed.view;
  const factor = view.scale / scale;
  over.canvas.style.transform = `translate(${view.x - factor * x}px, ${view.y - factor * y}px) scale(${factor})`;
  clearTimeout(composed.later);
  composed.later = setTimeout(() => {
    composed.view = null;
    redraw("mask");
  }, 100);
}

function drawMask() {
  const level = levelNow(), { view: before } = composed;
  settle((tiles) => eachTile(tiles, over, level, null));
  const tiles = mask.shown?.tiles, unsure = state.uncertainty && state.news?.outcome.uncertainty;
  const moved = before?.slice === state.slice && (before.scale !== view.scale || before.x !== view.x || before.y !== view.y);
  if (tiles && moved && composed.cost > SLOW) return moveMask();
  clearTimeout(composed.later);
  over.canvas.style.transform = "";
  if (unsure || !tiles || state.show === "none") {
    clear(over);
    forget();
  }
  const complete = tiles && eachTile(tiles, over, level, null);
  if (tiles && state.show !== "none") {
    const began = performance.now();
    drawOverlay(over, ratio, level, (column, row) => tiles.at(state.item, level, column, row));
    composed.cost = performance.now() - began;
    composed.view = { ...view, slice: state.slice };
  }
  if (unsure) {
    over.imageSmoothingEnabled = false;
    within(over, () => eachTile(uncertaintyTiles, over, level, (tile) => over.drawImage(tile, 0, 0)));
    forget();
  }
  if (complete) tell("maskDrawn", mask.shown);
}

function drawPhoto() {
  const level = levelNow();
  clear(photo);
  place(photo);
  photo.imageSmoothingEnabled = view.scale * ratio < 2;
  // What is there of coarser levels stands until the finer is.
  within(photo, () => {
    for (let coarse = drawing.levels - 1; coarse >= level; coarse--)
      if (coarse === level || coarse === drawing.levels - 1) eachTile(photoTiles, photo, coarse, (tile) => photo.drawImage(tile, 0, 0));
  });
}

function drawStroke(context, stroke, path) {
  const width = Math.max((2 * stroke.radius) / PER_PIXEL, 1 / (view.scale * ratio));
  context.lineCap = context.lineJoin = "round";
  context.globalCompositeOperation = stroke.label ? "source-over" : "destination-out";
  if (stroke.label) {
    for (const [style, more] of [["#000b", 4], ["#fff", 2]]) {
      context.strokeStyle = style;
      context.lineWidth = width + more / view.scale;
      context.stroke(path);
    }
  }
  context.strokeStyle = stroke.label ? strokeColour(stroke.label) : "#000";
  context.lineWidth = width;
  context.stroke(path);
  context.globalCompositeOperation = "source-over";
}

// The strokes on their canvas, and how: one that is added is drawn over them, and nothing else is touched.
let drawn = { how: "", list: [] };

function isContinued(list, how) {
  return how === drawn.how && list.length >= drawn.list.length && drawn.list.every(({ index, stroke, base }, i) => list[i].index === index && list[i].stroke === stroke && list[i].base === base);
}

// A rectangle as strokes are drawn: [left, top, right, bottom], pixels of the image.
function drawBox(context, [left, top, right, bottom]) {
  for (const [style, width] of [["#000b", 4], ["#fff", 2]]) {
    context.strokeStyle = style;
    context.lineWidth = width / view.scale;
    context.strokeRect(left, top, right - left, bottom - top);
  }
}

function drawStrokes() {
  const frames = [box("box"), box("region")].filter(Boolean);
  const list = visible(), how = [frames, strokes.canvas.width, strokes.canvas.height, view.scale, view.x, view.y, state.object, [...state.hidden], ...state.labels.map(({ colour }) => colour)].join();
  const erasing = hand.stroke && !hand.stroke.label;
  let from = drawn.list.length;
  if (!isContinued(list, how)) {
    clear(strokes);
    from = 0;
  }
  within(strokes, () => {
    for (const { stroke, path, base, finished } of list.slice(from)) {
      if (finished && state.object) continue; // the mask shows them
      if (stroke && sliceOf(stroke.points[1] / PER_PIXEL) !== state.slice) continue;
      strokes.globalAlpha = finished ? 0.4 : 1;
      if (stroke && !state.hidden.has(stroke.label)) drawStroke(strokes, stroke, path);
      for (const [label, runs] of base ?? []) {
        if (state.hidden.has(label)) continue;
        strokes.fillStyle = strokes.strokeStyle = strokeColour(label);
        strokes.lineWidth = Math.max(0, 1 / view.scale - 0.5);
        strokes.fill(runs);
        if (view.scale < 1) strokes.stroke(runs);
      }
      strokes.globalAlpha = 1;
    }
    for (const [left, top, width, height] of frames) drawBox(strokes, [left, top, left + width, top + height]);
    if (erasing) drawStroke(strokes, hand.stroke, hand.path); // it may be given up
  });
  drawn = { how: erasing ? "" : how, list };
}

// What was drawn under the pen: {left, top, right, bottom}, pixels of the canvas. Only this is cleared; by clearRect, behind
// which Chromium puts all canvases together anew, a frame would take ten milliseconds more without a graphics card.
let touched = null;

function touch(x, y, reach) {
  touched ??= { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  touched.left = Math.min(touched.left, Math.floor(ratio * (x - reach)));
  touched.top = Math.min(touched.top, Math.floor(ratio * (y - reach)));
  touched.right = Math.max(touched.right, Math.ceil(ratio * (x + reach)));
  touched.bottom = Math.max(touched.bottom, Math.ceil(ratio * (y + reach)));
}

function drawPen() {
  if (touched) {
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.globalCompositeOperation = "destination-out";
    pen.fillStyle = "#000";
    pen.fillRect(touched.left, touched.top, touched.right - touched.left, touched.bottom - touched.top);
    pen.globalCompositeOperation = "source-over";
    touched = null;
  }
  if (hand.stroke?.label) {
    const { points, radius } = hand.stroke;
    within(pen, () => drawStroke(pen, hand.stroke, hand.path));
    for (let i = 0; i < points.length; i += 2) touch(...toScreen(points[i] / PER_PIXEL, points[i + 1] / PER_PIXEL), (radius / PER_PIXEL) * view.scale + 4);
  }
  if (hand.box) {
    within(pen, () => drawBox(pen, hand.box));
    touch(...toScreen(hand.box[0], hand.box[1]), 4);
    touch(...toScreen(hand.box[2], hand.box[3]), 4);
  }
  if (!hand.ring || ["delete", "box", "region"].includes(state.tool)) return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const radius = Math.max(state.size / 2, 1.5);
  for (const [width, style] of [[3.5, "#000b"], [1.5, state.tool === "eraser" ? "#fff" : strokeColour(state.label)]]) {
    pen.beginPath();
    pen.arc(hand.ring.x, hand.ring.y, radius + 1, 0, 2 * Math.PI);
    pen.lineWidth = width;
    pen.strokeStyle = style;
    pen.stroke();
  }
  touch(hand.ring.x, hand.ring.y, radius + 4);
}

function drawAreas() {
  const areas = document.getElementById("areas");
  // In object mode N shows them one by one: after a click they are large, and the object is what is looked at.
  const list = mask.shown?.tiles && !mask.shown.pen && (!state.object || state.area >= 0) ? (state.news?.outcome.ambiguous ?? []) : [];
  while (areas.children.length > list.length) areas.lastChild.remove();
  while (areas.children.length < list.length) areas.append(document.createElement("i"));
  list.forEach(({ box: [left, top, right, bottom] }, i) => {
    const [x, y] = toScreen(left, top), style = areas.children[i].style;
    style.left = `${x}px`;
    style.top = `${y}px`;
    style.width = `${(right - left) * view.scale}px`;
    style.height = `${(bottom - top) * view.scale}px`;
    areas.children[i].hidden = state.show === "none" || sliceOf((top + bottom) / 2) !== state.slice || (state.object && i !== state.area);
    areas.children[i].classList.toggle("now", i === state.area);
  });
}

const drawers = { photo: drawPhoto, mask: drawMask, strokes: drawStrokes, pen: drawPen, areas: drawAreas };

function frame() {
  const names = [...dirty];
  dirty.clear();
  for (const name of names) drawers[name]();
}

export function start() {
  new ResizeObserver(() => {
    ratio = devicePixelRatio || 1;
    const { clientWidth, clientHeight } = stage;
    for (const { canvas } of layers) {
      canvas.width = Math.round(clientWidth * ratio);
      canvas.height = Math.round(clientHeight * ratio);
    }
    forget();
    drawn.how = "";
    resize(clientWidth, clientHeight);
  }).observe(stage);
  on("view", () => redraw("photo", "mask", "strokes", "pen", "areas"));
  on("drawing", () => redraw("strokes", "pen"));
  on("labels", () => redraw("mask", "strokes", "pen"));
  on("tiles", (kind) => redraw(kind === "photo" ? "photo" : "mask"));
  on("newMask", (tiles) => eachTile(tiles, over, levelNow(), null));
  on("news", () => redraw("areas"));
  on("settled", () => redraw("areas"));
  on("look", () => redraw("mask", "strokes", "pen", "areas"));
}
