/** Repositories whose git converts what it stores: nothing else than what git would store is committed, or nothing. */
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { withText } from "../../../src/model/page/page.ts";
import { diskFs } from "../../../src/store/git/fs.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { mediaFiles } from "../../../src/store/records/media/media-files.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { REDIRECTS } from "../../../src/store/records/redirects.ts";
import type { Path } from "../../../src/store/repo.ts";
import { renderEpoch } from "../../../src/views/manifest/epoch.ts";
import { siteOver } from "../../site.ts";
import { gitSite, type GitSite } from "./git-site.ts";
import { contentOver, EDITH, envOf, handsOn, retitle, titleIn, type Content } from "../store-site.ts";

const ABOUT = "content/pages/about.yaml";
const TEAM = "content/pages/team.yaml";
const page = (id: number, title: string): string =>
  `id: ${id}\nidentifier: p${id}\ndate_created: 2026-01-02T00:00:00.000Z\ndate_updated_at: 2026-01-02T00:00:00.000Z\n# by hand\n` +
  `translations:\n  en:\n    title: ${title}\n    permalink: /${id}\n  it:\n    permalink: /${id}\n`;
const FILES = { [ABOUT]: page(12, "About"), [TEAM]: page(13, "Team") };
const crlf = (text: string): string => text.replaceAll("\n", "\r\n");

/** A repository cloned with these settings, so that its working files are as git checks them out. */
function cloneWith(
  attributes: string,
  config: readonly (readonly [key: string, value: string])[] = [],
  files: Readonly<Record<Path, string>> = FILES,
): GitSite {
  const origin = gitSite();
  onTestFinished(origin.remove);
  for (const [key, value] of config) origin.git("config", key, value);
  if (attributes !== "") origin.save(".gitattributes", attributes);
  for (const [path, text] of Object.entries(files)) origin.save(path, text);
  origin.git("add", "--all");
  origin.git("commit", "--quiet", "--message=Begin");
  origin.git("rm", "--quiet", "-r", "--cached", ".");
  for (const path of Object.keys(files)) execFileSync("rm", [join(origin.dir, path)]);
  origin.git("reset", "--quiet", "--hard");
  return origin;
}

async function openOn(site: GitSite): Promise<Content> {
  const repo = await openGitRepo(site.dir, { env: envOf([]) });
  return contentOver({ repo, hands: handsOn(site) }, { kinds: [PAGES, REDIRECTS, mediaFiles([])] });
}

const bytesOf = (site: GitSite, path: Path): string => readFileSync(join(site.dir, path), "latin1");
const headOid = (site: GitSite, path: Path): string => site.git("rev-parse", `HEAD:${path}`).trim();
/** Blob id that git itself would give the working file. */
const gitOid = (site: GitSite, path: Path): string => site.git("hash-object", `--path=${path}`, path).trim();

/** What holds after any write, whatever is converted. */
async function expectSound(site: GitSite, content: Content, written: readonly Path[]): Promise<void> {
  expect(site.git("fsck", "--full", "--strict", "--no-dangling")).toBe("");
  expect(site.git("status", "--porcelain")).toBe("");
  // Git looks at the bytes, not at the times.
  for (const path of written) site.git("update-index", "--really-refresh", path);
  for (const path of written) expect(headOid(site, path)).toBe(gitOid(site, path));
  expect((await content.made()).length).toBeGreaterThan(0);
}

