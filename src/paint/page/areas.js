// Ambiguous regions, one after the other.

import { on, tell } from "./events.js";
import { nameOf, state } from "./state.js";
import { showBox } from "./view.js";

export function next() {
  const areas = state.news?.outcome.ambiguous ?? [];
  if (!areas.length) return tell("hint", "No ambiguous region is left.");
  state.area = (state.area + 1) % areas.length;
  const { box, label, runner_up: other } = areas[state.area];
  showBox(...box);
  tell("hint", `Ambiguous region ${state.area + 1} of ${areas.length}: ${nameOf(label)} or ${nameOf(other)}? Draw a stroke here.`);
  tell("look");
}

state.area = -1;
on("drawing", () => (state.area = -1));
