// Areas that the strokes say too little about: one after the other.

import { on, tell } from "./events.js";
import { nameOf, state } from "./state.js";
import { showBox } from "./view.js";

export function next() {
  const areas = state.news?.outcome.ambiguous ?? [];
  if (!areas.length) return tell("hint", "No area is left of which the strokes say too little.");
  state.area = (state.area + 1) % areas.length;
  const { box, label, runner_up: other } = areas[state.area];
  showBox(...box);
  tell("hint", `Area ${state.area + 1} of ${areas.length}: ${nameOf(label)}, or rather ${nameOf(other)}? A stroke here decides.`);
  tell("look");
}

state.area = -1;
on("drawing", () => (state.area = -1));
