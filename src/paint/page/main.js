// The start: build the tool bar, listen to keys, open the first image.

import { actions, keyName, penKey } from "./actions.js";
import { get } from "./api.js";
import * as cuts from "./cuts.js";
import * as dialogs from "./dialogs.js";
import { drawing, usedLabels } from "./drawing.js";
import { on, tell } from "./events.js";
import * as folder from "./folder.js";
import * as hints from "./hints.js";
import * as labels from "./labels.js";
import { isSent, open } from "./live.js";
import { mask } from "./mask.js";
import * as objects from "./objects.js";
import * as pen from "./pen.js";
import * as slices from "./slices.js";
import * as render from "./render.js";
import { state } from "./state.js";
import { fit, view } from "./view.js";

const bar = document.getElementById("bar");
const buttons = new Map();

function buildBar() {
  const many = state.images.length > 1;
  for (const action of actions) {
    if (action.many && !many) continue;
    if (action.gap) bar.append(dialogs.element("span", { class: "gap" }));
    else if (action.space) bar.append(dialogs.element("span", { class: "name" }), dialogs.element("span", { class: "space" }));
    else if (action.zoom) bar.append(dialogs.element("output", { "aria-label": "Zoom" }));
    else if (action.icon) {
      const title = `${action.title}${action.keys ? ` (${action.keys.join(", ")})` : ""}`;
      const button = dialogs.element("button", { type: "button", id: `do-${action.id}`, title, "aria-label": action.title, onclick: () => action.run() }, dialogs.icon(action.icon));
      buttons.set(action, button);
      bar.append(button);
    }
  }
}

function showBar() {
  for (const [action, button] of buttons) {
    if (action.on) button.setAttribute("aria-pressed", String(Boolean(action.on())));
    if (action.can) button.disabled = !action.can();
    if (action.shown) button.hidden = !action.shown();
  }
  bar.querySelector("output").textContent = `${Math.round(100 * view.scale * (devicePixelRatio || 1))} %`;
  bar.querySelector(".name").textContent = state.images[state.item]?.name ?? "";
}

function onKey(event) {
  document.body.classList.add("keys"); // the focus of the image is shown to who works by keys
  if (dialogs.isOpen() || event.altKey) return;
  const inField = event.target.matches("input, select");
  const onButton = event.target.matches("button");
  if (inField) return;
  if (event.key === " " && !onButton) {
    pen.holdSpace(true);
    event.preventDefault();
    return;
  }
  const name = keyName(event);
  if (!onButton && penKey(event)) return event.preventDefault();
  if (/^[1-9]$/.test(name)) return labels.choose(Number(name));
  const action = actions.find(({ keys }) => keys?.includes(name)) ?? (name === "Ctrl-Y" ? actions.find(({ id }) => id === "redo") : null);
  if (!action || (action.can && !action.can()) || (action.shown && !action.shown())) return;
  event.preventDefault();
  action.run(name);
}

// Who draws two strokes without choosing a label means two regions: behind the very first stroke the next label is chosen.
function helpAlong() {
  let before = 0;
  on("opened", () => (before = usedLabels().size));
  on("drawing", () => {
    const used = usedLabels();
    if (!state.model && !state.object && before === 0 && used.size === 1 && used.has(1) && state.label === 1 && state.labels.length > 1) labels.choose(2);
    if (used.size) before = used.size;
  });
}

// What a test, or anyone who automates the page, waits for.
function note() {
  const data = document.body.dataset;
  on("opened", () => (data.opened = state.item));
  on("unsaved", () => (data.revision = ""));
  for (const name of ["sent", "opened"]) on(name, () => (data.revision = isSent() ? drawing.revision : ""));
  on("news", (news) => {
    data.final = news?.final ? news.revision : "";
    data.saved = news?.final && news.saved ? news.revision : "";
    data.uncertainty = Boolean(news?.outcome.uncertainty);
    data.number = news?.outcome.number ?? "";
  });
  on("maskDrawn", (shown) => {
    data.drawn = shown.pen ? "pen" : shown.revision;
    data.drawnNumber = shown.number;
  });
  on("settled", () => {
    if (!mask.shown.tiles) data.drawn = mask.shown.revision;
  });
}

async function start() {
  dialogs.start();
  pen.start();
  objects.start();
  slices.start();
  cuts.start();
  labels.start();
  hints.start();
  folder.start();
  note();
  const { images, labels: list, options, methods, exports, model } = await get("state");
  Object.assign(state, { images, labels: list, options, methods, exports, model });
  buildBar();
  for (const name of ["look", "drawing", "news", "view", "opened"]) on(name, showBar);
  on("opened", fit);
  helpAlong();
  render.start();
  document.addEventListener("keydown", onKey);
  document.addEventListener("keyup", (event) => event.key === " " && pen.holdSpace(false));
  document.addEventListener("pointerdown", () => document.body.classList.remove("keys"));
  window.addEventListener("blur", () => pen.holdSpace(false));
  document.getElementById("opacity").addEventListener("input", (event) => {
    state.opacity = event.target.value / 100;
    tell("look");
  });
  const asked = Number(location.hash.slice(1));
  await open(asked > 0 && asked <= images.length ? asked - 1 : 0);
  document.getElementById("pen").focus({ preventScroll: true });
}

start().catch((error) => tell("trouble", error.message));
