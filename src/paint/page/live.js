// The talk with the server about the shown image: edits in their order, the stroke under the pen, and news.

import { get, post, Refusal } from "./api.js";
import { apply, drawing, load } from "./drawing.js";
import { tell } from "./events.js";
import { state } from "./state.js";

let waiting = []; // edits that the server has not confirmed, of any image: { edit, item, revision that it follows }
let sending = false;
let listening = null; // the request for news of the shown image, to be given up

// What stays unsent is tried again: the server may have been started anew.
const AGAIN = 1500;

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

// Edits that come while another one is awaited that goes before them, and {enter} for a further one to await. hold() gives a
// function to call with it, or with null: then they are dropped, since they were drawn for what does not come.
let held = null;

export function heldEdits() {
  return held ?? [];
}

export function hold() {
  held = [];
  tell("unsaved");
  return (first) => {
    const all = first ? [first, ...held] : [];
    held = null;
    for (const edit of all) commit(edit);
    if (isSent()) tell("sent");
  };
}

export async function open(item) {
  while (held) await pause(20);
  listening?.abort();
  state.item = item;
  state.ready = false;
  state.news = null;
  tell("news", null);
  while (waiting.some((one) => one.item === item)) await pause(20); // what was drawn before is part of what is loaded
  if (state.item !== item) return;
  const loaded = await get(`item/${item}`);
  if (state.item !== item) return;
  state.ready = true;
  load(loaded);
  state.labels = (await get("state")).labels;
  tell("labels");
  tell("opened");
  if (loaded.remark) tell("trouble", loaded.remark);
  listen(item);
}

// The acts and the labels as the server has them.
async function take(item, loaded) {
  if (loaded.photo !== drawing.photo) { // the file has another image than was shown
    drop(item);
    await open(item);
    if (loaded.remark) tell("trouble", loaded.remark);
    return;
  }
  const { labels } = await get("state");
  if (state.item !== item) return;
  state.labels = labels;
  load(loaded);
  tell("labels");
}

async function reload() {
  drop(state.item);
  await take(state.item, await get(`item/${state.item}`));
}

// Whether the server has the edit, and only its answer was lost.
function isTaken(loaded, { edit, revision }) {
  if (loaded.revision !== revision + 1) return false;
  return edit.undo || edit.redo || JSON.stringify(loaded.acts[loaded.at - 1]) === JSON.stringify(plain(edit));
}

// The server is somewhere else than the page: what stands behind an edit that it has goes on from there.
async function catchUp(first, status) {
  const loaded = state.item === first.item ? await get(`item/${first.item}`).catch(() => null) : null;
  if (!loaded || state.item !== first.item) return drop(first.item);
  if (status === 409 && isTaken(loaded, first)) waiting.shift();
  else drop(first.item);
  await take(first.item, loaded);
  for (const { edit, item } of waiting) if (item === first.item) apply(edit);
}

// An edit without what only the page keeps.
function plain({ path, paths, ...edit }) {
  return edit;
}

function drop(item) {
  waiting = waiting.filter((one) => one.item !== item);
}

export function commit(edit) {
  if (!state.ready) return; // nothing is shown that could be drawn on
  if (held) return held.push(edit);
  if (edit.enter) return tell("enter");
  const ahead = waiting.filter((one) => one.item === state.item).length;
  waiting.push({ edit, item: state.item, revision: drawing.revision + ahead });
  asked = 0; // the server forgets the pen
  send(); // before the page is drawn anew, which takes as long as the server needs for a good part of the mask
  apply(edit);
  tell("unsaved");
}

async function send() {
  if (sending) return;
  sending = true;
  while (waiting.length) {
    const first = waiting[0];
    try {
      const { revision } = await post(`item/${first.item}/edit`, { revision: first.revision, edit: plain(first.edit) }, true);
      if (waiting[0] === first) waiting.shift();
      if (state.ready && state.item === first.item) drawing.revision = revision; // another image may be shown by now
      tell("trouble", "");
    } catch (error) {
      if (error instanceof Refusal) {
        if (error.status !== 409) tell("trouble", error.message);
        await catchUp(first, error.status);
      } else {
        tell("trouble", "The server does not answer. New strokes are sent when it answers again; they are lost if segment paint has ended.");
        await pause(AGAIN);
      }
    }
  }
  sending = false;
  tell("sent");
}

export function isSent() {
  return waiting.length === 0 && !held;
}

// The server has what is drawn, whatever is held.
export function isKnown() {
  return waiting.length === 0;
}

// One stroke under the pen at a time: the next goes out when its mask is here.
let asked = 0;

export function showPen(stroke) {
  if (!state.ready || held || waiting.length || (asked && performance.now() - asked < 2000)) return;
  asked = performance.now();
  post(`item/${state.item}/pen`, { revision: drawing.revision, stroke }).catch(() => (asked = 0));
}

export function liftPen() {
  asked = 0;
  post(`item/${state.item}/pen`, { revision: drawing.revision }).catch(() => {});
}

export function penLanded() {
  asked = 0;
}

async function listen(item) {
  const giveUp = (listening = new AbortController());
  let after = 0;
  while (!giveUp.signal.aborted) {
    try {
      const news = await get(`item/${item}/news?after=${after}`, giveUp.signal);
      if (giveUp.signal.aborted) return;
      after = news.news;
      const isBehind = news.open && (news.photo !== drawing.photo || (news.revision > drawing.revision && isKnown())); // an edit of another page, or of this one's last moment
      if ((!news.open && !news.ending) || isBehind) await reload();
      if (giveUp.signal.aborted) return;
      if (news.outcome.pen) asked = 0;
      state.news = news;
      tell("news", news);
      if (news.ending) await pause(AGAIN);
    } catch (error) {
      if (giveUp.signal.aborted) return;
      tell("trouble", error instanceof Refusal ? error.message : "The server does not answer. Start segment paint again; saved strokes are kept.");
      await pause(AGAIN);
    }
  }
}
