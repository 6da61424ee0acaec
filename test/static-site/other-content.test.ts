/** Builds of other content than that of the working tree: `cms build --at` and `--as-of`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { build } from "../../src/static-site/build.ts";
import { openPageLog } from "../../src/static-site/page-log.ts";
import { openCms } from "../../src/cms.ts";
import type { OtherContent } from "../../src/static-site/input.ts";
import { openSite } from "../../src/static-site/open-site.ts";
import { silentLog, systemEnv } from "../../src/env.ts";
import { parseInstant } from "../../src/model/time/instant.ts";
import { gitSite } from "../store/git/git-site.ts";
import { temporaryFolder } from "../site.ts";
import { filesIn } from "./build-site.ts";

const page = (title: string, published: string): string =>
  `id: 1\ntranslations:\n  en: { title: ${title}, permalink: /page, published_at: "${published}" }\n`;

const formats = { html: true, json: true, redirects: [] };

async function buildOf(dir: string, content: OtherContent): Promise<string> {
  const out = join(await temporaryFolder(), "out");
  const log = openPageLog(silentLog);
  const env = systemEnv(log);
  const options = { ...formats, out, full: false, content };
  const site = await openSite(
    dir,
    options,
    { env, log, openCms },
    {
      order: { ...formats, out, now: env.now() },
      pool: { sharing: undefined, workersFor: () => [] },
    },
  );
  const { failures } = await build(await site.input(), options);
  await site.close();
  expect(failures).toEqual([]);
  return out;
}

function siteOfTwoVersions(): ReturnType<typeof gitSite> {
  const disk = gitSite({
    "cms.config.yaml": "LANGUAGES: { en: English }\n",
    "templates/defaults/pages/default.html": "<h1>{{ page.title }}</h1>",
    "content/pages/page.yaml": page("Old", "2026-01-01T00:00:00Z"),
    "static/style.css": "old",
    "media/note.txt": "old",
  });
  onTestFinished(() => disk.remove());
  disk.git("tag", "v1");
  disk.save("templates/defaults/pages/default.html", "<h2>{{ page.title }}</h2>");
  disk.save("content/pages/page.yaml", page("New", "2099-01-01T00:00:00Z"));
  disk.save("static/style.css", "new");
  disk.save("media/note.txt", "new");
  disk.git("commit", "-qam", "New");
  return disk;
}

const text = (out: string, path: string): string => readFileSync(join(out, path), "utf8");

it("builds the content, templates and files of a tag", async () => {
  const disk = siteOfTwoVersions();
  const out = await buildOf(disk.dir, { at: "v1" });
  expect(text(out, "page/index.html")).toBe("<h1>Old</h1>");
  expect([text(out, "style.css"), text(out, "media/note.txt")]).toEqual(["old", "old"]);
  expect(disk.git("status", "--porcelain")).toBe("");
});

it("builds the site as it will be, and not before", async () => {
  const disk = siteOfTwoVersions();
  const then = await buildOf(disk.dir, { asOf: parseInstant("2099-01-01T00:00:00Z")! });
  expect(text(then, "page/index.html")).toBe("<h2>New</h2>");
  const before = await buildOf(disk.dir, { asOf: parseInstant("2098-01-01T00:00:00Z")! });
  expect([...filesIn(before).keys()].filter((path) => path.startsWith("page/"))).toEqual([]);
});

it("refuses what is no revision", async () => {
  const disk = siteOfTwoVersions();
  await expect(buildOf(disk.dir, { at: "v2" })).rejects.toThrow('"v2" is no tag, branch or moment');
});
