/**
 * Which layer may import which, checked on the import lines, so that ARCHITECTURE.md stays true.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** Folder under src -> folders it may import. `cli` and the files at the top are wiring and may import all. */
const MAY: Readonly<Record<string, readonly string[]>> = {
  model: ["model"],
  store: ["model", "store"],
  actions: ["model", "store", "plugins", "actions"],
  views: ["model", "store", "plugins", "views"],
  render: ["model", "store", "plugins", "views", "render"],
  images: ["model", "images"],
  schema: ["model", "store", "plugins", "schema"],
  plugins: ["model", "store", "plugins"],
  library: ["model", "store", "plugins", "actions", "views", "render", "library"],
  hooks: ["model", "store", "plugins", "views", "hooks"],
  http: ["model", "store", "plugins", "actions", "views", "render", "library", "hooks", "schema", "http"],
  import: ["model", "store", "plugins", "actions", "import"],
  "static-site": ["model", "store", "plugins", "actions", "views", "render", "library", "static-site"],
  // Run in the browser.
  admin: ["admin", "bridge"],
  bridge: ["bridge"],
  "site-search": ["site-search"],
  // Runs in the programs of front ends: it needs nothing of the service.
  "front-ends": ["front-ends"],
};
/** The floors of `store`, lowest first: a folder may import those above its row in this list, as the row says. */
const STORE_MAY: Readonly<Record<string, readonly string[]>> = {
  codec: [],
  maps: [],
  git: [],
  private: ["git"],
  records: ["codec", "maps"],
  cache: ["codec", "git", "maps", "records"],
  history: ["codec", "git"],
  merge: ["codec", "records"],
  content: ["cache", "codec", "git", "history", "maps", "records"],
  fork: ["cache", "codec", "content", "git", "history", "maps", "records"],
  write: ["cache", "codec", "content", "fork", "git", "history", "records"],
  watch: ["git", "write"],
  revisions: ["cache", "codec", "content", "history", "maps", "records", "write"],
  check: ["codec", "content", "records", "write"],
  sync: ["codec", "content", "git", "history", "merge", "private", "records"],
  access: ["content", "maps", "records", "write"],
};
/** Every folder of `store` may import these: the port to the repository, the content as one object, and threads. */
const OF_STORE = ["store/repo.ts", "store/snapshot.ts", "store/thread.ts"];

/** Rules that the editor and the search of built sites, in browsers, share with the server: they need nothing of Node. */
const FOR_BROWSERS = [
  "model/access/rule.ts",
  "model/address/heading-ids.ts",
  "model/address/schemes.ts",
  "model/fields/shown.ts",
  "model/input/json.ts",
  "model/merge/alignment.ts",
  "model/search/passages.ts",
  "model/search/query.ts",
  "model/search/words.ts",
  "model/fields/definition.ts",
  "model/input/json.ts",
  "model/records/block-icons.ts",
  "model/review/passage.ts",
  "model/text/markdown-links.ts",
  "model/text/trim.ts",
  "model/text/turndown-rules.ts",
];
const WIRING = ["cli/", "cms.ts", "index.ts"];

/** Every layer may import these; they import each other and little else. */
const LEAVES = [
  "errors.ts",
  "env.ts",
  "config.ts",
  "config/",
  "version.ts",
  "time-slices.ts",
  "memo.ts",
  "queue.ts",
  "import-module.ts",
];
const BELOW_LEAVES = [
  "model/input/json.ts",
  "model/time/instant.ts",
  "model/language/locale.ts",
  "model/input/closest.ts",
  "model/time/time-zone.ts",
  "model/front-matter/front-matter.ts",
  "model/front-matter/foreign-moment.ts",
  "model/front-matter/foreign-visibility.ts",
  "model/address/possible-names.ts",
  "model/text/check-rules.ts",
];
/** The configuration holds the plugins of a site, whose types are those of the model. */
const OF_CONFIG = ["plugins/plugin.ts", "plugins/read.ts", "plugins/extensions.ts"];

/** Package -> the one folder that may import it. */
const PACKAGES: Readonly<Record<string, string>> = { sharp: "images/", "isomorphic-git": "store/git/" };

