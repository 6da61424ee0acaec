/**
 * The cost of parsing and editing content files: `npm run build && node test/bench/codec.mjs [files]`.
 *
 * Compare ratios: absolute times depend on the machine.
 */

import { load } from "js-yaml";
import { parse, parseDocument } from "yaml";
import { encodeFile, decodeFile } from "../../dist/store/codec/codec.js";
import { stringifyYaml } from "../../dist/store/codec/yaml/yaml-print.js";
import { parseYaml } from "../../dist/store/codec/yaml/yaml.js";

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

/** Microseconds per item, the best of all rounds. */
function cost(work, items) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (const item of items) work(item);
    best = Math.min(best, ((performance.now() - start) * 1000) / items.length);
  }
  return best;
}

const rows = [
  ["parse, js-yaml", cost((text) => load(text), texts)],
  ["parse, parseYaml", cost((text) => parseYaml(text, "x.yaml"), texts)],
  ["parse, yaml", cost((text) => parse(text), texts)],
  ["print, stringifyYaml", cost(({ before }) => stringifyYaml(before.data), files)],
  ["edit, no change", cost(({ bytes, before }) => encodeFile("x.yaml", before, { bytes, before }), files)],
  ["edit, one title", cost(({ bytes, before, after }) => encodeFile("x.yaml", after, { bytes, before }), files)],
  [
    "edit, yaml Document",
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
    `${name.padEnd(24)} ${micros.toFixed(0).padStart(6)} µs per file  ${(micros / base).toFixed(2).padStart(6)} x js-yaml parse`,
  );
}