describe("ends of lines", () => {
  const CASES: [what: string, attributes: string, config: [string, string][], isCrlf: boolean][] = [
    ["core.autocrlf=true", "", [["core.autocrlf", "true"]], true],
    ["core.autocrlf=input", "", [["core.autocrlf", "input"]], false],
    ["eol=crlf", "*.yaml eol=crlf\n", [], true],
    ["text eol=crlf", "*.yaml text eol=crlf\n", [], true],
    ["text=auto", "* text=auto\n", [], false],
    ["text=auto and core.eol=crlf", "* text=auto\n", [["core.eol", "crlf"]], true],
    ["text=auto eol=crlf, in a folder", "", [], true],
    ["-text", "*.yaml -text\n", [["core.autocrlf", "true"]], false],
  ];
  const make = (what: string, attributes: string, config: [string, string][]): GitSite =>
    cloneWith(
      attributes,
      config,
      what.endsWith("in a folder") ? { ...FILES, "content/.gitattributes": "*.yaml text=auto eol=crlf\n" } : FILES,
    );

  it.each(CASES)(
    "%s: a write makes one commit of what git would store, and the file as git would check it out",
    async (what, attributes, config, isCrlf) => {
      const site = make(what, attributes, config);
      expect(bytesOf(site, ABOUT)).toBe(isCrlf ? crlf(FILES[ABOUT]) : FILES[ABOUT]);
      const content = await openOn(site);
      expect(titleIn(content.store, 12)).toBe("About");
      await content.store.transact(EDITH, retitle(12, "Us"));
      expect((await content.made()).map(({ message }) => message.split("\n")[0])).toEqual(['Call page 12 "Us"']);
      const wanted = FILES[ABOUT].replace("title: About", "title: Us");
      expect(site.git("show", `HEAD:${ABOUT}`)).toBe(wanted);
      expect(bytesOf(site, ABOUT)).toBe(isCrlf ? crlf(wanted) : wanted);
      await expectSound(site, content, [ABOUT, TEAM]);
      await content.store.transact(EDITH, retitle(12, "Them"));
      expect(await content.made()).toHaveLength(2);
      await expectSound(site, content, [ABOUT]);
    },
  );

  it.each(CASES)(
    "%s: an edit by hand is committed first, as git would store it",
    async (what, attributes, config, isCrlf) => {
      const site = make(what, attributes, config);
      const content = await openOn(site);
      const edited = FILES[ABOUT].replace("# by hand", "# by me");
      writeFileSync(join(site.dir, ABOUT), isCrlf ? crlf(edited) : edited);
      await content.store.transact(EDITH, retitle(12, "Us"));
      expect((await content.made()).map(({ message }) => message.split("\n")[0])).toEqual([
        `Adopt edits made by hand in ${ABOUT}`,
        'Call page 12 "Us"',
      ]);
      expect(site.git("show", `HEAD~1:${ABOUT}`)).toBe(edited);
      await expectSound(site, content, [ABOUT]);
    },
  );

  it.each(CASES)("%s: a new file is as git would make it", async (what, attributes, config, isCrlf) => {
    const site = make(what, attributes, config);
    const content = await openOn(site);
    await content.store.transact(EDITH, (tx) => {
      tx.describe("Attach");
      tx.attach("media/list.csv", Buffer.from("a\r\nb\r\n"));
      tx.attach("media/photo.jpg", Buffer.from("\xff\xd8\0\r\n\n", "latin1"));
    });
    expect(gitOid(site, "media/list.csv")).toBe(headOid(site, "media/list.csv"));
    expect(bytesOf(site, "media/photo.jpg")).toBe("\xff\xd8\0\r\n\n");
    await expectSound(site, content, ["media/list.csv", "media/photo.jpg"]);
    expect(isCrlf ? bytesOf(site, ABOUT).includes("\r") : true).toBe(true);
    await content.store.refresh();
    expect(site.git("status", "--porcelain")).toBe("");
  });

  it("CRLF that was committed before `text=auto` stays, and is no edit by hand", async () => {
    const site = gitSite({ [ABOUT]: crlf(FILES[ABOUT]), [TEAM]: FILES[TEAM] });
    onTestFinished(site.remove);
    site.save(".gitattributes", "* text=auto\n");
    site.git("add", ".gitattributes");
    site.git("commit", "--quiet", "--message=Attributes");
    expect(site.git("status", "--porcelain")).toBe("");
    const content = await openOn(site);
    await content.store.transact(EDITH, retitle(12, "Us"));
    expect((await content.made()).map(({ message }) => message.split("\n")[0])).toEqual(['Call page 12 "Us"']);
    expect(site.git("show", `HEAD:${ABOUT}`)).toBe(crlf(FILES[ABOUT].replace("title: About", "title: Us")));
    expect(site.git("status", "--porcelain")).toBe("");
  });

  it("attributes that come while the service runs hold from then on", async () => {
    const site = gitSite(FILES);
    onTestFinished(site.remove);
    const content = await openOn(site);
    site.save(".gitattributes", "*.yaml text eol=crlf\n");
    await content.store.transact(EDITH, retitle(12, "Us"));
    expect(bytesOf(site, ABOUT)).toBe(crlf(FILES[ABOUT].replace("title: About", "title: Us")));
    expect(site.git("show", `HEAD:${ABOUT}`)).not.toContain("\r");
    expect(site.git("status", "--porcelain")).toBe("?? .gitattributes\n");
  });

  it("cached ids of other attributes are not used at the next start", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`content/pages/p${at}.yaml`, crlf(page(100 + at, `P${at}`))]),
    );
    const site = gitSite(files);
    onTestFinished(site.remove);
    // Looked at once it is old enough to be remembered.
    for (const path of Object.keys(files)) execFileSync("touch", ["-d", "2026-01-01", join(site.dir, path)]);
    const first = await openGitRepo(site.dir, { env: envOf([]) });
    const before = await first.files(["content"]);
    await first.close();
    site.git("config", "core.autocrlf", "true");
    site.save(".gitattributes", "*.yaml text\n");
    const second = await openGitRepo(site.dir, { env: envOf([]) });
    const after = await second.files(["content"]);
    await second.close();
    for (const [path, { oid }] of after) {
      expect(oid).not.toBe(before.get(path)?.oid);
      expect(oid).toBe(gitOid(site, path));
    }
  });

  it("cached ids are used at the next start, also if a folder's attributes are found during the scan", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`content/pages/p${at}.yaml`, page(100 + at, `P${at}`)]),
    );
    const site = cloneWith("", [], { ...files, "content/.gitattributes": "*.yaml eol=crlf\n" });
    for (const path of Object.keys(files)) execFileSync("touch", ["-d", "2026-01-01", join(site.dir, path)]);
    const first = await openGitRepo(site.dir, { env: envOf([]) });
    const before = await first.files(["content"]);
    await first.close();
    let reads = 0;
    const readRegular = (path: string): Promise<Buffer> => (reads++, diskFs.readRegular(path));
    const second = await openGitRepo(site.dir, { env: envOf([]), fs: { ...diskFs, readRegular } });
    onTestFinished(() => second.close());
    expect(await second.files(["content"])).toEqual(before);
    expect(reads).toBe(0);
  });

  it("a Markdown text with CRLF is stored with LF, as git would store it", async () => {
    const path = "content/pages/post.md";
    const site = cloneWith("*.md text\n", [], { ...FILES, [path]: `---\n${page(14, "Post")}---\n# Text\n` });
    const content = await openOn(site);
    await content.store.transact(EDITH, (tx) => {
      tx.describe("Write");
      return tx.put(PAGES, withText(tx.get(PAGES, 14), "en", { template_data: { body: "a\r\nb\r\n" } }));
    });
    expect(site.git("show", `HEAD:${path}`)).toContain("---\na\nb\n");
    await expectSound(site, content, [path]);
  });

  it("a large file is stored as git would store it", async () => {
    const site = cloneWith("* text=auto eol=crlf\n");
    const text = "line\r\n".repeat(900_000);
    const file = join(site.dir, ".git/large");
    writeFileSync(file, text);
    const content = await openOn(site);
    const { prepareFile } = await import("../../../src/store/git/objects/file-content.ts");
    const prepared = await prepareFile(file);
    await content.store.transact(EDITH, (tx) => {
      tx.describe("Attach");
      tx.attach("media/large.txt", prepared);
    });
    expect(statSync(join(site.dir, "media/large.txt")).size).toBe(text.length);
    expect(headOid(site, "media/large.txt")).toBe(gitOid(site, "media/large.txt"));
    expect((await content.store.repo.files(["media"])).get("media/large.txt")?.oid).toBe(
      headOid(site, "media/large.txt"),
    );
  });
});

