/** Edge cases of builds after an edit, among them former defects. */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { openCms } from "../../src/cms.ts";
import { silentLog, systemEnv } from "../../src/env.ts";
import { openContentCache } from "../../src/store/cache/content-cache.ts";
import { ARTICLES } from "../../src/store/records/pages.ts";
import { pageIndex } from "../../src/store/content/indexes/page-index.ts";
import { emptyDir, filesIn, TEMPLATES } from "./build-site.ts";
import { builtEditedSite, expectWhole, moreOf, pageFile, pageText, type EditedSite } from "./edited-site.ts";

const FILES = {
  ...TEMPLATES,
  "content/menus/main.yaml": "id: 5\nkey: main\n",
  "content/tags/t.yaml": "id: 901\nname: { en: T }\n",
};
const article = (id: number, permalink: string): string =>
  `---\nid: ${id}\nidentifier: x${id}\ndate_created: 2026-01-01T00:00:00.000Z\ntranslations:\n  en: { title: X, permalink: ${permalink}, autopermalink: false, published_at: 2026-01-01T00:00:00.000Z }\n  it: { title: X, permalink: ${permalink}, autopermalink: false }\n---\ntext\n`;

const builtSite = (files: Readonly<Record<string, string>> = {}) => builtEditedSite({ ...FILES, ...files });
const problemsOf = async (site: EditedSite): Promise<string[]> => {
  const cms = await site.open();
  await cms.close();
  return cms.store.current.problems.map(({ path }) => path);
};

it("knows every kind that a query reads, also when it has no records", async () => {
  const site = await builtSite({
    "content/articles/x.md": article(200, "/art"),
    "templates/part.html": "{{ localized_url('/art') }}",
  });
  await site.build(site.out, { full: true });
  site.save("content/articles/x.md", article(200, "/moved"));
  await site.build(site.out);
  await expectWhole(site);
});

