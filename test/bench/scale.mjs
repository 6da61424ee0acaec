/**
 * A site of 10,000 pages in two languages: opening, writing and the manifest, compared with `git add && git commit` of one
 * file in the same repository.
 *
 *   npm run build && node test/bench/scale.mjs [pages]
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { updatePage } from "../../dist/actions/pages/pages.js";
import { openCms } from "../../dist/cms.js";
import { h3App } from "../../dist/http/app/h3-app.js";
import { median, timed } from "./timing.mjs";

const PAGES = Number(process.argv[2] ?? 10_000);
const ROUNDS = 9;
const BY = { name: "Bench", email: "bench@example.org" };

const root = mkdtempSync(join(tmpdir(), "git-cms-bench-"));
try {
  makeSite();
  const cold = await timed(() => openCms(root));
  await cold.value.close();
  const warm = await timed(() => openCms(root));
  const cms = warm.value;
  const app = h3App(cms);
  const get = (path) => app.request(`http://bench.local/api/cms/${path}`).then((response) => response.text());

  await updatePage(cms, BY, 1, { title_en: "Warm" }, { lang: "en", mode: "merge" });
  const write = [];
  const native = [];
  for (let round = 0; round < ROUNDS; round++) {
    write.push(
      (
        await timed(() =>
          updatePage(cms, BY, 100 + round, { title_en: `Changed ${round}` }, { lang: "en", mode: "merge" }),
        )
      ).ms,
    );
    const file = `content/pages/s0/p${100 * (round + 1)}.yaml`;
    writeFileSync(join(root, file), pageText(100 * (round + 1), `By hand ${round}`));
    native.push(
      (
        await timed(() => {
          git("add", file);
          git("commit", "-qm", "x");
        })
      ).ms,
    );
    await cms.store.refresh();
  }
  const batch = await timed(() =>
    Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        updatePage(cms, BY, 1000 + n, { title_en: `Batch ${n}` }, { lang: "en", mode: "merge" }),
      ),
    ),
  );
  const read = await timed(() => get("pages-router/page-5-en/"));
  const manifest = await timed(() => get("pages-router/changes"));
  const again = await timed(() => get("pages-router/changes"));
  await cms.close();

  const row = (name, ms) => console.log(`${name.padEnd(38)} ${ms.toFixed(1).padStart(9)} ms`);
  console.log(`${PAGES} pages, two languages each; ${Math.round(process.memoryUsage().rss / 1e6)} MB resident`);
  row("open, without caches", cold.ms);
  row("open, with caches", warm.ms);
  row("write one page, median", median(write));
  row("git add && git commit of one file", median(native));
  console.log(`${"ratio write / git".padEnd(38)} ${(median(write) / median(native)).toFixed(2).padStart(9)}`);
  row("50 concurrent writes, each", batch.ms / 50);
  row("first read after a write", read.ms);
  row("manifest after a write", manifest.ms);
  row("manifest, unchanged", again.ms);
} finally {
  rmSync(root, { recursive: true, force: true });
}

function makeSite() {
  execFileSync("git", ["init", "-q", "-b", "main", root]);
  writeFileSync(join(root, "cms.config.yaml"), "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\n");
  for (let n = 0; n < 100; n++) mkdirSync(join(root, `content/pages/s${n}`), { recursive: true });
  for (let id = 1; id <= PAGES; id++)
    writeFileSync(join(root, `content/pages/s${id % 100}/p${id}.yaml`), pageText(id, `Page ${id}`));
  git("add", "-A");
  git("commit", "-qm", "Start");
}

function pageText(id, title) {
  const text = (lang) => `  ${lang}:
    title: ${title} ${lang}
    permalink: /page-${id}-${lang}
    published_at: 2026-01-01T00:00:00.000Z
    description: ${"What this page is about, in a line or two. ".repeat(6)}
    template_data:
      body: |
        ${"Some text about this page. ".repeat(15)}

        ${"And some more of it. ".repeat(15)}
`;
  return `id: ${id}\nidentifier: p${id}\nordering: ${id}\ndate_created: 2026-01-01T00:00:00.000Z\ndate_updated_at: 2026-01-01T00:00:00.000Z\ntranslations:\n${text("en")}${text("it")}`;
}

function git(...args) {
  execFileSync("git", [
    "-C",
    root,
    "-c",
    "user.name=Bench",
    "-c",
    "user.email=bench@example.org",
    "-c",
    "gc.auto=0",
    ...args,
  ]);
}
