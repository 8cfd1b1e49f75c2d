// What to do next, in one line over the image, until it has been done; and what the mask is.

import { drawing, isVolume, usedLabels } from "./drawing.js";
import { on } from "./events.js";
import { isSent } from "./live.js";
import { canFinish } from "./objects.js";
import { nameOf, state } from "./state.js";

const hint = document.getElementById("hint"), trouble = document.getElementById("trouble");
const saved = document.getElementById("saved"), model = document.getElementById("model");
let passing = 0; // the timer of a hint that goes by itself

function show(text) {
  if (hint.textContent !== text) hint.textContent = text;
}

function standing() {
  if (state.item < 0) return "";
  const used = usedLabels();
  const told = state.news?.final && state.news.outcome.message ? state.news.outcome.message : "";
  if (state.model && told) return told;
  if (state.model) return used.size ? "" : ofModel();
  if (state.object) return told || ofObject();
  const name = (label) => state.labels[label - 1]?.name ?? `label ${label}`;
  if (!used.size && state.news?.outcome?.mask) return "Draw a stroke where the mask is wrong"; // a mask to correct
  if (!drawing.at && !used.size) return `Draw a stroke on ${state.images.length > 1 || state.labels[0]?.name !== "region 1" ? name(1) : "what you want to cut out"}`;
  if (used.size === 1) return used.has(state.label) ? "The rest counts as background. Where it is wrong, choose another label and draw a stroke" : `Now a stroke on ${state.labels[state.label - 1]?.name.startsWith("region ") ? "what does not belong to it" : name(state.label)}`;
  return told;
}

function ofObject() {
  const { label, object, background } = state;
  if (label < object) return `${sentence(nameOf(label))} is finished: strokes are added to it, and the eraser takes away`;
  if (label === background) return `Mark what is not of ${nameOf(object)}, then choose it again (X)`;
  if (!canFinish()) return object > 1 ? "Click on the next object, or draw a stroke on it" : "Click on an object, or draw a stroke on it";
  const [not, done] = matchMedia("(pointer: coarse)").matches ? ["Choose background", "✓"] : ["Right button", "Enter"];
  return `Missing? Click on it. Too much? ${not}. ${done}: ${nameOf(object)} is finished`;
}

function sentence(text) {
  return text[0].toUpperCase() + text.slice(1);
}

// Before the first stroke, where a model has made the mask.
function ofModel() {
  if (!state.news?.final) return "The model makes the first mask …";
  return `The model's mask: draw a stroke where it is wrong${state.news.outcome.unknown ? " or unknown (striped)" : ""}`;
}

function update() {
  if (!passing) show(standing());
  const news = state.news, outcome = news?.outcome;
  model.textContent = state.model ? `Model: ${state.model.name}` : "";
  model.hidden = !state.model;
  const file = state.images[state.item]?.name, ending = isVolume() ? "tif" : "png";
  if (!isSent()) saved.textContent = "sending …";
  else if (!news?.open || !(drawing.at || state.model)) saved.textContent = "";
  else if (outcome.message.startsWith("not saved")) saved.textContent = "not saved";
  else if (!news.final) saved.textContent = "segmenting …";
  else saved.textContent = news.saved ? (outcome.mask ? `saved: ${file}-mask.${ending}` : `saved: ${file}-scribbles.${ending}`) : "writing …";
}

export function start() {
  for (const name of ["drawing", "news", "labels", "look", "opened", "unsaved", "sent"]) on(name, update);
  on("stroke", (down) => {
    if (down) show("");
    else update();
  });
  on("hint", (text) => {
    clearTimeout(passing);
    show(text);
    passing = setTimeout(() => {
      passing = 0;
      update();
    }, 5000);
  });
  on("trouble", (text) => {
    trouble.textContent = text;
    trouble.hidden = !text;
  });
}
