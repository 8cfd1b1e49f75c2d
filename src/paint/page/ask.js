// Questions in place of strokes: are two places of one region? The server chooses them; an answer is an act like a stroke.

import { post } from "./api.js";
import { icon } from "./dialogs.js";
import { answers, drawing } from "./drawing.js";
import { on, tell } from "./events.js";
import { commit, isSent } from "./live.js";
import { photoTiles } from "./mask.js";
import { hand } from "./render.js";
import { state } from "./state.js";
import { fit, toScreen, view } from "./view.js";

const panel = document.getElementById("ask"), text = panel.querySelector(".question"), counts = panel.querySelector(".counts");
const crops = [...panel.querySelectorAll("canvas")], buttons = [...panel.querySelectorAll("button[data-sign]")];
const canvas = document.getElementById("answers"), context = canvas.getContext("2d");
const COLOURS = ["#e69f00", "#56b4e9"]; // of A and B; A is a square, B a circle
const AROUND = 9; // patches that a close-up shows, side by side
const MARGIN = 12; // CSS pixels from the edge of the stage, within which a question is not seen

// The question, as long as nothing newer was answered or drawn.
function current() {
  const question = state.news?.question;
  return question && isSent() && question.revision === drawing.revision ? question : null;
}

function openQuestion() {
  const question = state.asking ? current() : null;
  return question?.open ? question : null;
}

export async function toggle() {
  state.asking = !state.asking;
  sessionStorage.setItem("asking", state.asking ? "1" : "");
  update();
  tell("look");
  await post("ask", { asking: state.asking });
}

export function answer(sign) {
  const question = openQuestion();
  if (question) commit({ answer: { a: question.a, b: question.b, sign } });
}

// @return whether the key is one of questions
export function key(name) {
  if (!state.asking) return false;
  const signs = { Y: 1, N: -1, S: 0 };
  if (name in signs) answer(signs[name]);
  else if (name === "Escape" && !hand.stroke) toggle();
  else return false;
  return true;
}

// --- The panel.

function sentence() {
  const question = current();
  if (!question) return "Looking for the next question …";
  if (question.open) return "Are A and B of the same region?";
  return question.message || "No question is left: every answer is known by now, or was skipped.";
}

function update() {
  redraw();
  if (!state.asking && panel.hidden) return;
  const question = openQuestion(), list = answers(), of = (sign) => list.filter((one) => one.sign === sign).length;
  panel.hidden = !state.asking;
  for (const button of buttons) button.disabled = !question;
  text.textContent = sentence();
  const told = [`${of(1)} same`, `${of(-1)} not`];
  if (of(0)) told.push(`${of(0)} skipped`);
  counts.textContent = list.length ? told.join(", ") : "Undo takes an answer back; strokes can be drawn meanwhile";
  panel.dataset.revision = question ? question.revision : "";
  showCloseUps();
}

function closeUp(target, question, [x, y]) {
  const ratio = devicePixelRatio || 1, size = Math.round(target.clientWidth * ratio);
  if (!size) return;
  if (target.width !== size) target.width = target.height = size;
  const to = target.getContext("2d"), wide = AROUND * question.side, scale = size / wide;
  const left = x - wide / 2, top = y - wide / 2;
  to.setTransform(1, 0, 0, 1, 0, 0);
  to.clearRect(0, 0, size, size);
  to.setTransform(scale, 0, 0, scale, -left * scale, -top * scale);
  to.imageSmoothingEnabled = false;
  const tile = drawing.tile, first = (at) => Math.max(0, Math.floor(at / tile));
  for (let row = first(top); row * tile < Math.min(drawing.height, top + wide); row++)
    for (let column = first(left); column * tile < Math.min(drawing.width, left + wide); column++) {
      const image = photoTiles.at(state.item, 0, column, row);
      if (image) to.drawImage(image, column * tile, row * tile);
    }
  const [px, py] = patchOf(question, [x, y]);
  for (const [style, width] of [["#000", 4], [COLOURS[crops.indexOf(target)], 2]]) {
    to.strokeStyle = style;
    to.lineWidth = (width * ratio) / scale;
    to.strokeRect(px, py, question.side, question.side);
  }
}

