// The images of a folder: a strip of small ones, and which of them are drawn on.

import { bytes, get } from "./api.js";
import { element } from "./dialogs.js";
import { isDrawn } from "./drawing.js";
import { on, tell } from "./events.js";
import { open } from "./live.js";
import { state } from "./state.js";

const strip = document.getElementById("strip");
const kept = new Map(); // canvases by image

const SIDE = 192; // pixels of a small image

async function thumb(i, canvas) {
  try {
    const data = await bytes(`item/${i}/thumb`), [width, height] = new Uint16Array(data.slice(-4).buffer);
    const image = await createImageBitmap(new ImageData(data.slice(0, -4), width, height)), scale = Math.min(1, SIDE / Math.max(width, height));
    Object.assign(canvas, { width: Math.ceil(scale * width), height: Math.ceil(scale * height) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  } catch {
    // an image that cannot be read says so when it is opened
  }
}

// Small images are made when they come into sight, one after the other.
const sight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    sight.unobserve(target);
    thumb(Number(target.dataset.item), target);
  }
});

function show() {
  strip.hidden = state.images.length < 2;
  if (strip.hidden) return;
  const done = state.images.filter(({ drawn }) => drawn).length;
  const buttons = state.images.map(({ name, drawn, broken }, i) => {
    if (!kept.has(i)) {
      kept.set(i, element("canvas", { width: 96, height: 64, "data-item": i }));
      sight.observe(kept.get(i));
    }
    return element("button", { type: "button", title: name, "aria-current": i === state.item ? "true" : null, onclick: () => go(i) },
      kept.get(i), element("span", { class: broken ? "broken" : drawn ? "drawn" : "" }, name));
  });
  strip.replaceChildren(element("span", { class: "progress" }, `${done} of ${state.images.length}`), ...buttons);
  buttons[state.item]?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

export async function go(i) {
  if (i < 0 || i >= state.images.length || i === state.item) return;
  try {
    await open(i);
  } catch (error) {
    tell("trouble", error.message);
  }
  state.images = (await get("state")).images;
  show();
}

export function next(step) {
  return go(state.item + step);
}

export function start() {
  on("opened", show);
  on("drawing", () => {
    const image = state.images[state.item];
    if (!image || image.drawn === isDrawn()) return;
    image.drawn = isDrawn();
    show();
  });
}
