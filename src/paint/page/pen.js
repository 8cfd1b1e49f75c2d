// Mouse, pen, touch and keyboard on the image: strokes, and moving the view.

import { drawing, isVolume, pathOf, strokeAt } from "./drawing.js";
import { on, tell } from "./events.js";
import { commit, liftPen, showPen } from "./live.js";
import { other } from "./labels.js";
import { setBox } from "./options.js";
import { hand, redraw } from "./render.js";
import { PER_PIXEL, state } from "./state.js";
import { moveBy, showSlice, toImage, view, zoomBy } from "./view.js";

const canvas = document.getElementById("pen");
const pointers = new Map(); // those that are down: {x, y}
let drawingWith = null; // the pointer that draws, or "keyboard"
let panning = false; // by space, the middle button or two fingers
let space = false;
let isPlaced = false; // the pen, by arrow keys: Enter puts it down there
let penSeen = 0; // when a pen was used last: fingers move the view then

function position(event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function inUnits(at) {
  return toImage(at.x, at.y).map((value) => Math.round(value * PER_PIXEL));
}

// Brushes have their size on the screen: a closer look draws finer strokes.
function radius() {
  return Math.min(65536, Math.max(1, Math.round((state.size / 2 / view.scale) * PER_PIXEL)));
}

function begin(at, straight, label = state.tool === "eraser" ? 0 : state.label) {
  hand.line = straight;
  hand.stroke = { label, radius: radius(), points: inUnits(at) };
  update();
  tell("stroke", true);
}

function update() {
  hand.path = pathOf(hand.stroke.points);
  redraw("pen");
  if (!hand.stroke.label) redraw("strokes");
}

function extend(at, straight) {
  const points = hand.stroke.points, [x, y] = inUnits(at);
  if (straight || hand.line) {
    hand.line = true;
    points.length = 2;
  }
  if (x === points.at(-2) && y === points.at(-1)) return;
  points.push(x, y);
}

function finish() {
  const stroke = hand.stroke;
  isPlaced = false;
  hand.stroke = hand.path = null;
  drawingWith = null;
  commit({ stroke });
  redraw("pen", "strokes");
  tell("stroke", false);
}

// A box, or the region, has whole pixels; a click removes it.
const isFrame = () => state.tool === "box" || state.tool === "region";

function dragBox(at, isEnd) {
  const [x, y] = toImage(at.x, at.y), within = (value, most) => Math.min(most, Math.max(0, Math.round(value)));
  hand.box[2] = within(x, drawing.width);
  hand.box[3] = within(y, drawing.height);
  if (!isEnd) return redraw("pen");
  const [x0, y0, x1, y1] = hand.box, sides = [Math.min(x0, x1), Math.min(y0, y1), Math.abs(x1 - x0), Math.abs(y1 - y0)];
  hand.box = null;
  drawingWith = null;
  setBox(state.tool, sides[2] && sides[3] ? sides : null);
  redraw("pen", "strokes");
}

function beginBox(at) {
  hand.box = [0, 0, 0, 0];
  dragBox(at, false);
  hand.box = [hand.box[2], hand.box[3], hand.box[2], hand.box[3]];
}

function giveUp() {
  if (hand.box) {
    hand.box = drawingWith = null;
    redraw("pen");
  }
  if (!hand.stroke) return;
  hand.stroke = hand.path = null;
  drawingWith = null;
  liftPen();
  redraw("pen", "strokes");
  tell("stroke", false);
}

function onDown(event) {
  const at = position(event);
  isPlaced = false;
  canvas.focus({ preventScroll: true });
  try {
    canvas.setPointerCapture(event.pointerId);
  } catch {
    // a pointer that a script made up
  }
  pointers.set(event.pointerId, at);
  if (event.pointerType === "pen") penSeen = event.timeStamp;
  hand.ring = event.pointerType === "touch" ? null : at;
  const finger = event.pointerType === "touch" && penSeen && event.timeStamp - penSeen < 5000;
  if (pointers.size > 1 || space || event.button === 1 || finger) {
    if (drawingWith !== "keyboard") giveUp();
    panning = true;
    return;
  }
  if ((event.button !== 0 && event.button !== 2) || drawingWith || state.item < 0) return;
  if (state.tool === "delete") {
    const act = strokeAt(...toImage(at.x, at.y), 4 / view.scale);
    if (act >= 0) commit({ delete: act });
    return;
  }
  drawingWith = event.pointerId;
  if (isFrame()) beginBox(at);
  else if (event.button === 2) begin(at, event.shiftKey, other());
  else begin(at, event.shiftKey);
}

function pan(event, at) {
  const before = pointers.get(event.pointerId);
  if (pointers.size < 2) {
    moveBy(at.x - before.x, at.y - before.y);
    return;
  }
  const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, p]) => p);
  const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
  moveBy((at.x - before.x) / 2, (at.y - before.y) / 2);
  const wide = Math.hypot(before.x - other.x, before.y - other.y);
  if (wide > 0) zoomBy(Math.hypot(at.x - other.x, at.y - other.y) / wide, middle.x, middle.y);
}

