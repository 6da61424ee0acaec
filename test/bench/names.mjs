/**
 * The load of 10,000 pages that name their parent, picture and tags (`/a-page`, `hero.jpg`, `Sourdough`), compared with the
 * same pages by ids: from nothing, and from the content cache. Each load is in a process of its own, in turns.
 *
 *   npm run -s build && node test/bench/names.mjs [pages] [rounds]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./timing.mjs";

const [pages = 10_000, rounds = 5] = process.argv.slice(2).map(Number);
const TAGS = 50;
const PICTURES = 50;
const PER_FOLDER = 500;
const GIT_ENV = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

const LOAD = `
import { performance } from "node:perf_hooks";
import { openCms } from ${JSON.stringify(new URL("../../dist/cms.js", import.meta.url).href)};
import { silentLog, systemEnv } from ${JSON.stringify(new URL("../../dist/env.js", import.meta.url).href)};
const [root, expected] = process.argv.slice(-2);
const start = performance.now();
const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
const ms = performance.now() - start;
const { problems } = cms.store.current;
if (problems.length > 0) throw new Error(problems[0].path + ": " + problems[0].message);
const page = await cms.pages.get(Number(expected));
if (!JSON.stringify(page.parent_page).includes("100")) throw new Error("the reference is not resolved");
await cms.close();
console.log(ms);
`;

function makeSite(dir, byName) {
  const put = (path, content) => {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  put("cms.config.yaml", "LANGUAGE_CODE: en\nLANGUAGES: { en: English }\nMEDIA: { RENDITIONS: { ENABLE: false } }\n");
  for (let n = 0; n < TAGS; n++)
    put(`content/tags/tag-${n}.yaml`, `id: ${n + 1}\ntranslations:\n  en: { name: Subject ${n} }\n`);
  for (let n = 0; n < PICTURES; n++) {
    put(`media/picture-${n}.txt`, `${n}`);
    put(`content/media/picture-${n}.txt.yaml`, `id: ${n + 1}\ncreated: 2026-01-01T00:00:00.000Z\n`);
  }
  for (let n = 0; n < pages; n++) {
    const parent = n < 100 ? undefined : n % 100;
    const references = byName
      ? [parent === undefined ? "" : `parent_page: /page-${parent}\n`, `og_image: picture-${n % PICTURES}.txt\n`]
      : [parent === undefined ? "" : `parent_page: ${100 + parent}\n`, `og_image: ${(n % PICTURES) + 1}\n`];
    const text = "Some words about it, of some length. ".repeat(6).trim();
    put(
      `content/pages/${Math.floor(n / PER_FOLDER)}/page-${n}.yaml`,
      `id: ${100 + n}\n${references.join("")}date_created: 2026-01-01T00:00:00.000Z\ntranslations:\n  en:\n    title: Page ${n}\n` +
        `    permalink: /page-${n}\n    autopermalink: false\n    published_at: 2026-01-02T00:00:00.000Z\n    template_data:\n      body: ${text}\n`,
    );
  }
  const git = (...args) => execFileSync("git", args, { cwd: dir, env: GIT_ENV, stdio: "ignore" });
  git("init", "--quiet");
  git("config", "gc.auto", "0"); // it would go on after the command
  git("add", "--all");
  git("-c", "user.name=Bench", "-c", "user.email=bench@example.org", "commit", "--quiet", "--message=Site");
}

const load = (dir) =>
  Number(execFileSync(process.execPath, ["--input-type=module", "--eval", LOAD, dir, "200"], { encoding: "utf8" }));

const folder = mkdtempSync(join(tmpdir(), "cms-bench-names-"));
try {
  const sites = { ids: join(folder, "ids"), names: join(folder, "names") };
  const times = { ids: { cold: [], warm: [] }, names: { cold: [], warm: [] } };
  for (const [form, dir] of Object.entries(sites)) {
    mkdirSync(dir);
    makeSite(dir, form === "names");
    load(dir); // reads the files into the memory of the machine
  }
  for (let round = 0; round < rounds; round++)
    for (const [form, dir] of Object.entries(sites)) {
      rmSync(join(dir, ".git/cms"), { recursive: true, force: true });
      times[form].cold.push(load(dir));
      times[form].warm.push(load(dir));
    }
  for (const [name, of] of Object.entries({ "nothing cached": "cold", "from the cache": "warm" })) {
    const [names, ids] = [median(times.names[of]), median(times.ids[of])];
    console.log(
      `load of ${pages} pages, ${name}: ${names.toFixed(0)} ms by names, ${ids.toFixed(0)} ms by ids, ratio ${(names / ids).toFixed(2)}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
