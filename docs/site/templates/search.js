"use strict";
// The index is the payload of this page, which a build writes beside it.
const input = document.querySelector("input[name=q]");
const list = document.getElementById("found");
const count = document.getElementById("count");
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
const MOST = 40;
const AROUND = 70;

function scoreOf(section, words) {
  let score = 0;
  for (const word of words) {
    const places = [section.title, section.heading, section.text].map((text) => text.toLowerCase().indexOf(word));
    if (places.every((at) => at === -1)) return 0;
    score += (places[0] === -1 ? 0 : 8) + (places[1] === -1 ? 0 : 5) + (places[2] === -1 ? 0 : 1);
  }
  return score;
}

/** The text around the first word that is found, with all words marked. */
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at !== -1);
  const near = Math.max(0, Math.min(...places, text.length) - AROUND);
  const from = near === 0 ? 0 : text.indexOf(" ", near) + 1;
  const shown = document.createElement("p");
  const part = text.slice(from, from + 3 * AROUND).replace(/\s\S*$/, "");
  const pattern = new RegExp("(" + words.join("|") + ")", "giu");
  for (const [at, piece] of part.split(pattern).entries()) {
    const node = at % 2 === 1 ? document.createElement("mark") : document.createTextNode("");
    node.textContent = piece;
    shown.append(node);
  }
  if (from > 0) shown.prepend("… ");
  return shown;
}

function item(section, words) {
  const entry = document.createElement("li");
  const link = document.createElement("a");
  link.href = section.url;
  link.textContent = section.heading ? section.title + " › " + section.heading : section.title;
  entry.append(link, excerpt(section.text, words));
  return entry;
}

function show(sections) {
  const words = wordsOf(input.value);
  const found =
    words.length === 0
      ? []
      : sections.map((section) => [scoreOf(section, words), section]).filter(([score]) => score > 0);
  found.sort((a, b) => b[0] - a[0]);
  list.replaceChildren(...found.slice(0, MOST).map(([, section]) => item(section, words)));
  count.textContent =
    words.length === 0
      ? "Type what you look for."
      : found.length === 0
        ? "Nothing was found."
        : found.length + " found.";
}

async function start() {
  input.value = new URLSearchParams(location.search).get("q") || "";
  const answer = await fetch("index.json");
  const page = await (answer.ok ? answer : await fetch("/api/cms/pages-router/find/")).json();
  const sections = page.template_data.sections;
  input.addEventListener("input", () => {
    history.replaceState(null, "", "?q=" + encodeURIComponent(input.value));
    show(sections);
  });
  show(sections);
  input.focus();
}
start();
