/** `cms import wordpress`: an old site of 200 posts, imported, checked, built and crawled. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { filesIn } from "../../static-site/build-site.ts";
import {
  BLOCK_FILES,
  BLOCKS_PAGE,
  HOME,
  OLD_SITE,
  pictureItems,
  picturePath,
  uploads,
} from "../../import/wordpress/site.ts";
import { temporaryFolder } from "../../site.ts";
import { GIT_ENV } from "../../store/git/git-site.ts";
import { brokenLinks } from "../../support/crawl.ts";
import { wordPressExport } from "../../support/wordpress-export.ts";
import { cms } from "../process.ts";

/** A new site, and what is imported into it. */
async function start() {
  const folder = await temporaryFolder();
  const root = join(folder, "site");
  const file = join(folder, "export.xml");
  writeFileSync(file, wordPressExport(OLD_SITE));
  expect(await cms(["init", root, "--bare-site", "--languages", "en,it"])).toMatchObject({ code: 0 });
  const args = ["import", "wordpress", file, "--root", root, "--uploads", await uploads(), "--markdown", "--force"];
  const commits = (): number =>
    Number(execFileSync("git", ["rev-list", "--count", "HEAD"], { cwd: root, env: GIT_ENV }));
  return { root, file, args, commits };
}

const status = (root: string): string =>
  execFileSync("git", ["status", "--porcelain"], { cwd: root, env: GIT_ENV, encoding: "utf8" });

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 30, height: 20, channels: 3, background: "#0af" } })
    .png()
    .toBuffer();