/** A stand-in for git-lfs and git-crypt: letters are rotated on the way in and out. */
const ROT13: [string, string][] = ["lfs", "crypt"].flatMap((name): [string, string][] => [
  [`filter.${name}.clean`, "tr a-zA-Z n-za-mN-ZA-M"],
  [`filter.${name}.smudge`, "tr n-za-mN-ZA-M a-zA-Z"],
]);

describe("what only git can store", () => {
  it.each<[what: string, attributes: string, config: [string, string][]]>([
    ["filter=crypt", `${ABOUT} filter=crypt\nmedia/*.jpg filter=lfs\n`, ROT13],
    ["a macro", `[attr]secret filter=crypt\n${ABOUT} secret\nmedia/*.jpg secret\n`, ROT13],
    ["a filter that is not configured here", `${ABOUT} filter=nowhere\nmedia/*.jpg filter=nowhere\n`, []],
    ["ident", `${ABOUT} ident\nmedia/*.jpg ident\n`, []],
  ])(
    "%s: is served, is not written, and does not keep others from being written",
    async (_what, attributes, config) => {
      const site = cloneWith(attributes, config, { ...FILES, "media/a.jpg": "picture $Id$\n" });
      const content = await openOn(site);
      const { repo, store } = content;
      expect(titleIn(store, 12)).toBe("About");
      expect(store.current.problems).toEqual([]);
      const raw = headOid(site, ABOUT);
      const refused = {
        code: "conflict",
        message: expect.stringMatching(/about\.yaml has the git attribute (filter|ident)/),
      };
      await expect(store.transact(EDITH, retitle(12, "Us"))).rejects.toMatchObject(refused);
      await expect(store.transact(EDITH, (tx) => (tx.describe("Remove"), tx.remove(PAGES, 12)))).rejects.toMatchObject(
        refused,
      );
      await expect(
        store.transact(EDITH, (tx) => (tx.describe("Attach"), tx.attach("media/b.jpg", Buffer.from("x")), 1)),
      ).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringMatching(/media\/b\.jpg has the git attribute/),
      });
      // A commit planned without the store is refused as well.
      const { head } = await repo.state();
      const change = {
        author: EDITH,
        at: envOf([]).now(),
        message: "Raw",
        changes: new Map([[ABOUT, Buffer.from("id: 12\n")]]),
      };
      await expect(
        repo.commit({
          base: head,
          commits: [change],
          expect: new Map([[ABOUT, (await repo.oid(ABOUT).catch(() => null)) ?? null]]),
        }),
      ).rejects.toMatchObject(refused);
      expect(await content.made()).toEqual([]);

      await store.transact(EDITH, retitle(13, "Crew"));
      expect(await content.made()).toHaveLength(1);
      expect(headOid(site, ABOUT)).toBe(raw);
      await expectSound(site, content, [TEAM]);

      // A person's edit is served, and left to that person.
      appendFileSync(join(site.dir, ABOUT), "in_sitemap: false\n");
      await store.refresh();
      await store.transact(EDITH, retitle(13, "Team"));
      await expect(store.transact(EDITH, retitle(12, "Us"))).rejects.toMatchObject(refused);
      expect(headOid(site, ABOUT)).toBe(raw);
      expect(site.git("status", "--porcelain")).toBe(` M ${ABOUT}\n`);
      site.git("commit", "--quiet", "--all", "--message=By hand");
      expect(site.git("status", "--porcelain")).toBe("");
    },
  );

  it("has the blob id of a filtered file that is unchanged, and none of a changed one", async () => {
    const site = cloneWith("*.yaml filter=crypt\n", ROT13);
    const repo = await openGitRepo(site.dir, { env: envOf([]) });
    onTestFinished(() => repo.close());
    appendFileSync(join(site.dir, TEAM), "# more\n");
    const files = await repo.files(["content"]);
    expect(files.get(ABOUT)?.stored).toBe(headOid(site, ABOUT));
    expect(files.get(ABOUT)?.oid).not.toBe(headOid(site, ABOUT));
    expect(files.get(TEAM)?.stored).toBeUndefined();
  });

  it("a filtered file that is as git left it is no edit by hand, so the epoch stays", async () => {
    const menu = "content/menus/main.yaml";
    const nodes = "    nodes:\n      - { title: One, link: { link_type: ST, static: / } }\n";
    const text = `id: 20\nkey: main\ntranslations:\n  en:\n${nodes}`;
    const site = cloneWith("content/menus/* filter=crypt\n", ROT13, { ...FILES, [menu]: text });
    const { cms } = await siteOver(await openGitRepo(site.dir, { env: envOf([]) }), site.dir);
    onTestFinished(() => cms.close());
    const epoch = (): Promise<string | null> => renderEpoch(cms, cms.store.current, cms.env.now());
    const clean = await epoch();
    expect(clean ?? "2026-01-01T").toMatch(/^2026-01-01T/);
    appendFileSync(join(site.dir, menu), "enabled: false\n");
    await cms.store.refresh();
    expect(await epoch()).not.toBe(clean);
  });

  it("working-tree-encoding: the file is a problem, and others are written", async () => {
    const site = gitSite(FILES);
    onTestFinished(site.remove);
    site.save(".gitattributes", `${ABOUT} working-tree-encoding=UTF-16LE-BOM eol=lf\n`);
    writeFileSync(join(site.dir, ABOUT), Buffer.from(`\uFEFF${FILES[ABOUT]}`, "utf16le"));
    site.git("add", "--all");
    site.git("commit", "--quiet", "--message=UTF-16");
    expect(site.git("show", `HEAD:${ABOUT}`)).toBe(FILES[ABOUT]);
    const content = await openOn(site);
    // What was committed is served in its place.
    expect(titleIn(content.store, 12)).toBe("About");
    expect(content.store.current.problems.map(({ path }) => path)).toContain(ABOUT);
    await expect(content.store.transact(EDITH, retitle(12, "Us"))).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringMatching(/about\.yaml/),
    });
    await content.store.transact(EDITH, retitle(13, "Crew"));
    await expectSound(site, content, [TEAM]);
  });

  it.each(["utf-8", "UTF8"])("working-tree-encoding=%s is nothing special", async (encoding) => {
    const site = cloneWith(`*.yaml text working-tree-encoding=${encoding}\n`);
    const content = await openOn(site);
    await content.store.transact(EDITH, retitle(12, "Us"));
    await expectSound(site, content, [ABOUT]);
  });

  it("starts no program that the configuration names", async () => {
    const site = cloneWith("*.yaml filter=crypt\n", ROT13);
    const mark = join(site.dir, ".git/ran");
    for (const kind of ["clean", "smudge", "process"]) site.git("config", `filter.crypt.${kind}`, `touch ${mark}; cat`);
    site.git("config", "filter.crypt.required", "true");
    const content = await openOn(site);
    await expect(content.store.transact(EDITH, retitle(12, "Us"))).rejects.toMatchObject({ code: "conflict" });
    expect(() => statSync(mark)).toThrow();
  });
});

describe("where attributes come from", () => {
  it.each<[what: string, set: (site: GitSite) => void]>([
    [
      ".git/info/attributes",
      (site) => {
        mkdirSync(join(site.dir, ".git/info"), { recursive: true });
        writeFileSync(join(site.dir, ".git/info/attributes"), "*.yaml eol=crlf\n");
      },
    ],
    [
      "core.attributesFile",
      (site) => {
        writeFileSync(join(site.dir, ".git/mine"), "*.yaml eol=crlf\n");
        site.git("config", "core.attributesFile", join(site.dir, ".git/mine"));
      },
    ],
    [
      "a file that the configuration includes",
      (site) => {
        writeFileSync(join(site.dir, ".git/more"), "[core]\n\tautocrlf = true\n");
        site.git("config", "include.path", "more");
      },
    ],
  ])("%s", async (_what, set) => {
    const site = gitSite(FILES);
    onTestFinished(site.remove);
    set(site);
    const content = await openOn(site);
    await content.store.transact(EDITH, retitle(12, "Us"));
    expect(bytesOf(site, ABOUT)).toContain("\r\n");
    expect(await content.made()).toHaveLength(1);
    await expectSound(site, content, [ABOUT]);
  });
});