function onMove(event) {
  const at = position(event);
  hand.ring = event.pointerType === "touch" ? null : at;
  redraw("pen");
  if (!pointers.has(event.pointerId)) return;
  if (panning) pan(event, at);
  else if (drawingWith === event.pointerId && hand.box) dragBox(at, false);
  else if (drawingWith === event.pointerId) {
    const all = event.getCoalescedEvents?.() ?? [];
    for (const one of all.length ? all : [event]) extend(position(one), event.shiftKey);
    update();
    showPen(hand.stroke);
  }
  pointers.set(event.pointerId, at);
}

function onUp(event) {
  if (!pointers.delete(event.pointerId)) return;
  if (drawingWith === event.pointerId) {
    if (event.type === "pointercancel") giveUp();
    else if (hand.box) dragBox(position(event), true);
    else finish();
  }
  if (!pointers.size) panning = false;
}

function onWheel(event) {
  event.preventDefault();
  const at = position(event), unit = event.deltaMode === 1 ? 16 : 1;
  if (isVolume() && event.shiftKey) return showSlice(state.slice + Math.sign(event.deltaX || event.deltaY));
  zoomBy(Math.exp((-event.deltaY * unit) / (event.ctrlKey ? 100 : 400)), at.x, at.y);
}

// --- The keyboard: a ring that arrow keys move, and a pen that Enter puts down and lifts.

export function isEntersKey() {
  return isPlaced || drawingWith === "keyboard";
}

export function movePen(dx, dy) {
  isPlaced = true;
  const at = hand.ring ?? { x: view.width / 2, y: view.height / 2 };
  hand.ring = { x: Math.min(view.width, Math.max(0, at.x + dx)), y: Math.min(view.height, Math.max(0, at.y + dy)) };
  if (drawingWith === "keyboard" && hand.box) dragBox(hand.ring, false);
  else if (drawingWith === "keyboard") {
    extend(hand.ring, false);
    update();
    showPen(hand.stroke);
  }
  redraw("pen");
}

export function togglePen() {
  if (drawingWith === "keyboard") return hand.box ? dragBox(hand.ring, true) : finish();
  if (drawingWith !== null || state.item < 0) return;
  movePen(0, 0);
  if (state.tool === "delete") {
    const act = strokeAt(...toImage(hand.ring.x, hand.ring.y), 4 / view.scale);
    if (act >= 0) commit({ delete: act });
    return;
  }
  drawingWith = "keyboard";
  if (isFrame()) beginBox(hand.ring);
  else begin(hand.ring, false);
}

export function dropPen() {
  giveUp();
}

export function holdSpace(held) {
  space = held;
  canvas.classList.toggle("pan", held);
}

export function start() {
  canvas.addEventListener("pointerdown", onDown);
  canvas.addEventListener("pointermove", onMove);
  canvas.addEventListener("pointerup", onUp);
  canvas.addEventListener("pointercancel", onUp);
  canvas.addEventListener("pointerleave", () => {
    if (!pointers.size && drawingWith !== "keyboard") hand.ring = null;
    redraw("pen");
  });
  canvas.addEventListener("wheel", onWheel, { passive: false });
  for (const name of ["contextmenu", "auxclick"]) canvas.addEventListener(name, (event) => event.preventDefault());
  on("look", () => canvas.classList.toggle("pick", state.tool === "delete"));
  on("opened", () => {
    hand.stroke = hand.path = hand.box = null;
    drawingWith = null;
  });
}