describe("cms import wordpress", () => {
  it("imports, passes the check, builds, and leaves no old address and no link dead", async () => {
    const { root, args, commits } = await start();
    const before = commits();
    const rehearsed = await cms([...args, "--dry-run"]);
    expect(rehearsed).toMatchObject({ code: 0, err: expect.stringContaining("Nothing was written.") });
    expect(rehearsed.out).not.toContain("is left out: image");
    expect([commits(), existsSync(join(root, "content/articles"))]).toEqual([before, false]);

    const done = await cms(args);
    expect(done.err).toMatch(/\d+ added/);
    expect(done).toMatchObject({ code: 0, out: expect.stringMatching(/^export\.xml:\d+: .*\[contact-form-7\]/m) });
    expect(done.out).toContain("Deutsch ?31m");
    expect(commits()).toBe(before + 1);
    const checked = await cms(["check", "--root", root]);
    expect([checked.code, checked.out.split("\n").filter((line) => line.includes(": error: "))]).toEqual([0, []]);
    expect(await cms(["build", "--root", root])).toMatchObject({ code: 0 });

    const files = filesIn(join(root, "dist"));
    const redirects: { from: string; to: string }[] = JSON.parse(
      readFileSync(join(root, "dist/redirects.json"), "utf8"),
    );
    const target = new Map(redirects.map(({ from, to }) => [from.replace(/\/$/, ""), to]));
    const isThere = (path: string): boolean => files.has(`${path.slice(1)}${path.endsWith("/") ? "index.html" : ""}`);
    // Texts link to what is not in the export by its old address, on the host of the old site.
    expect(brokenLinks(files)).toEqual([]);
    const old = OLD_SITE.items
      .filter(({ link, status = "publish", type = "post", password, title }) => {
        const isShown = status === "publish" || status === "inherit";
        return (
          isShown &&
          password === undefined &&
          type !== "nav_menu_item" &&
          !link?.includes("?") &&
          !title?.startsWith("Deutsch")
        );
      })
      .map(({ link, slug, id }) => link ?? `/${slug ?? `post-${id}`}/`);
    expect(old.length).toBeGreaterThan(200);
    const addresses = [
      ...old,
      `/wp-content/uploads/${picturePath(1)}`,
      "/category/news/",
      "/tag/garden/",
      "/author/anna/",
      "/feed/",
    ];
    const dead = addresses.filter((path) => !isThere(path) && !isThere(target.get(path.replace(/\/$/, "")) ?? "-"));
    expect(dead).toEqual([]);
    expect([...files.values()].join("")).not.toContain("cms-import:");
    expect(HOME).toBe("https://old.example");

    expect(await cms(args)).toMatchObject({ code: 0, err: expect.stringContaining("Nothing changed, no commit.") });
    expect(commits()).toBe(before + 1);
  });

  it("killed at any moment, has imported everything or nothing", async () => {
    const { root, args, commits } = await start();
    const before = commits();
    for (const timeoutMs of [700, 1500]) {
      const { code } = await cms(args, { timeoutMs });
      expect(commits()).toBe(code === 0 || commits() === before + 1 ? before + 1 : before);
      expect(await cms(["check", "--root", root])).toMatchObject({ code: 0 });
    }
    expect(await cms(args)).toMatchObject({ code: 0 });
    expect(commits()).toBe(before + 1);
    expect(status(root)).toBe("");
  });

  it("killed while it writes the files of its commit, has imported everything at the next start", async () => {
    const { root, args, commits } = await start();
    const before = commits();
    // The folder is made for the first file of the commit.
    const killOnce = (): boolean => existsSync(join(root, "content/articles"));
    const { code } = await cms(args, { killOnce });
    expect([code, existsSync(join(root, "content/articles"))]).toEqual([null, true]);
    expect(await cms(args)).toMatchObject({ code: 0 });
    expect(commits()).toBe(before + 1);
    expect(status(root)).toBe("");
    expect(await cms(["check", "--root", root])).toMatchObject({ code: 0 });
    expect(await cms(args)).toMatchObject({ code: 0, err: expect.stringContaining("Nothing changed, no commit.") });
  });

  it("fetches what --uploads lacks from the host that --allow-media-from names, and from no other", async () => {
    const asked: string[] = [];
    const bytes = await picture();
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.end(bytes);
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void server.close());
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { root, file } = await start();
    const folder = await temporaryFolder();
    writeFileSync(join(folder, "here.png"), bytes);
    const attachment = (id: number, at: string, name: string) => ({
      ...{ id, type: "attachment", status: "inherit", title: name, link: `/${id}/` },
      attachmentUrl: `http://${at}/wp-content/uploads/${name}`,
      meta: [["_wp_attached_file", name]] as const,
    });
    const there = `<img src="http://${host}/wp-content/uploads/there.png" alt="">`;
    writeFileSync(
      file,
      wordPressExport({
        link: `http://${host}`,
        items: [
          attachment(1, host, "here.png"),
          attachment(2, host, "there.png"),
          attachment(3, "127.0.0.1:9", "other.png"),
          { id: 4, slug: "post", content: there },
        ],
      }),
    );
    const args = ["import", "wordpress", file, "--root", root, "--uploads", folder];
    const refused = await cms(args);
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining("There is no there.png in the folder") });
    expect(asked).toEqual([]);
    const done = await cms([...args, "--allow-media-from", host]);
    expect(done).toMatchObject({ code: 1, out: expect.stringContaining("other.png is not imported: There is no") });
    expect(asked).toEqual(["/wp-content/uploads/there.png"]);
    expect(readFileSync(join(root, "media/there.png")).equals(bytes)).toBe(true);
    const [post = ""] = readdirSync(join(root, "content/articles"));
    expect(readFileSync(join(root, "content/articles", post), "utf8")).toContain('<img src="/media/there.png" alt="">');
  });

  it.each([
    [["no-such.xml"], 2, "There is no file no-such.xml"],
    [["FILE", "--time-zone", "Mars"], 2, "Mars is no time zone"],
    [["FILE", "--uploads", "/no/such/folder"], 2, "There is no folder"],
    [["FILE", "--posts-page", "blog"], 2, "--posts-page is a path"],
  ])("refuses %j", async (args, code, message) => {
    const { root, file } = await start();
    const ended = await cms([
      "import",
      "wordpress",
      ...args.map((each) => (each === "FILE" ? file : each)),
      "--root",
      root,
    ]);
    expect(ended).toMatchObject({ code, err: expect.stringContaining(message) });
  });

  it("refuses a file that is damaged, with its line, and changes nothing", async () => {
    const { root, file, args, commits } = await start();
    const before = commits();
    writeFileSync(file, wordPressExport(OLD_SITE).slice(0, -40));
    expect(await cms(args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/export\.xml:\d+: The file is not well-formed/),
    });
    expect([commits(), existsSync(join(root, "content/articles"))]).toEqual([before, false]);
  });

  it("a page of columns, gallery, cover and buttons arrives as blocks in a site with types of these names", async () => {
    const folder = await temporaryFolder();
    const root = join(folder, "site");
    const file = join(folder, "export.xml");
    const page = { id: 40, type: "page", title: "Landing", link: "/landing/", slug: "landing", content: BLOCKS_PAGE };
    const team = { id: 41, type: "page", title: "Team", link: "/page-1/", slug: "page-1", content: "Us" };
    writeFileSync(file, wordPressExport({ items: [page, team, ...pictureItems] }));
    expect(await cms(["init", root, "--bare-site", "--languages", "en"])).toMatchObject({ code: 0 });
    for (const [path, text] of Object.entries(BLOCK_FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    const args = ["import", "wordpress", file, "--root", root, "--uploads", await uploads(), "--markdown"];
    const done = await cms([...args, "--page-model", "landing"]);
    expect(done).toMatchObject({ code: 0, out: expect.not.stringContaining("one piece") });
    const text = readFileSync(join(root, "content/pages/landing.yaml"), "utf8");
    expect(text).toContain("model: landing\n");
    expect([...text.matchAll(/^ {8}- type: (\w+)$/gm)].map(([, type]) => type)).toEqual([
      "cover",
      "text",
      "columns",
      "gallery",
      "buttons",
    ]);
    expect(text).toContain("From the first of *April*.");
    const checked = await cms(["check", "--root", root]);
    expect([checked.code, checked.out.split("\n").filter((line) => line.includes(": error: "))]).toEqual([0, []]);
    expect(await cms(args)).toMatchObject({ code: 0, err: expect.stringContaining("no commit") });
  });
});
