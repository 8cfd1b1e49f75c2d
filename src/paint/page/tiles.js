// Tiles of the image, of the mask and of the uncertainty, asked for when they are needed and kept while they may be.

import { bytes } from "./api.js";
import { drawing } from "./drawing.js";
import { tell } from "./events.js";

const MOST = 160; // tiles of each kind in memory, of a megabyte each

export class Tiles {
  // `make` gets the bytes, width and height of a tile, and gives what is drawn.
  constructor(kind, make) {
    this.kind = kind;
    this.make = make;
    this.clear();
  }

  clear() {
    this.giveUp?.abort();
    this.giveUp = new AbortController();
    this.kept = new Map();
    this.pending = new Set();
  }

  size(level, column, row) {
    const width = Math.ceil(drawing.width / 2 ** level), height = Math.ceil(drawing.height / 2 ** level);
    return [Math.min(drawing.tile, width - column * drawing.tile), Math.min(drawing.tile, height - row * drawing.tile)];
  }

  // The tile, or undefined: it is on its way then.
  at(item, level, column, row) {
    const key = `${level}/${column}/${row}`, tile = this.kept.get(key);
    if (tile) {
      this.kept.delete(key); // used last
      this.kept.set(key, tile);
    } else if (!this.pending.has(key)) {
      this.pending.add(key);
      this.fetch(item, key, this.size(level, column, row), this.giveUp.signal);
    }
    return tile;
  }

  async fetch(item, key, [width, height], signal) {
    try {
      const data = await bytes(`item/${item}/${this.kind}/${key}`, signal);
      if (signal.aborted) return;
      this.kept.set(key, this.make(data, width, height));
      if (this.kept.size > MOST) this.kept.delete(this.kept.keys().next().value);
    } catch {
      if (signal.aborted) return;
    }
    this.pending.delete(key);
    tell("tiles", this.kind);
  }
}

// The tiles of a level that lie in a part of the image: [column, row].
export function* tilesIn(level, left, top, right, bottom) {
  const side = drawing.tile * 2 ** level;
  const columns = Math.ceil(drawing.width / side), rows = Math.ceil(drawing.height / side);
  for (let row = Math.max(0, Math.floor(top / side)); row < Math.min(rows, bottom / side); row++)
    for (let column = Math.max(0, Math.floor(left / side)); column < Math.min(columns, right / side); column++) yield [column, row];
}
