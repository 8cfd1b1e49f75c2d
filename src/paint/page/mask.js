// The mask on the screen. While tiles of a newer one arrive, those of the one before are shown.

import { on, tell } from "./events.js";
import { Tiles } from "./tiles.js";

export const photoTiles = new Tiles("photo", (data, width, height) => {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
});

function maskTiles() {
  return new Tiles("mask", (labels) => labels);
}

export const uncertaintyTiles = new Tiles("uncertainty", (values, width, height) => {
  const image = new ImageData(width, height);
  for (let i = 0; i < values.length; i++) image.data.set([255, 40, 140, values[i]], 4 * i);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
});

let isDown = false; // the pen
on("stroke", (down) => (isDown = down));

export const mask = { number: -1, shown: null, next: null, revision: -1, pen: false };

// Tiles of a newer mask take the place of the others when all that are on the screen are there.
export function settle(isComplete) {
  if (!mask.next) return;
  if (mask.shown?.tiles && !isComplete(mask.next.tiles)) return;
  mask.shown?.tiles?.clear();
  mask.shown = mask.next;
  mask.next = null;
  tell("settled");
}

function take(news) {
  if (!news) {
    mask.shown?.tiles?.clear();
    mask.next?.tiles.clear();
    Object.assign(mask, { number: -1, shown: null, next: null });
    photoTiles.clear();
    uncertaintyTiles.clear();
    for (const kind of ["photo", "mask"]) tell("tiles", kind);
    return;
  }
  const { number, mask: exists, revision, pen, rest } = news.outcome;
  if (number === mask.number || (pen && !isDown)) return; // of a stroke that is drawn by now, whose own mask is on its way
  mask.number = number;
  mask.next?.tiles.clear();
  mask.next = exists ? { tiles: maskTiles(), revision, pen, number, rest } : null;
  uncertaintyTiles.clear();
  if (!exists) {
    mask.shown?.tiles?.clear();
    mask.shown = { tiles: null, revision, pen, number };
    tell("settled");
  } else tell("newMask", mask.next.tiles); // asked for at once, not with the next frame
  tell("tiles", "mask");
}

on("news", take);
