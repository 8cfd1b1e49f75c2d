"use strict";
// The panels: METHODS and ITEMS stand in the page before this script. Items: n name, k regions, w and h pixels,
// f name in addresses, s whether there are strokes, m per method {a accuracy, r what it ran} or {e why it failed}.
// Pictures are the files of the folder.
(function () {
  var PAGE = 24;
  var by = document.getElementById("by"), order = document.getElementById("order"), k = document.getElementById("k");
  var least = document.getElementById("least"), most = document.getElementById("most");
  var name = document.getElementById("name"), strength = document.getElementById("strength");
  var list = document.getElementById("items"), count = document.getElementById("count"), more = document.getElementById("more");
  var shown = [], drawn = 0;

  function option(select, value, text) {
    var o = document.createElement("option");
    o.value = value;
    o.textContent = text;
    select.appendChild(o);
  }
  METHODS.forEach(function (m, i) { option(by, i, m); });
  option(by, "mean", "mean of all");
  by.value = String(METHODS.length - 1);
  ITEMS.map(function (i) { return i.k; }).filter(function (v, i, a) { return a.indexOf(v) === i; })
    .sort(function (a, b) { return a - b; }).forEach(function (v) { option(k, v, v); });

  // A method that failed counts as 0: what fails is looked at first.
  function accuracy(item) {
    function of(m) { return m.e === undefined ? m.a : 0; }
    if (by.value !== "mean") return of(item.m[+by.value]);
    return item.m.reduce(function (sum, m) { return sum + of(m); }, 0) / item.m.length;
  }
  function element(tag, parent, text, cls) {
    var e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (cls) e.className = cls;
    parent.appendChild(e);
    return e;
  }
  function file(folder, item) { return folder + "/" + item.f + ".png"; }
  function mask(i, item) { return file("masks/" + encodeURIComponent(METHODS[i]), item); }
  // place: what the full view shows first, as in SHOWN
  function cell(parent, item, text, picture, value, cls, place) {
    var figure = element("figure", parent, undefined, "cell" + (cls ? " " + cls : ""));
    var box = element("button", figure, undefined, "picture");
    box.type = "button";
    box.setAttribute("aria-label", text + " of " + item.n + ": open the full view");
    box.addEventListener("click", function () { open(item, place, box); });
    box.style.aspectRatio = item.w + " / " + item.h;
    if (cls !== "truth") box.style.backgroundImage = 'url("photos/' + item.f + '.jpg")';
    if (picture) {
      var img = element("img", box);
      img.loading = "lazy";
      img.alt = text + " of " + item.n;
      img.src = picture;
    }
    var caption = element("figcaption", figure);
    element("span", caption, text);
    if (value !== undefined) element("b", caption, value);
    return box;
  }
  function draw(item) {
    var best = Math.max.apply(null, item.m.map(function (m) { return m.e === undefined ? m.a : -1; }));
    var article = element("article", list, undefined, "item");
    article.dataset.name = item.n;
    var head = element("h3", article, item.n + " ");
    element("span", head, item.w + " x " + item.h + ", " + item.k + " regions");
    var cells = element("div", article, undefined, "cells");
    cell(cells, item, "image", item.s && file("masks/scribbles", item), undefined, "strokes", 0);
    cell(cells, item, "ground truth", file("masks/truth", item), undefined, "truth", 1);
    item.m.forEach(function (m, i) {
      if (m.e !== undefined) {
        cell(cells, item, METHODS[i], undefined, "failed", "", 2 + i).title = m.e;
      } else {
        var box = cell(cells, item, METHODS[i], mask(i, item), m.a.toFixed(3), m.a === best ? "top" : "", 2 + i);
        if (m.r) box.title = METHODS[i] + " ran " + m.r;
      }
    });
  }
  // The full view: an image, over it the truth or a mask, what the mask has wrong, the strokes.
  var view = document.getElementById("view"), stage = document.getElementById("stage"), at = 0, place = 0, from = null;
  var title = document.getElementById("title"), facts = document.getElementById("facts");
  var what = document.getElementById("what"), difference = document.getElementById("difference");
  var strokes = document.getElementById("strokes");
  ["image", "ground truth"].concat(METHODS).forEach(function (m, i) { option(what, i, m); });
  function layer(cls, file, alt, parent) {
    var img = element("img", parent || stage, undefined, cls);
    img.alt = alt;
    img.addEventListener("error", function () { img.remove(); });
    img.src = file;
  }
  function show() {
    var item = shown[at], m = place < 2 ? undefined : item.m[place - 2];
    var failed = m !== undefined && m.e !== undefined;
    stage.textContent = "";
    stage.style.aspectRatio = item.w + " / " + item.h;
    stage.style.setProperty("--shape", item.w / item.h);
    layer("photo", "photos/" + item.f + ".jpg", "image " + item.n);
    if (place === 1) layer("mask", file("masks/truth", item), "ground truth");
    if (m && !failed) {
      layer("mask", mask(place - 2, item), "mask of " + METHODS[place - 2]);
      if (difference.checked) { // the filter of "ink" shows what is not black
        var both = element("div", stage, undefined, "ink");
        layer("", mask(place - 2, item), "pixels that differ from the ground truth", both);
        layer("", file("masks/truth", item), "", both);
      }
    }
    if (strokes.checked && item.s) layer("ink", file("masks/scribbles", item), "strokes");
    what.value = String(place);
    title.textContent = item.n;
    facts.textContent = (at + 1) + " of " + shown.length + ", " + item.w + " x " + item.h + ", " + item.k + " regions" +
      (failed ? ", failed: " + m.e : m ? ", accuracy " + m.a.toFixed(4) + (m.r ? ", ran " + m.r : "") : "");
  }
  function open(item, where, box) {
    at = shown.indexOf(item);
    place = where;
    from = box;
    show();
    view.showModal();
  }
  function go(images, places) {
    var kinds = 2 + METHODS.length;
    at = (at + images + shown.length) % shown.length;
    place = (place + places + kinds) % kinds;
    show();
  }
  view.addEventListener("close", function () { if (from && from.isConnected) from.focus(); });
  document.getElementById("previous").addEventListener("click", function () { go(-1, 0); });
  document.getElementById("following").addEventListener("click", function () { go(1, 0); });
  document.getElementById("shut").addEventListener("click", function () { view.close(); });
  what.addEventListener("change", function () { place = +what.value; show(); });
  [difference, strokes].forEach(function (e) { e.addEventListener("change", show); });
  view.addEventListener("keydown", function (event) {
    var digit = "1234567890".indexOf(event.key);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "ArrowLeft") go(-1, 0);
    else if (event.key === "ArrowRight") go(1, 0);
    else if (event.key === "ArrowUp") go(0, -1);
    else if (event.key === "ArrowDown") go(0, 1);
    else if (digit >= 0 && digit < 2 + METHODS.length) { place = digit; show(); }
    else if (event.key === "d" || event.key === "D") { difference.checked = !difference.checked; show(); }
    else if (event.key === "s" || event.key === "S") { strokes.checked = !strokes.checked; show(); }
    else return;
    event.preventDefault();
  });
  function next() {
    shown.slice(drawn, drawn + PAGE).forEach(draw);
    drawn = Math.min(shown.length, drawn + PAGE);
    more.hidden = drawn === shown.length;
    count.textContent = shown.length + " of " + ITEMS.length + " images";
  }
  function update() {
    var low = least.value === "" ? 0 : +least.value, high = most.value === "" ? 1 : +most.value;
    var text = name.value.toLowerCase(), sign = order.value === "best" ? -1 : 1;
    shown = ITEMS.filter(function (item) {
      var a = accuracy(item);
      return a >= low && a <= high && (k.value === "" || item.k === +k.value) && item.n.toLowerCase().indexOf(text) >= 0;
    });
    shown.sort(function (a, b) {
      var d = order.value === "name" ? 0 : sign * (accuracy(a) - accuracy(b));
      return d || (a.n < b.n ? -1 : a.n > b.n ? 1 : 0);
    });
    list.textContent = "";
    drawn = 0;
    next();
  }
  [by, order, k].forEach(function (e) { e.addEventListener("change", update); });
  [least, most, name].forEach(function (e) { e.addEventListener("input", update); });
  [strength, document.getElementById("opacity")].forEach(function (e, i, both) {
    e.addEventListener("input", function () {
      both[1 - i].value = e.value;
      document.body.style.setProperty("--strength", e.value);
    });
  });
  more.addEventListener("click", next);
  update();
  document.body.dataset.ready = "1";
}());
