/** Rare obstacles to a build, and files in the place of a page: each compared with a full build. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DeepPartial, Settings } from "../../src/config.ts";
import type { BuildOptions } from "../../src/static-site/input.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "./build-site.ts";

type Site = MemorySite & { readonly out: string };

async function site(files: Record<string, string>): Promise<Site> {
  const made = await memorySite(
    { "content/menus/main.yaml": "id: 5\nkey: main\n", ...files },
    { BASE_URL: "http://test.local" },
  );
  for (const [path, text] of Object.entries(TEMPLATES)) saveFile(made.cms.root, path, text);
  return { ...made, out: join(emptyDir(), "dist") };
}
const page = (id: number, title: string, permalink: string, created = "2026-02-01", more = ""): string =>
  `id: ${id}\ndate_created: ${created}T00:00:00.000Z\n${more}translations:\n  en: { title: ${title}, permalink: ${permalink}, published_at: 2026-02-02T00:00:00.000Z }\n`;
const ONE = { "content/pages/a.yaml": page(10, "One", "/x") };

async function edit(made: Site, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) made.repo.write(path, text);
  await made.cms.store.refresh();
}
const withSettings = (made: Site, { MEDIA, ...rest }: DeepPartial<Settings>): Site => {
  const { config } = made.cms;
  return {
    ...made,
    cms: { ...made.cms, config: { ...config, ...(rest as object), MEDIA: { ...config.MEDIA, ...(MEDIA as object) } } },
  };
};
/** Builds once more, and compares with a build into an empty folder. */
async function expectSame(made: Site): Promise<Awaited<ReturnType<typeof buildTree>>> {
  const report = await buildTree(made, made.out);
  const fresh = join(emptyDir(), "dist");
  await buildTree(made, fresh);
  expect(filesIn(made.out)).toEqual(filesIn(fresh));
  return report;
}

describe("a long title", () => {
  it.each([
    ["Cyrillic", "\u0434".repeat(150)],
    ["Japanese", "\u65e5\u672c ".repeat(60).trim()],
    ["Deseret", "\u{10437}".repeat(99)],
  ])("in %s is built, saved or derived", async (_script, title) => {
    const made = await site({
      "content/pages/a.yaml": `id: 10\ntranslations:\n  en: { title: ${title}, published_at: 2026-02-02T00:00:00.000Z }\n`,
    });
    await made.page({ title }, ["en"]);
    const report = await buildTree(made, made.out);
    expect(report).toMatchObject({ rendered: 2, failures: [] });
  });
});

describe("a page with the path of another", () => {
  it("is not built, whatever its dates: the first one stays", async () => {
    const made = await site(ONE);
    await buildTree(made, made.out);
    await edit(made, { "content/pages/b.yaml": page(11, "Older", "/x", "2026-01-01") });
    expect(await expectSame(made)).toMatchObject({ rendered: 0, kept: 1 });
    expect(filesIn(made.out).get("x/index.html")).not.toContain("Older");
  });

  it("is rendered again when its model begins to add to the context", async () => {
    const made = await site({
      "content/pages/a.yaml": page(10, "One", "/x", "2026-02-01", "model: Landing\ntemplate: added.html\n"),
      "content/page-models/Landing.yaml": "schema: []\n",
    });
    saveFile(made.cms.root, "templates/added.html", "{{ page.title }} {{ extra }}");
    saveFile(made.cms.root, "added.mjs", "export default () => ({ extra: 'EXTRA' });\n");
    await buildTree(made, made.out);
    await edit(made, { "content/page-models/Landing.yaml": "schema: []\ninject_context: added.mjs\n" });
    expect(await expectSame(made)).toMatchObject({ rendered: 1 });
    expect(filesIn(made.out).get("x/index.html")).toBe("One EXTRA");
  });

  it("leaves no files at paths where pages are no longer allowed", async () => {
    const made = await site({
      "content/pages/a.yaml": page(10, "One", "/assets/x"),
      "content/pages/b.yaml": page(12, "Two", "/b"),
    });
    await buildTree(made, made.out);
    await edit(made, { "content/pages/a.yaml": page(10, "One", "/y") });
    expect(await expectSame(withSettings(made, { MEDIA: { URL: "/assets/" } }))).toMatchObject({
      removed: 2,
      unknown: [],
    });
  });
});

describe("a file that becomes a folder", () => {
  it.each([
    ["media/foo", "media/foo/bar.txt"],
    ["media/foo/bar.txt", "media/foo"],
  ])("%s, then %s", async (before, after) => {
    const made = await site(ONE);
    saveFile(made.cms.root, before, "text");
    await buildTree(made, made.out);
    rmSync(join(made.cms.root, "media/foo"), { recursive: true });
    saveFile(made.cms.root, after, "text");
    expect(await expectSame(made)).toMatchObject({ failures: [], removed: 1 });
  });

  it.each(["x/index.html", "sitemap.xml"])(
    "%s in the output fails by itself, and is made when the way is free",
    async (path) => {
      const made = await site(ONE);
      await buildTree(made, made.out);
      rmSync(join(made.out, path));
      mkdirSync(join(made.out, path));
      const { failures } = await buildTree(made, made.out);
      expect(failures).toMatchObject([{ path: path === "sitemap.xml" ? "/sitemap.xml" : "/x/" }]);
      rmSync(join(made.out, path), { recursive: true });
      expect(await expectSame(made)).toMatchObject({ failures: [], unknown: [] });
    },
  );

  it("may be beside a folder with the name of its temporary file", async () => {
    const made = await site(ONE);
    saveFile(made.cms.root, "media/v.mp4", "old");
    saveFile(made.cms.root, "media/v.mp4.part", "kept");
    await buildTree(made, made.out);
    saveFile(made.cms.root, "media/v.mp4", "newer");
    await expectSame(made);
  });
});

describe("a file of the user", () => {
  it.each(["redirects.nginx.conf", "robots.txt"])("%s is kept after a killed build", async (path) => {
    const made = await site(ONE);
    // A folder that was built into when the file was there already.
    saveFile(made.out, path, "mine");
    writeFileSync(join(made.out, ".cms-building"), "");
    expect((await buildTree(made, made.out)).unknown).toEqual([path]);
    await edit(made, { "content/pages/a.yaml": page(10, "Other", "/x") });
    const killed = {
      progress: () => {
        throw new Error("killed");
      },
    } as unknown as BuildOptions;
    await expect(buildTree(made, made.out, killed)).rejects.toThrow("killed");
    expect(existsSync(join(made.out, ".cms-building"))).toBe(true);
    expect((await buildTree(made, made.out)).unknown).toEqual([path]);
    expect(readFileSync(join(made.out, path), "utf8")).toBe("mine");
  });

  it("robots.txt with the text of a build counts as built, also without a state file", async () => {
    const made = await site(ONE);
    await buildTree(made, made.out);
    writeFileSync(join(made.out, ".cms-manifest.json"), "damaged");
    expect((await buildTree(made, made.out)).unknown).toEqual([]);
    await expectSame(withSettings(made, { BASE_URL: "https://example.org" }));
    expect(filesIn(made.out).get("robots.txt")).toContain("example.org");
  });
});
