// Drawing: the image with the mask, the strokes, and the stroke under the pen, a canvas each, once a frame at most.

import { drawing, visible } from "./drawing.js";
import { on, tell } from "./events.js";
import { mask, photoTiles, settle, uncertaintyTiles } from "./mask.js";
import { colour, PER_PIXEL, state } from "./state.js";
import { tilesIn } from "./tiles.js";
import { resize, toImage, toScreen, view } from "./view.js";

const stage = document.getElementById("stage");
const layers = ["photo", "strokes", "pen"].map((id) => document.getElementById(id).getContext("2d"));
const [photo, strokes, pen] = layers;
const dirty = new Set();
let ratio = 1;

// What is under the pen: {x, y} of the ring, in CSS pixels, or null; and the stroke that is being drawn.
export const hand = { ring: null, stroke: null, path: null, line: null };

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

// The level whose pixels are just smaller than those of the screen.
function levelNow() {
  return Math.max(0, Math.min(drawing.levels - 1, Math.floor(Math.log2(1 / (view.scale * ratio)) + 1e-6)));
}

function seen() {
  return [...toImage(0, 0), ...toImage(view.width, view.height)];
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

function drawOutline(path, level) {
  const pixel = 1 / (view.scale * ratio * 2 ** level);
  const light = Math.max(1, Math.round(ratio));
  photo.lineCap = "square";
  photo.strokeStyle = "#000c";
  photo.lineWidth = 3 * light * pixel;
  photo.stroke(path);
  photo.strokeStyle = "#fff";
  photo.lineWidth = light * pixel;
  photo.stroke(path);
}

function drawMask(level) {
  settle((tiles) => eachTile(tiles, photo, level, null));
  const tiles = mask.shown?.tiles;
  if (!tiles) return;
  let complete = true;
  if (state.show === "tint" || state.show === "mask") {
    photo.globalAlpha = state.show === "mask" ? 1 : state.opacity;
    complete = eachTile(tiles, photo, level, (tile) => photo.drawImage(tile.tint, 0, 0));
    photo.globalAlpha = 1;
  }
  if (state.show === "tint" || state.show === "outline") complete = eachTile(tiles, photo, level, (tile) => drawOutline(tile.outline, level));
  if (complete) tell("maskDrawn", mask.shown);
}

function drawPhoto() {
  const level = levelNow();
  clear(photo);
  place(photo);
  photo.imageSmoothingEnabled = view.scale * ratio < 2;
  // What is there of coarser levels stands until the finer is.
  for (let coarse = drawing.levels - 1; coarse >= level; coarse--)
    if (coarse === level || coarse === drawing.levels - 1) eachTile(photoTiles, photo, coarse, (tile) => photo.drawImage(tile, 0, 0));
  photo.imageSmoothingEnabled = false;
  drawMask(level);
  if (state.uncertainty && state.news?.outcome.uncertainty) eachTile(uncertaintyTiles, photo, level, (tile) => photo.drawImage(tile, 0, 0));
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
  context.strokeStyle = stroke.label ? colour(stroke.label) : "#000";
  context.lineWidth = width;
  context.stroke(path);
  context.globalCompositeOperation = "source-over";
}

function drawStrokes() {
  clear(strokes);
  place(strokes);
  for (const { stroke, path, base } of visible()) {
    if (stroke && !state.hidden.has(stroke.label)) drawStroke(strokes, stroke, path);
    for (const [label, runs] of base ?? []) {
      if (state.hidden.has(label)) continue;
      strokes.fillStyle = strokes.strokeStyle = colour(label);
      strokes.lineWidth = Math.max(0, 1 / view.scale - 0.5);
      strokes.fill(runs);
      if (view.scale < 1) strokes.stroke(runs);
    }
  }
  if (hand.stroke && !hand.stroke.label) drawStroke(strokes, hand.stroke, hand.path);
}

function drawPen() {
  clear(pen);
  if (hand.stroke?.label) {
    place(pen);
    drawStroke(pen, hand.stroke, hand.path);
  }
  if (!hand.ring || state.tool === "delete") return;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const radius = Math.max(state.size / 2, 1.5);
  for (const [width, style] of [[3.5, "#000b"], [1.5, state.tool === "eraser" ? "#fff" : colour(state.label)]]) {
    pen.beginPath();
    pen.arc(hand.ring.x, hand.ring.y, radius + 1, 0, 2 * Math.PI);
    pen.lineWidth = width;
    pen.strokeStyle = style;
    pen.stroke();
  }
}

function drawAreas() {
  const areas = document.getElementById("areas");
  const list = mask.shown?.tiles && !mask.shown.pen ? (state.news?.outcome.ambiguous ?? []) : [];
  while (areas.children.length > list.length) areas.lastChild.remove();
  while (areas.children.length < list.length) areas.append(document.createElement("i"));
  list.forEach(({ box: [left, top, right, bottom] }, i) => {
    const [x, y] = toScreen(left, top), style = areas.children[i].style;
    style.left = `${x}px`;
    style.top = `${y}px`;
    style.width = `${(right - left) * view.scale}px`;
    style.height = `${(bottom - top) * view.scale}px`;
    areas.children[i].hidden = state.show === "none";
    areas.children[i].classList.toggle("now", i === state.area);
  });
}

const drawers = { photo: drawPhoto, strokes: drawStrokes, pen: drawPen, areas: drawAreas };

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
    resize(clientWidth, clientHeight);
  }).observe(stage);
  on("view", () => redraw("photo", "strokes", "pen", "areas"));
  on("drawing", () => redraw("strokes", "pen"));
  on("labels", () => redraw("photo", "strokes", "pen"));
  on("tiles", () => redraw("photo"));
  on("newMask", (tiles) => eachTile(tiles, photo, levelNow(), null));
  on("news", () => redraw("areas"));
  on("settled", () => redraw("areas"));
  on("look", () => redraw("photo", "strokes", "pen", "areas"));
}
