"use strict";
// The panels: METHODS and ITEMS stand in the page before this script. Items: n name, k regions, w and h pixels,
// p image, s strokes, t truth, m per method {a accuracy, d mask} or {e why it failed}.
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
  function cell(parent, item, text, picture, value, cls) {
    var figure = element("figure", parent, undefined, "cell" + (cls ? " " + cls : ""));
    var box = element("div", figure);
    box.style.aspectRatio = item.w + " / " + item.h;
    if (cls !== "truth") box.style.backgroundImage = "url(" + item.p + ")";
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
    cell(cells, item, "image", item.s);
    cell(cells, item, "ground truth", item.t, undefined, "truth");
    item.m.forEach(function (m, i) {
      if (m.e !== undefined) {
        var box = cell(cells, item, METHODS[i], undefined, "failed");
        box.title = m.e;
      } else {
        cell(cells, item, METHODS[i], m.d, m.a.toFixed(3), m.a === best ? "top" : "");
      }
    });
  }
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
  strength.addEventListener("input", function () { list.style.setProperty("--strength", strength.value); });
  more.addEventListener("click", next);
  update();
  document.body.dataset.ready = "1";
}());