function patchOf({ side }, [x, y]) {
  return [Math.floor(x / side) * side, Math.floor(y / side) * side];
}

function showCloseUps() {
  const question = openQuestion();
  for (const crop of crops) crop.parentElement.hidden = !question;
  if (!question || !state.ready) return;
  [question.a, question.b].forEach((at, i) => closeUp(crops[i], question, at));
}

// --- On the image: the two places, and the answers so far.

// Answers are not in the way of who draws: they are seen with questions, and where one can be deleted.
function isShown() {
  return state.ready && (state.asking || state.tool === "delete");
}

let waiting = false;
function redraw() {
  if (waiting || (canvas.hidden && !isShown())) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function line(width, style, dash = []) {
  for (const [more, colour] of [[2.5, "#000c"], [0, style]]) {
    context.lineWidth = width + more;
    context.strokeStyle = colour;
    context.setLineDash(more ? [] : dash);
    context.stroke();
  }
  context.setLineDash([]);
}

function drawAnswer({ a, b, sign }) {
  const ends = [toScreen(...a), toScreen(...b)];
  if (sign) {
    context.beginPath();
    context.moveTo(...ends[0]);
    context.lineTo(...ends[1]);
    line(1.5, sign > 0 ? "#fff" : "#ffb000", sign > 0 ? [] : [5, 5]);
  }
  for (const [x, y] of ends) {
    context.beginPath();
    context.arc(x, y, 3.5, 0, 2 * Math.PI);
    line(1, "#000c");
    context.fillStyle = sign > 0 ? "#fff" : sign < 0 ? "#ffb000" : "#999";
    context.fill();
  }
}

function drawPlace(question, at, i) {
  const [px, py] = patchOf(question, at), [left, top] = toScreen(px, py), size = question.side * view.scale;
  const x = left + size / 2, y = top + size / 2, reach = Math.max(size / 2, 8) + 2;
  context.beginPath();
  if (i) context.arc(x, y, reach * 1.2, 0, 2 * Math.PI);
  else context.rect(x - reach, y - reach, 2 * reach, 2 * reach);
  line(3, COLOURS[i]);
  const above = y - reach - 26 > 2, tag = above ? y - reach - 16 : y + reach + 16;
  context.beginPath();
  context.arc(x, tag, 10, 0, 2 * Math.PI);
  line(1, "#000c");
  context.fillStyle = COLOURS[i];
  context.fill();
  context.fillStyle = "#000";
  context.font = "bold 14px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("AB"[i], x, tag + 1);
}

function draw() {
  const ratio = devicePixelRatio || 1;
  canvas.hidden = !isShown();
  if (canvas.hidden) return;
  const width = Math.round(view.width * ratio), height = Math.round(view.height * ratio);
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width, height);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (const one of answers()) drawAnswer(one);
  const question = openQuestion();
  if (question) [question.a, question.b].forEach((at, i) => drawPlace(question, at, i));
}

// A question outside the window would be answered blindly.
let seen = "";
function show() {
  const question = openQuestion(), name = question ? `${state.item} ${question.a} ${question.b}` : "";
  if (question && name !== seen) {
    const inside = ([x, y]) => x > MARGIN && y > MARGIN && x < view.width - MARGIN && y < view.height - MARGIN;
    if (![question.a, question.b].every((at) => inside(toScreen(...at)))) fit();
  }
  seen = name;
}

export function start() {
  for (const button of buttons) button.addEventListener("click", () => answer(Number(button.dataset.sign)));
  const close = panel.querySelector(".close");
  close.append(icon("close"));
  close.addEventListener("click", toggle);
  for (const name of ["news", "drawing", "sent", "unsaved", "opened", "look"]) on(name, update);
  for (const name of ["news", "sent", "opened"]) on(name, show);
  on("view", redraw);
  on("tiles", showCloseUps);
  if (sessionStorage.getItem("asking") && !state.model) toggle().catch((error) => tell("trouble", error.message));
}