it("reads a file again that was too young for its times to prove anything", async () => {
  const site = await builtSite();
  for (const title of ["One", "Two", "Six"]) {
    site.save(pageFile(3), pageText(3, { title, more: moreOf(3) }), true);
    await site.build(site.out);
    expect(filesIn(site.out).get("p3/index.html")).toContain(title);
  }
});
it("follows no link in the content", async () => {
  const site = await builtSite();
  const elsewhere = mkdtempSync(join(tmpdir(), "cms-else-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true }));
  renameSync(join(site.dir, "content"), join(elsewhere, "content"));
  symlinkSync(join(elsewhere, "content"), join(site.dir, "content"));
  expect(await site.build(site.out)).toMatchObject({ pages: 0 });
});

it("names nothing that is not public in the output", async () => {
  const secret = (title: string): string =>
    pageText(500, { title, permalink: "/secret" }).replaceAll(/ {4}published_at: .*\n/g, "");
  const child = pageText(501, { more: "parent_page: 500\n" });
  const site = await builtSite({
    "content/pages/secret-merger.yaml": secret("S"),
    "content/pages/child.yaml": child,
    "content/contents/secret-block.yaml": "id: 900\nidentifier: note\ntranslations:\n  en: { content: x }\n",
  });
  site.save("content/pages/secret-merger.yaml", secret("S2"));
  await site.build(site.out);
  expect(readFileSync(join(site.out, ".cms-manifest.json"), "utf8")).not.toContain("secret");
  await expectWhole(site);
});

it.each([49, 50, 60])("renders no page twice after %i pages changed", async (count) => {
  const site = await builtSite();
  for (let n = 1; n <= count; n++) site.save(pageFile(n), pageText(n, { title: "Z", more: moreOf(n) }));
  await site.build(site.out);
  expect(await site.build(site.out)).toMatchObject({ rendered: 0 });
  await expectWhole(site);
});

it.each<[string, (site: EditedSite) => void]>([
  ["a renamed file", (site) => renameSync(join(site.dir, pageFile(3)), join(site.dir, "content/pages/renamed.yaml"))],
  [
    "two ids that changed places",
    (site) => (
      site.save(pageFile(3), pageText(4, { permalink: "/p3" })),
      site.save(pageFile(4), pageText(3, { permalink: "/p4" }))
    ),
  ],
])("equals a full build after %s", async (_what, change) => {
  const site = await builtSite();
  change(site);
  await site.build(site.out);
  await site.build(site.out);
  await expectWhole(site);
});

it.each([
  ["is no record", "content/pages/stray"],
  ["was a folder of records", "content/pages/b"],
  ["was the folder of a kind", "content/articles"],
])("reports a link that %s", async (_what, path) => {
  const site = await builtSite({ "content/articles/x.md": article(200, "/art") });
  rmSync(join(site.dir, path), { recursive: true, force: true });
  symlinkSync("/nowhere", join(site.dir, path));
  expect(await problemsOf(site)).toEqual([path]);
});

it("chooses the same of two main files, whenever the second one was added", async () => {
  const site = await builtSite();
  site.save(
    "content/pages/a/p7.md",
    "---\nid: 7\nidentifier: p7\ntranslations: { en: { title: MD, permalink: /md, published_at: 2026-01-01T00:00:00Z }, it: { permalink: /md } }\n---\ntext\n",
  );
  await site.build(site.out);
  await expectWhole(site);
});

it("leaves a link in the place of a page alone and reports it", async () => {
  const site = await builtSite();
  const file = "p3/index.html";
  rmSync(join(site.out, file));
  symlinkSync("../p4/index.html", join(site.out, file));
  site.remove(pageFile(3));
  expect(await site.build(site.out)).toMatchObject({ unknown: [file] });
  rmSync(join(site.out, file));
  await site.build(site.out);
  await expectWhole(site);
});

it("does not write through a link in place of its own files", async () => {
  const site = await builtSite();
  const outside = join(emptyDir(), "outside");
  for (const name of [".cms-building.part", ".cms-manifest.json.part"]) symlinkSync(outside, join(site.out, name));
  site.save(pageFile(3), pageText(3, { title: "Three", more: moreOf(3) }));
  await site.build(site.out);
  expect(existsSync(outside)).toBe(false);
  await expectWhole(site);
});

it("reads files again that were moved before the start", async () => {
  const site = await builtSite();
  site.save("content/menus/main.yaml", "id: 5\nkey: main\nnodes: []\n");
  const cms = await site.open();
  site.save("content/menus/main.yaml", "id: 5\nkey: main\nenabled: false\n");
  const { oid } = (await cms.store.repo.read("content/menus/main.yaml"))!;
  expect((await cms.store.repo.files(["content/menus"])).get("content/menus/main.yaml")).toMatchObject({ oid });
  await cms.close();
});

it("sees what a write adds to content from the caches", async () => {
  const site = await builtSite({ "content/articles/x.md": article(200, "/art") });
  const cms = await openCms(site.dir, { config: site.config, env: systemEnv(silentLog) });
  const known = cms.store.current.get(ARTICLES, 200);
  await cms.store.transact({ name: "A", email: "a@example.org" }, (tx) => {
    tx.put(ARTICLES, {
      ...known,
      id: 201,
      identifier: "y",
      translations: { ...known.translations, en: { ...known.translations.en!, permalink: "/new" } },
    });
    tx.describe("Add");
  });
  expect(pageIndex(cms.store.current).byPermalink("en", "/new")?.id).toBe(201);
  await cms.close();
});

it("keeps nothing in memory of what was read from the cache", async () => {
  const dir = emptyDir();
  const oids = Array.from({ length: 60 }, (_, n) => String(n).padStart(40, "0"));
  const first = openContentCache(dir);
  for (const oid of oids) first.set(oid, { data: { oid } });
  await first.flush(() => oids);
  const cache = openContentCache(dir);
  const weak = (() => new WeakRef(cache.get(oids[0]!)!))();
  await cache.flush(() => []);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 10 && weak.deref(); turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  expect([weak.deref(), cache.get(oids[0]!)]).toEqual([undefined, undefined]);
});
