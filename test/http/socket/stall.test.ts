/**
 * How long one hostile request delays others, measured in the process of the real command.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "../../cli/process.ts";
import { measuring, monitored, tooLong } from "./stall-server.ts";

const MB = 1024 * 1024;

const keys = (count: number, length = 1): string =>
  `{${Array.from({ length: count }, (_, n) => `"${String(n).padStart(length, "k")}":1`).join()}}`;
const form = (count: number, part: (n: number) => string): string =>
  `${Array.from({ length: count }, (_, n) => `--x\r\nContent-Disposition: form-data; ${part(n)}\r\n\r\n1\r\n`).join("")}--x--\r\n`;
const JSON_TYPE = "application/json";
const FORM_TYPE = "multipart/form-data; boundary=x";
const URL_TYPE = "application/x-www-form-urlencoded";

const BODIES: readonly (readonly [what: string, path: string, type: string, body: () => string])[] = [
  ["600,000 keys", "pages/", JSON_TYPE, () => `{"template_data":${keys(600_000)}}`],
  ["600,000 keys at the top", "pages/", JSON_TYPE, () => keys(600_000)],
  ["10 MB of keys", "pages/", JSON_TYPE, () => keys(100_000, 90)],
  [
    "10 MB in as many keys as may be",
    "pages/",
    JSON_TYPE,
    () =>
      `{"a":${keys(19_900, 45)},"b":${keys(19_900, 45)},"c":"${"x".repeat(0.9 * MB)}","d":"${"x".repeat(0.9 * MB)}","e":"${"é".repeat(0.4 * MB)}"}`,
  ],
  ["9 MB of backslashes", "pages/", JSON_TYPE, () => `{"meta":{"a":"${"\\\\".repeat(4.5e6)}"}}`],
  [
    "1 MB of backslashes nine times",
    "pages/",
    JSON_TYPE,
    () =>
      `{${Array.from({ length: 9 }, (_, n) => `"k${n}":"${"\\\\".repeat(0.5 * MB)}"`).join()}}`.replaceAll(
        "\\\\".repeat(20),
        "\\\\".repeat(19),
      ),
  ],
  ["9 MB of surrogates", "pages/", JSON_TYPE, () => `{"meta":{"a":"${"\\ud83d\\ude00".repeat(750_000)}"}}`],
  [
    "9 MB of letters beyond ASCII",
    "pages/",
    JSON_TYPE,
    () => `{${Array.from({ length: 9 }, (_, n) => `"k${n}":"${"é".repeat(0.49 * MB)}"`).join()}}`,
  ],
  ["two million items", "pages/bulk_delete/", JSON_TYPE, () => `[${"1,".repeat(2e6)}1]`],
  ["ten megabytes of brackets", "pages/", JSON_TYPE, () => "[".repeat(9.9 * MB)],
  ["a number of 9 MB", "pages/", JSON_TYPE, () => `{"ordering":${"9".repeat(9e6)}}`],
  ["a number of 9 MB by itself", "pages/", JSON_TYPE, () => "9".repeat(9e6)],
  ["100,000 file parts", "pages/", FORM_TYPE, () => form(100_000, (n) => `name="f${n}"; filename="a"`)],
  ["100,000 file parts", "media/", FORM_TYPE, () => form(100_000, (n) => `name="f${n}"; filename="a"`)],
  ["100,000 texts", "pages/", FORM_TYPE, () => form(100_000, (n) => `name="f${n}"`)],
  ["a million boundaries", "pages/", FORM_TYPE, () => "--x\r\n".repeat(1e6)],
  ["one endless header of a part", "pages/", FORM_TYPE, () => `--x\r\n${"a".repeat(9e6)}`],
  [
    "600,000 keys in a form",
    "media/",
    FORM_TYPE,
    () => `--x\r\nContent-Disposition: form-data; name="data"\r\n\r\n${keys(80_000)}\r\n--x--\r\n`,
  ],
  [
    "9 MB in a form's text",
    "pages/",
    FORM_TYPE,
    () => `--x\r\nContent-Disposition: form-data; name="title"\r\n\r\n${"é".repeat(4.5e6)}\r\n--x--\r\n`,
  ],
  ["four million fields", "pages/", URL_TYPE, () => "a&".repeat(4e6)],
  ["9 MB of percent signs", "pages/", URL_TYPE, () => `a=${"%".repeat(9e6)}`],
  [
    "9 MB of escapes",
    "pages/",
    URL_TYPE,
    () => Array.from({ length: 9 }, (_, n) => `a${n}=${"%C3%A9".repeat(150_000)}`).join("&"),
  ],
];

const LIMIT_KEYS = 19_900;
const LIMIT_TEXT = 950_000;
const LINE = "A line of text with a few words: and a colon, # and more.\n";

const manyKeys = (from: number): object =>
  Object.fromEntries(Array.from({ length: LIMIT_KEYS }, (_, n) => [`key${n}`, from + n]));
const manyItems = (from: number): object => ({
  items: Array.from({ length: 3900 }, (_, n) => ({ a: `text ${from + n}`, b: n, c: true, d: "x: y" })),
});
const nested = (from: number): object => {
  let inner: object = {};
  for (let depth = 0; depth < 30; depth++)
    inner = { ...Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, from + n])), inner };
  return inner;
};
const longText = (from: number): object => ({ text: `${from}\n${LINE.repeat(LIMIT_TEXT / LINE.length)}` });
const longLine = (from: number): object => ({ text: `${from} ${"x y ".repeat(LIMIT_TEXT / 4)}` });

/** Accepted values at the limits, different for each number. */
const VALUES: readonly (readonly [what: string, value: (from: number) => object])[] = [
  ["20,000 keys", manyKeys],
  ["20,000 values in a list", manyItems],
  ["20,000 keys within each other", nested],
  ["1 MB of lines", longText],
  ["1 MB on one line", longLine],
];

