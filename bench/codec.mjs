/**
 * What reading and editing content files costs: `npm run build && node bench/codec.mjs [files]`.
 *
 * Ratios are what counts: they hold across machines, milliseconds do not.
 */

import { load } from "js-yaml";
import { parse, parseDocument } from "yaml";
import { encodeFile, decodeFile } from "../dist/store/codec.js";
import { parseYaml, stringifyYaml } from "../dist/store/codec/yaml.js";

const FILES = Number(process.argv[2] ?? 2000);
const ROUNDS = 5;

const page = (id) => ({
  id,
  template: "page.html",
  translations: Object.fromEntries(
    ["en", "it", "de"].map((lang) => [
      lang,
      {
        title: `Page ${id}: in ${lang}`,
        permalink: `/${lang}/page-${id}/`,
        published_at: "2024-01-01T10:00:00.000Z",
        template_data: { body: `First line of ${id}.\n\nSecond, with "quotes" and #hash.\n`, tags: ["a", "b", lang] },
      },
    ]),
  ),
  aliases: [`/old-${id}/`],
});

const texts = Array.from({ length: FILES }, (_, id) => `# page ${id}\n${stringifyYaml(page(id))}`);
const files = texts.map((text) => {
  const bytes = new TextEncoder().encode(text);
  const before = decodeFile("x.yaml", bytes);
  const after = structuredClone(before);
  after.data.translations.it.title += " (changed)";
  return { bytes, before, after };
});

/** Microseconds a file, the best of some rounds. */
function cost(each, over) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const begun = performance.now();
    for (const item of over) each(item);
    best = Math.min(best, ((performance.now() - begun) * 1000) / over.length);
  }
  return best;
}

const rows = [
  ["read, js-yaml", cost((text) => load(text), texts)],
  ["read, parseYaml", cost((text) => parseYaml(text, "x.yaml"), texts)],
  ["read, yaml", cost((text) => parse(text), texts)],
  ["write, stringifyYaml", cost(({ before }) => stringifyYaml(before.data), files)],
  ["edit, nothing changed", cost(({ bytes, before }) => encodeFile("x.yaml", before, { bytes, before }), files)],
  ["edit, one title", cost(({ bytes, before, after }) => encodeFile("x.yaml", after, { bytes, before }), files)],
  [
    "edit, yaml's Document",
    cost(({ bytes }) => {
      const document = parseDocument(new TextDecoder().decode(bytes));
      document.setIn(["translations", "it", "title"], "changed");
      document.toString({ lineWidth: 0 });
    }, files),
  ],
];

const base = rows[0][1];
console.log(
  `${FILES} files of ${Math.round(texts.reduce((sum, text) => sum + text.length, 0) / FILES)} characters, best of ${ROUNDS}`,
);
for (const [name, micros] of rows) {
  console.log(
    `${name.padEnd(24)} ${micros.toFixed(0).padStart(6)} µs a file  ${(micros / base).toFixed(2).padStart(6)} x js-yaml's read`,
  );
}
