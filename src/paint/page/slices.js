// Which slice of a volume is shown: a slider, with a mark at each slice that has strokes.

import { element } from "./dialogs.js";
import { drawing, isVolume, sliceOf, visible } from "./drawing.js";
import { on } from "./events.js";
import { PER_PIXEL, state } from "./state.js";
import { showSlice } from "./view.js";

const line = document.getElementById("slices"), [slider, marks, number] = line.children;

// The slices with strokes, or with marks of scribbles that were loaded; the first is 1.
function marked() {
  const slices = new Set();
  for (const { index, stroke } of visible()) {
    if (stroke?.label) slices.add(1 + sliceOf(stroke.points[1] / PER_PIXEL));
    const runs = drawing.acts[index].base ?? [];
    for (let i = 0; i < runs.length; i += 3) if (runs[i]) slices.add(1 + sliceOf(Math.floor(runs[i + 1] / drawing.width)));
  }
  return slices;
}

function update() {
  line.hidden = !isVolume();
  slider.max = drawing.slices;
  slider.value = state.slice + 1;
  number.textContent = `slice ${state.slice + 1} of ${drawing.slices}`;
}

function mark() {
  if (isVolume()) marks.replaceChildren(...[...marked()].map((value) => element("option", { value })));
}

export function start() {
  slider.addEventListener("input", () => showSlice(Number(slider.value) - 1));
  on("opened", () => {
    state.slice = Math.floor((drawing.slices - 1) / 2);
    update();
    mark();
  });
  on("view", update);
  on("drawing", mark);
}
