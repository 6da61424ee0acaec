/** Which pages `nuxt generate` need not render again. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import type { SiteManifest } from "../../src/front-ends/client.ts";
import { keptOutput } from "../../src/front-ends/kept-output.ts";
import { emptyFolder } from "../cli/process.ts";

const PAGES = { "/": ["cms:/", "cms-pages:articles:en"], "/caf%C3%A9/": ["cms:/café/", "cms-menu:main:en"] };
const OTHER = { "/weather/": ["cms:/weather/", "$fetch:https://weather.example"] };

interface Build {
  readonly hashes: Readonly<Record<string, string>>;
  readonly epoch?: string;
  readonly program?: string;
}

/** Builds into a folder, as Nuxt would, and says which paths were rendered. */
function builder() {
  const [dir, output] = [emptyFolder(), emptyFolder()];
  const questions: Record<string, string[]> = { ...PAGES, ...OTHER };
  function build({ hashes, epoch = "1", program = "of today" }: Build): string[] {
    rmSync(output, { recursive: true });
    const urls = Object.entries(hashes).map(([path, hash]) => ({ path, hash }));
    const kept = keptOutput(dir, program, { urls, epoch } as unknown as SiteManifest);
    const rendered: string[] = [];
    for (const path of Object.keys(hashes).map(decodeURI)) {
      for (const file of ["index.html", "_payload.json"]) {
        const route = file === "index.html" ? path : path + file;
        if (kept.has(route)) continue;
        if (file === "index.html") rendered.push(path);
        const data = Object.fromEntries((questions[encodeURI(path)] ?? [`cms:${path}`]).map((key) => [key, 0]));
        const contents = JSON.stringify([{ data: 1 }, ["ShallowReactive", 2], data]);
        const fileName = path + file;
        mkdirSync(dirname(join(output, fileName)), { recursive: true });
        writeFileSync(join(output, fileName), contents);
        kept.add({ route: `${route}?1`, contents, skip: true });
        kept.add({ route, fileName, contents });
      }
    }
    kept.copy(output);
    return rendered;
  }
  return { build, output, dir };
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.\w+$/.test(path))
    .sort();

const ALL = { "/": "a", "/caf%C3%A9/": "b", "/about/": "c", "/weather/": "d" };

it.each<[string, Build, string[]]>([
  ["nothing", { hashes: ALL }, ["/weather/"]],
  ["a page", { hashes: { ...ALL, "/about/": "e" } }, ["/", "/about/", "/weather/"]],
  ["a page with a list", { hashes: { ...ALL, "/": "e" } }, ["/", "/weather/"]],
  ["one page more", { hashes: { ...ALL, "/new/": "e" } }, ["/", "/weather/", "/new/"]],
  ["menus or languages", { hashes: ALL, epoch: "2" }, ["/", "/café/", "/about/", "/weather/"]],
  ["the program", { hashes: ALL, program: "of tomorrow" }, ["/", "/café/", "/about/", "/weather/"]],
])("after a change of %s, these are rendered", (_what, second, expected) => {
  const { build, output, dir } = builder();
  expect(build({ hashes: ALL })).toEqual(["/", "/café/", "/about/", "/weather/"]);
  const first = filesOf(output);
  expect(build(second).sort()).toEqual([...expected].sort());
  expect(filesOf(output)).toEqual(expect.arrayContaining(first));
  expect(filesOf(dir)).not.toContain("weather/index.html");
});

it("a page that is gone is in neither folder, and one whose kept file is missing is rendered", () => {
  const { build, output, dir } = builder();
  build({ hashes: ALL });
  const { "/about/": _gone, ...rest } = ALL;
  build({ hashes: rest });
  expect([...filesOf(output), ...filesOf(dir)].filter((path) => path.startsWith("about"))).toEqual([]);
  rmSync(join(dir, "café/index.html"));
  expect(build({ hashes: rest })).toEqual(["/café/", "/weather/"]);
});
