/** What `npm pack` would publish. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const MEGABYTE = 1_000_000;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

let packed: Packed;
let paths: string[];
beforeAll(() => {
  // Without scripts: `prepack` would build again under the tests that run the command.
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  [packed] = JSON.parse(text) as [Packed];
  paths = packed.files.map(({ path }) => path);
}, 300_000);

describe("the package", () => {
  it("is at most 6.5 MB", () => expect(packed.size).toBeLessThanOrEqual(6.5 * MEGABYTE));

  it.each([
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "bin/cms.cjs",
    "bin/load.cjs",
    "bundle/main.js",
    "bundle/package.json",
    "dist/index.d.ts",
    "dist/bridge/bridge.d.ts",
    "dist/bridge/bridge.js",
    "bundle/admin/bridge.js",
    "bundle/admin/bridge-frame.js",
    "docs/templates.md",
    "examples/starters/business/static/css/site.css",
    "examples/starters/blog/content/pages/home.yaml",
  ])("has %s", (path) => expect(paths).toContain(path));

  it("has no tests, sources, source maps, compiled code or generated pictures", () => {
    expect(
      paths.filter((path) => /^(test|src|bench|scripts|media\/(renditions|thumbnails))\/|\.(map|code)$/.test(path)),
    ).toEqual([]);
  });

  // npm warns of them, or asks for leave to run them.
  it("has no script that npm runs or asks about when it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
    const run = Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name));
    expect(run).toEqual([]);
  });

  it("has types that refer only to packages that it installs and that have types of their own", () => {
    expect(packagesOf(join(ROOT, "dist/index.d.ts"))).toEqual(["js-yaml", "sorted-btree"]);
  });
});

/** The packages that a declaration file and those it imports refer to. */
function packagesOf(entry: string): string[] {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const open = [entry];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      const target = join(dirname(file), name.replace(/\.[tj]s$/, ".d.ts"));
      if (name.startsWith(".")) expect([name, existsSync(target)]).toEqual([name, true]);
      if (name.startsWith(".")) open.push(target);
      else if (!name.startsWith("node:")) packages.add(name);
    }
  }
  return [...packages].sort();
}