const ROOT_ID = 990_000;

/** Pages side by side, and one with descendants whose permalinks follow its own. */
function manyPages(root: string, pages: number, descendants: number): void {
  const text = (id: number, title: string, permalink: string, more = ""): string =>
    `id: ${id}\nidentifier: page-${id}\ndate_created: 2026-01-02T00:00:00.000Z\n${more}translations:\n` +
    ["en", "it"]
      .map(
        (lang) =>
          `  ${lang}:\n    title: ${title}\n    permalink: ${permalink}\n    autopermalink: ${more !== ""}\n` +
          "    published_at: 2026-01-02T00:00:00.000Z\n",
      )
      .join("");
  const put = (name: string, what: string): void => writeFileSync(join(root, "content/pages", name), what);
  for (let n = 0; n < pages; n++) put(`many-${n}.yaml`, text(900_000 + n, `Page ${n}`, `/many-${n}`));
  put("root.yaml", text(ROOT_ID, "Root", "/root"));
  for (let n = 0; n < descendants; n++) {
    put(`below-${n}.yaml`, text(ROOT_ID + 1 + n, `Below ${n}`, `/root/below-${n}`, `parent_page: ${ROOT_ID}\n`));
  }
  execFileSync("git", ["add", "-A"], { cwd: root });
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Many pages"], {
    cwd: root,
  });
}

/** Pages whose files leave their permalinks out, below ten others, and some of one title. */
function pagesWithoutPermalinks(root: string, pages: number): void {
  const put = (name: string, what: string): void => writeFileSync(join(root, "content/pages", name), what);
  const text = (id: number, title: string, more = ""): string =>
    `id: ${id}\nidentifier: page-${id}\ndate_created: 2026-01-02T00:00:00.000Z\n${more}translations:\n` +
    ["en", "it"].map((lang) => `  ${lang}:\n    title: ${title}\n`).join("");
  for (let n = 0; n < 10; n++) put(`section-${n}.yaml`, text(ROOT_ID + n, `Section ${n}`));
  for (let n = 0; n < pages; n++) {
    const title = n % 10 === 0 ? "Of one title" : `Page ${n}`;
    put(`open-${n}.yaml`, text(900_000 + n, title, n % 2 === 0 ? "" : `parent_page: ${ROOT_ID + (n % 10)}\n`));
  }
  execFileSync("git", ["add", "-A"], { cwd: root });
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Many pages"], {
    cwd: root,
  });
}