const LINES_MAX = 404;

/** Files by their path below src. */
type Sources = ReadonlyMap<string, string>;

/** One message per violation. */
function violations(sources: Sources): string[] {
  const imports = new Map([...sources].map(([path, text]) => [path, importsOf(path, text)]));
  return [
    ...[...imports].flatMap(([path, targets]) => targets.flatMap((target) => complaint(path, target, sources) ?? [])),
    ...cycles(imports),
    ...[...sources]
      .filter(([, text]) => linesOf(text) > LINES_MAX)
      .map(([path, text]) => `${path} has ${linesOf(text)} lines`),
  ];
}

/** Types of records and payloads, which the editor has from those who serve them: types are not loaded. */
const SERVED_TYPES = /^import type\b[^;]*"(?:\.\.\/)+(?:model\/[^"]+|library\/payloads\.ts)";/gm;

/** The imports of a file, of any form: paths below src, and package names. */
function importsOf(path: string, source: string): string[] {
  const text = path.startsWith("admin/") ? source.replaceAll(SERVED_TYPES, "") : source;
  const found = [
    ...text.matchAll(/^(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']/gm),
    ...text.matchAll(/^import\s*["']([^"']+)["']/gm),
    ...text.matchAll(/\b(?:import|require|createRequire)\s*\(\s*["'`]([^"'`]+)["'`]/g),
  ].map((match) => match[1]!);
  return found.map((name) => (name.startsWith(".") ? posix.join(posix.dirname(path), name) : name));
}

function complaint(path: string, target: string, sources: Sources): string | undefined {
  const owner = Object.entries(PACKAGES).find(([name]) => target === name || target.startsWith(`${name}/`))?.[1];
  if (owner) return path.startsWith(owner) ? undefined : `${path} imports ${target}, which only ${owner} may`;
  if (!sources.has(target)) return target.startsWith("..") ? `${path} imports ${target}, outside of src` : undefined;
  return mayImport(path, target) ? undefined : `${path} imports ${target}`;
}

function mayImport(path: string, target: string): boolean {
  if (isIn(path, WIRING)) return true;
  if (["admin", "site-search"].includes(folderOf(path)) && FOR_BROWSERS.includes(target)) return true;
  if (isIn(target, LEAVES)) return true;
  if (path === "config.ts" && OF_CONFIG.includes(target)) return true;
  if (isIn(path, LEAVES)) return BELOW_LEAVES.includes(target);
  if (folderOf(path) === "store" && folderOf(target) === "store") return mayWithinStore(path, target);
  return MAY[folderOf(path)]?.includes(folderOf(target)) ?? false;
}

function mayWithinStore(path: string, target: string): boolean {
  const [from = "", to = ""] = [path, target].map((each) => each.split("/")[1]);
  return (
    from === to ||
    isIn(path, OF_STORE) ||
    isIn(target, OF_STORE) ||
    (STORE_MAY[from]?.includes(to) ?? from.endsWith(".ts"))
  );
}

const isIn = (path: string, places: readonly string[]): boolean =>
  places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));

const folderOf = (path: string): string => path.slice(0, path.indexOf("/"));

const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

/** Import cycles, each once, as a path. */
function cycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.push(`${[...way.slice(at), path].join(" -> ")} goes in a circle`);
    if (at >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

function readSources(): Sources {
  const src = fileURLToPath(new URL("../src/", import.meta.url));
  const paths = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  return new Map(paths.map((path) => [path.replaceAll("\\", "/"), readFileSync(join(src, path), "utf8")]));
}

describe("the layers", () => {
  const sources = readSources();

  it("import downwards only, without cycles, in files of limited length", () => {
    expect(violations(sources)).toEqual([]);
  });

  it("contain every file", () => {
    const homeless = [...sources.keys()].filter(
      (path) => !isIn(path, [...WIRING, ...LEAVES]) && !(folderOf(path) in MAY),
    );
    expect(homeless).toEqual([]);
  });
});

/** Values and types are told apart: types are not loaded. */
it("loads neither h3 nor a module of it, nor chokidar, at the start of a server", () => {
  const sources = readSources();
  const loaded = new Set(["cli/serve/run-server.ts"]);
  for (const path of loaded) {
    const text = (sources.get(path) ?? "")
      .replaceAll(/^(?:import|export) type\b[^;]*;/gm, "")
      .replaceAll(/\bimport\(/g, "");
    for (const target of importsOf(path, text)) loaded.add(target);
  }
  expect(loaded).toContain("http/socket/direct.ts");
  expect([...loaded].filter((path) => path === "h3" || path === "chokidar" || path === "http/app/h3-app.ts")).toEqual(
    [],
  );
});

describe("the check itself", () => {
  const tree = (files: Record<string, string>): Sources =>
    new Map(
      Object.entries({
        "model/page.ts": "",
        "store/store.ts": "",
        "actions/pages.ts": "",
        "views/page.ts": "",
        "errors.ts": "",
        "store/content/load.ts": "",
        "store/write/batch.ts": "",
        ...files,
      }),
    );

  it.each([
    ["model/bad.ts", 'import { openStore } from "../store/store.ts";', "store/store.ts"],
    ["model/bad.ts", 'import type { Store } from "../store/store.ts";', "store/store.ts"],
    ["store/bad.ts", 'export { readPage } from "../views/page.ts";', "views/page.ts"],
    ["actions/bad.ts", 'import {\n  payload,\n} from "../views/page.ts";', "views/page.ts"],
    ["views/bad.ts", 'const later = () => import("../actions/pages.ts");', "actions/pages.ts"],
    ["images/bad.ts", 'import "../store/store.ts";', "store/store.ts"],
    ["store/codec/bad.ts", 'import { load } from "../content/load.ts";', "store/content/load.ts"],
    ["store/content/bad.ts", 'import { commit } from "../write/batch.ts";', "store/write/batch.ts"],
    ["admin/bad.ts", 'import { Page } from "../model/page.ts";', "model/page.ts"],
    ["env.ts", 'import { Page } from "./model/page.ts";', "model/page.ts"],
    ["nowhere/bad.ts", 'import { Page } from "../model/page.ts";', "model/page.ts"],
  ])("%s may not: %s", (path, text, target) => {
    expect(violations(tree({ [path]: text }))).toEqual([`${path} imports ${target}`]);
  });

  it.each([
    ["store/fine.ts", 'import type { Page } from "../model/page.ts";'],
    ["model/fine.ts", 'import { CmsError } from "../errors.ts";\nimport { createHash } from "node:crypto";'],
    ["cms.ts", 'import { read } from "./views/page.ts";\nimport { create } from "./actions/pages.ts";'],
    ["cli/fine.ts", 'const { read } = await import("../views/page.ts");'],
    ["images/probe.ts", 'import sharp from "sharp";'],
    ["admin/fine.ts", 'import type { Page } from "../model/page.ts";'],
  ])("%s may: %s", (path, text) => {
    expect(violations(tree({ [path]: text }))).toEqual([]);
  });

  it("checks the folders that may import a package", () => {
    const sources = tree({
      "http/bad.ts": 'import sharp from "sharp";',
      "store/bad.ts": 'import git from "isomorphic-git";',
    });
    expect(violations(sources)).toEqual([
      "http/bad.ts imports sharp, which only images/ may",
      "store/bad.ts imports isomorphic-git, which only store/git/ may",
    ]);
  });

  it("finds a cycle, also of types", () => {
    const sources = tree({
      "model/a.ts": 'import { b } from "./b.ts";',
      "model/b.ts": 'import type { A } from "./a.ts";',
    });
    expect(violations(sources)).toEqual(["model/a.ts -> model/b.ts -> model/a.ts goes in a circle"]);
  });

  it("finds a file that is too long", () => {
    expect(violations(tree({ "model/long.ts": "//\n".repeat(LINES_MAX + 1) }))).toEqual([
      `model/long.ts has ${LINES_MAX + 1} lines`,
    ]);
    expect(violations(tree({ "model/long.ts": "//\n".repeat(LINES_MAX) }))).toEqual([]);
  });
});
