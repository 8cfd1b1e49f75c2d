// The mask on the screen. While tiles of a newer one arrive, those of the one before are shown.

import { rgb, state } from "./state.js";
import { on, tell } from "./events.js";
import { Tiles } from "./tiles.js";

export const photoTiles = new Tiles("photo", (data, width, height) => {
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  return canvas;
});

// Lines between pixels of different labels, runs joined, in pixels of the tile.
function outlineOf(labels, width, height) {
  const path = new Path2D();
  for (let y = 1; y < height; y++) {
    for (let x = 0, from = -1; x <= width; x++) {
      const differs = x < width && labels[y * width + x] !== labels[(y - 1) * width + x];
      if (differs && from < 0) from = x;
      if (!differs && from >= 0) {
        path.moveTo(from, y);
        path.lineTo(x, y);
        from = -1;
      }
    }
  }
  for (let x = 1; x < width; x++) {
    for (let y = 0, from = -1; y <= height; y++) {
      const differs = y < height && labels[y * width + x] !== labels[y * width + x - 1];
      if (differs && from < 0) from = y;
      if (!differs && from >= 0) {
        path.moveTo(x, from);
        path.lineTo(x, y);
        from = -1;
      }
    }
  }
  return path;
}

function tintOf(labels, width, height) {
  const colours = new Uint32Array(256);
  const bytes = new Uint8Array(colours.buffer);
  for (let label = 1; label < 255; label++) {
    if (!state.hidden.has(label)) bytes.set([...rgb(label), 255], 4 * label);
  }
  const image = new ImageData(width, height), pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = colours[labels[i]];
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

function maskTiles() {
  return new Tiles("mask", (labels, width, height) => ({ labels, outline: outlineOf(labels, width, height), tint: tintOf(labels, width, height) }));
}

export const uncertaintyTiles = new Tiles("uncertainty", (values, width, height) => {
  const image = new ImageData(width, height);
  for (let i = 0; i < values.length; i++) image.data.set([255, 40, 140, values[i]], 4 * i);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
});

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
    return tell("tiles");
  }
  const { number, mask: exists, revision, pen } = news.outcome;
  if (number === mask.number) return;
  mask.number = number;
  mask.next?.tiles.clear();
  mask.next = exists ? { tiles: maskTiles(), revision, pen, number } : null;
  uncertaintyTiles.clear();
  if (!exists) {
    mask.shown?.tiles?.clear();
    mask.shown = { tiles: null, revision, pen, number };
    tell("settled");
  } else tell("newMask", mask.next.tiles); // asked for at once, not with the next frame
  tell("tiles");
}

// Colours and hidden labels are part of the tint.
function repaint() {
  for (const { tiles } of [mask.shown, mask.next].filter((one) => one?.tiles))
    for (const tile of tiles.kept.values()) tile.tint = tintOf(tile.labels, tile.tint.width, tile.tint.height);
  tell("tiles");
}

on("news", take);
on("labels", repaint);
