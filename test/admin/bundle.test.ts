/** The size of the editor as browsers load it, of the program that was built before the tests. */
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openAdminFiles } from "../../src/http/routes/admin.ts";

const BUNDLE = fileURLToPath(new URL("../../bundle/admin", import.meta.url));
const SETTINGS = { BASE_PATH: "", ADMIN: { ENABLE: true, PATH: "/admin/" }, PREVIEW: { SITES: [] } };
/** Compressed, in bytes. */
const MAX = 200_000;
/** What is loaded when a long text or YAML is seen. */
const TEXT_EDITORS = /^(?:markdown|yaml)-editor-/;

it("loads at most 200 kB, compressed, for all of its screens together until a text editor is seen", async () => {
  const { document, file } = await openAdminFiles(BUNDLE, {
    BASE_PATH: "",
    ADMIN: { ENABLE: true, PATH: "/admin/" },
    PREVIEW: { SITES: [] },
  });
  const names = new Set(namesIn(document.bytes, /"assets\/([^"]+)"/g));
  const textEditors = new Set<string>();
  for (const name of names) {
    const { bytes } = file(`assets/${name}`)!;
    // Static and dynamic imports.
    for (const imported of namesIn(bytes, /["'`]\.\/([\w-]+\.js)["'`]/g))
      (TEXT_EDITORS.test(imported) ? textEditors : names).add(imported);
  }
  expect([...textEditors].map((name) => name.replace(/-editor-.*/, "")).sort()).toEqual(["markdown", "yaml"]);
  const loaded = [...names].map((name) => file(`assets/${name}`)!);
  expect(loaded.filter(({ bytes }) => bytes.includes("cm-scroller"))).toEqual([]);
  expect(names.size).toBeGreaterThan(20);
  const sizes = await Promise.all([document, ...loaded].map(async (each) => (await each.compressed()).length));
  expect(Math.min(...sizes)).toBeGreaterThan(100);
  expect(sum(sizes)).toBeLessThanOrEqual(MAX);
});

it("has a bridge of at most 3 kB for visitors, and one of at most 5.1 kB in frames of the editor", async () => {
  const { file } = await openAdminFiles(BUNDLE, SETTINGS);
  expect(file("bridge.js")!.bytes.length).toBeLessThanOrEqual(3_000);
  expect(file("bridge-frame.js")!.bytes.length).toBeLessThanOrEqual(5_100);
});

const namesIn = (bytes: Buffer, pattern: RegExp): string[] =>
  [...bytes.toString().matchAll(pattern)].map(([, name = ""]) => name);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
