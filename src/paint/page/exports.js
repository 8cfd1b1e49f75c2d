// The mask as other programs take it, written beside it by the server.

import { post } from "./api.js";
import { ask, element } from "./dialogs.js";
import { state } from "./state.js";

const WORDS = {
  coco: "COCO (JSON)", yolo: "YOLO polygons", geojson: "GeoJSON", svg: "SVG outlines", npy: "NumPy array", nrrd: "NRRD (3D Slicer)",
  labelme: "labelme (JSON)", masks: "an image per label", voc: "PASCAL VOC (PNG)", overlay: "overlay (PNG)", cutout: "cut-out of the chosen label (PNG)",
};

// In object mode a mask has a history: finished objects, and strokes that change it near them only.
function commandWords() {
  return state.object ? "The command that cuts these strokes at once; its mask can differ a little" : "The command that makes the same mask";
}

export async function show() {
  const said = element("p", { class: "said", role: "status" });
  const write = async (kind) => {
    said.classList.remove("trouble");
    try {
      said.textContent = `written: ${(await post(`item/${state.item}/export`, { kind, label: state.label })).written}`;
    } catch (error) {
      said.classList.add("trouble");
      said.textContent = error.message;
    }
  };
  const buttons = [...state.exports, "overlay", "cutout"].map((kind) =>
    element("button", { type: "button", "data-kind": kind, onclick: () => write(kind) }, WORDS[kind] ?? kind));
  const command = element("code", {}, state.news.command);
  const copy = element("button", { type: "button", onclick: () => copyText(command, said) }, "Copy");
  await ask("Use the mask", [
    element("p", {}, `The mask is in ${state.images[state.item].name}-mask.png. For other programs, beside it:`),
    element("div", { class: "grid" }, ...buttons), said,
    ...(state.object > 1 ? [] : [element("p", {}, `${commandWords()}: `, copy), command]), // none makes finished objects
  ], [["", "Close"]]);
}

async function copyText(code, said) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = "copied";
  } catch {
    getSelection().selectAllChildren(code);
    said.textContent = "Ctrl-C copies it";
  }
}