/** Pages with drafts, and releases that each publish all of them. */
function releasesOfAll(root: string, pages: number, releases: number): void {
  const ids = Array.from({ length: pages }, (_, n) => 900_000 + n);
  manyPages(root, pages, 0);
  for (let n = 0; n < pages; n++) {
    const of = "language: en\ncreated_at: 2026-01-03T00:00:00.000Z\nupdated_at: 2026-01-03T00:00:00.000Z\n";
    const payload = `payload:\n  title: Drafted ${n}\n  template_data:\n    text: ${"words ".repeat(50)}\n`;
    writeFileSync(join(root, `content/pages/many-${n}.draft.en.yaml`), of + payload);
  }
  mkdirSync(join(root, "content/releases"), { recursive: true });
  const items = ids.map((id) => `  - page: ${id}\n`).join("");
  for (let n = 0; n < releases; n++)
    writeFileSync(join(root, `content/releases/r${n}.yaml`), `id: ${800_000 + n}\nitems:\n${items}`);
  execFileSync("git", ["add", "-A"], { cwd: root });
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Releases"], {
    cwd: root,
  });
}

describe("no request delays others", () => {
  it("whatever its body", async () => {
    const { server, longest } = await monitored();
    for (let n = 0; n < 20; n++) await server.ask("GET", "about/"); // loads lazy modules
    const found: Record<string, number> = {};
    for (const [what, path, type, body] of BODIES) {
      const bytes = Buffer.from(body());
      await server.post(`api/cms/${path}`, type, bytes); // warm-up
      await longest();
      const status = await server.post(`api/cms/${path}`, type, bytes);
      expect([what, status < 500]).toEqual([what, true]);
      found[`${what} to ${path}`] = Math.round(await longest());
    }
    expect(tooLong(found)).toEqual([]);
  }, 300_000);

  it("whatever it writes and reads", async () => {
    const { server, longest, dir } = await monitored();
    const found: Record<string, number> = {};
    /** Twice, since the first run is not compiled yet. */
    const measure = async (
      what: string,
      method: string,
      path: string,
      body?: (from: number) => unknown,
    ): Promise<any> => {
      let answer = await server.ask(method, path, body?.(1));
      expect([what, answer.status, answer.status < 300 ? "" : answer.body]).toEqual([what, answer.status, ""]);
      await longest();
      answer = await server.ask(method, path, body?.(2));
      expect([what, answer.status < 300]).toEqual([what, true]);
      found[what] = Math.round(await longest());
      return answer.body;
    };
    for (const [n, [what, value]] of VALUES.entries()) {
      const slug = (from: number): string => `page-${n}-${from}`;
      const { id } = await measure(`a new page of ${what}`, "POST", "api/cms/pages/", (from) => ({
        title: slug(from),
        autopermalink: false,
        permalink: `/${slug(from)}`,
        published_at: "2026-01-02T00:00:00Z",
        template_data: value(0),
      }));
      await measure(`another title beside ${what}`, "PATCH", `api/cms/pages/${id}/`, (from) => ({
        title: `Title ${from}`,
      }));
      await measure(`${what} changed`, "PATCH", `api/cms/pages/${id}/`, (from) => ({ template_data: value(from) }));
      await measure(`a draft of ${what}`, "PATCH", `api/cms/pages/${id}/draft/`, (from) => ({
        template_data: value(from + 2),
      }));
      await measure(`a page of ${what}`, "GET", `api/cms/pages/${id}/`);
      await measure(`${what} by address`, "GET", `api/cms/pages-router/${slug(2)}/`);
      await measure(`${what} as HTML`, "GET", `${slug(2)}/`);
    }
    await measure("meta of 20,000 keys", "PATCH", "api/cms/pages/12/", (from) => ({ meta: manyKeys(from) }));
    await measure("a new content block of 1 MB", "POST", "api/cms/contents/", (from) => ({
      identifier: `block-${from}`,
      content: LINE.repeat(LIMIT_TEXT / LINE.length),
    }));
    await measure("a new article of 1 MB", "POST", "api/cms/articles/", (from) => ({
      title: `Article ${from}`,
      autopermalink: false,
      permalink: `/article-${from}`,
      content: LINE.repeat(LIMIT_TEXT / LINE.length),
    }));
    const nodes = (from: number): object[] =>
      Array.from({ length: 3300 }, (_, n) => ({
        title: `Node ${from + n}`,
        link: { link_type: "ST", static: `/x${n}` },
      }));
    await measure("a new menu of 3,300 nodes", "POST", "api/cms/menus/", (from) => ({
      key: `menu-${from}`,
      nodes: nodes(from),
    }));
    await measure("all pages", "GET", "api/cms/pages/");
    await measure("a search in all pages", "GET", "api/cms/pages/?search=words");

    const pages = join(dir, "content/pages");
    for (const name of readdirSync(pages)) {
      const text = readFileSync(join(pages, name), "utf8");
      if (name !== "about.yaml") writeFileSync(join(pages, name), text.replace(/title: .*/, "title: By hand"));
    }
    await longest();
    await eventually(
      async () =>
        (await server.ask("GET", "api/cms/pages/?fields=title")).body.filter(
          ({ title }: { title: string }) => title === "By hand",
        ).length > 5,
    );
    found["edits by hand of all of these"] = Math.round(await longest());

    expect(tooLong(found)).toEqual([]);
  }, 600_000);

  it("however many pages there are, and however large a menu", async () => {
    const { server, longest, dir } = await monitored((root) => manyPages(root, 4000, 2300));
    const { measure, found } = measuring(server, longest);
    execFileSync("git", ["tag", "v0"], { cwd: dir });
    await measure("OpenAPI for the first time", "GET", "api/cms/openapi/");
    await measure("a sitemap for the first time", "GET", "sitemap.xml");
    await measure("a write", "PATCH", "api/cms/pages/12/", { title: "New" });
    await measure("a sitemap after a write", "GET", "sitemap.xml");
    await measure("the manifest", "GET", "api/cms/pages-router/changes");
    await measure("a page with 2,300 descendants is renamed", "PATCH", `api/cms/pages/${ROOT_ID}/`, {
      permalink: "/renamed",
    });
    await measure("renamed back", "PATCH", `api/cms/pages/${ROOT_ID}/`, { permalink: "/root" });
    for (const nodes of [1, 2]) {
      await measure(
        `a menu of 4,000 nodes ${nodes}`,
        nodes === 1 ? "POST" : "PATCH",
        nodes === 1 ? "api/cms/menus/" : "api/cms/menus/large/",
        {
          key: "large",
          nodes: Array.from({ length: 3900 }, (_, n) => ({
            title: `N ${n} ${nodes}`,
            link: { link_type: "RE", url_node: 900_000 + n },
          })),
        },
      );
      await measure(`that menu ${nodes}`, "GET", "api/cms/menus/large/");
      await measure(`a page with it ${nodes}`, "GET", "about/");
    }
    await server.ask("GET", "about/?at=main"); // loads lazy modules
    await measure("a page of a tag, which 2,300 pages differ from", "GET", "root/?at=v0");
    await measure("what differs from the tag", "GET", "api/cms/compare/?from=v0");
    const of = (action: string, count: number): object => ({
      items: Array.from({ length: count }, (_, n) => ({ page: 900_000 + n, action })),
    });
    await measure("a release of 1,000 pages", "POST", "api/cms/releases/", { name: "large", ...of("publish", 1000) });
    await measure("its check", "GET", "api/cms/releases/large/check/");
    await measure("it unpublishes them", "PATCH", "api/cms/releases/large/", of("unpublish", 1000));
    await measure("the manifest with it", "GET", "api/cms/pages-router/changes?release=large");
    await measure("it is published", "POST", "api/cms/releases/large/publish/");
    await measure("it is taken back", "POST", "api/cms/releases/large/revert/");
    await measure("it is scheduled", "POST", "api/cms/releases/large/schedule/", {
      publish_at: "2099-01-01T00:00:00Z",
    });
    await measure("the schedule", "GET", "api/cms/schedule/?from=2098-12-31T00:00:00Z");
    await measure("a page as it will be", "GET", "root/?as_of=2099-01-01T00:00:00Z");
    expect(tooLong(found)).toEqual([]);
  }, 600_000);

  it("however many files leave their permalinks out", async () => {
    const { server, longest, dir } = await monitored((root) => pagesWithoutPermalinks(root, 4000));
    const { measure, found } = measuring(server, longest);
    await server.ask("GET", "api/cms/pages-router/en/page-2/");
    await measure("a write beside them", "PATCH", "api/cms/pages/12/", { title: "New" });
    await measure("a second write beside them", "PATCH", "api/cms/pages/12/", { title: "Newer" });
    await measure("a write of one of them", "PATCH", "api/cms/pages/900007/", { title: "By request" });
    await measure("a new page", "POST", "api/cms/pages/", { title: "Page 9" });
    await measure("one of those with one title is deleted", "DELETE", "api/cms/pages/900010/?force=true");
    await measure("one with 400 pages below it is renamed", "PATCH", `api/cms/pages/${ROOT_ID + 1}/`, {
      title: "Renamed",
    });
    const section = join(dir, "content/pages/section-3.yaml");
    writeFileSync(section, readFileSync(section, "utf8").replaceAll(/title: .*/g, "title: By hand"));
    await longest();
    await eventually(
      async () => (await server.ask("GET", "api/cms/pages/900003/")).body.permalink === "/by-hand/page-3",
    );
    found["one with 400 pages below it is renamed by hand"] = Math.round(await longest());
    expect(tooLong(found)).toEqual([]);
  }, 600_000);

  it("however many fields a meta type has", async () => {
    const { server, longest } = await monitored();
    const { measure, found } = measuring(server, longest);
    const kinds = ["text", "integer", "boolean", "date", "datetime", "html", "number", "string"];
    const field = (n: number): object => ({
      name: `field_${n}`,
      kind: kinds[n % kinds.length],
      translated: n % 16 === 0,
    });
    const fields = (count: number, from: number): object[] => Array.from({ length: count }, (_, n) => field(from + n));
    const lists = Array.from({ length: 10 }, (_, n) => ({
      name: `list_${n}`,
      kind: "list",
      children: fields(16, 0).map((each) => ({ ...each, translated: false })),
    }));
    for (const key of ["first", "second"]) {
      const { id } = await measure(`the ${key} type of 490 fields`, "POST", "api/cms/meta-types/", {
        key,
        name: "Large",
        schema: [...fields(320, 0), ...lists],
      });
      const data = {
        field_8: "a",
        ...Object.fromEntries(lists.map(({ name }) => [name, [{ field_0: "b", field_1: 1 }]])),
      };
      await measure(`its first instance, ${key}`, "POST", "api/cms/meta-instances/", {
        meta_type: id,
        identifier: "one",
        data,
      });
      await measure(`its schema, ${key}`, "GET", `api/cms/meta-types/${id}/schema/`);
      await measure(`OpenAPI with it, ${key}`, "GET", "api/cms/openapi/");
      await measure(`the list of its instances, ${key}`, "GET", `api/cms/meta-instances/?meta_type=${key}`);
    }
    expect(tooLong(found)).toEqual([]);
  }, 600_000);

  it("however many releases are about the same pages", async () => {
    const { server, longest } = await monitored((root) => releasesOfAll(root, 400, 30));
    const { measure, found } = measuring(server, longest);
    await server.ask("GET", "api/cms/releases/r0/");
    await measure("the check of one", "GET", "api/cms/releases/r0/check/");
    await measure("the site with one", "GET", "api/cms/pages-router/many-1/?release=r0");
    await measure("one published", "POST", "api/cms/releases/r0/publish/");
    await measure("one taken back", "POST", "api/cms/releases/r0/revert/");
    expect(tooLong(found)).toEqual([]);
  }, 600_000);
});
