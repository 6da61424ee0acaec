/** Information leaks: a hidden page is indistinguishable from a missing one on every public surface. */
import { describe, expect, it } from "vitest";
import { memorySite, type Answer, type MemorySite } from "../site.ts";

type Hide = (site: MemorySite, id: number) => Promise<unknown>;

const HIDDEN: readonly (readonly [string, Hide])[] = [
  ["a draft", (site, id) => site.api("PATCH", `pages/${id}/`, { published_at_en: null })],
  ["planned", (site, id) => site.api("PATCH", `pages/${id}/`, { published_at_en: "2030-01-01T00:00:00Z" })],
  ["trashed", (site, id) => site.api("POST", `pages/${id}/trash/`)],
];

const look = ({ status, text, headers }: Answer): unknown => [
  status,
  text,
  [...headers].filter(([name]) => name !== "date"),
];

describe.each(HIDDEN)("%s", (_what, hide) => {
  async function hidden(): Promise<MemorySite> {
    const site = await memorySite({
      "content/menus/main.yaml":
        "key: main\nnodes:\n  en:\n    - title: Menu\n      link: { link_type: RE, url_node: 1 }\n",
    });
    const secret = await site.page({ title: "Secret", description: "Confidential" }, ["en"]);
    await site.page({ title: "Child", parent_page: secret.id }, ["en"]);
    await site.page({ title: "Public" }, ["en"]);
    await site.api("PATCH", `pages/${secret.id}/`, { title: "Secret", autopermalink: false, permalink: "/secret" });
    await site.api("PATCH", `pages/${secret.id}/`, { permalink: "/former", autopermalink: false });
    await site.api("PATCH", `pages/${secret.id}/`, { permalink: "/secret", autopermalink: false });
    await hide(site, secret.id);
    return site;
  }

  it("answers like a missing page: status, body and headers, in every form", async () => {
    const { ask } = await hidden();
    for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
      for (const [real, none] of [
        ["api:pages-router/secret/", "api:pages-router/nothin/"],
        ["api:pages-router/secret", "api:pages-router/nothin"],
        ["api:pages-router/en/secret/", "api:pages-router/en/nothin/"],
        ["api:pages-router/it/secret/", "api:pages-router/it/nothin/"],
        ["api:pages-router/former/", "api:pages-router/nothin/"],
        ["/secret/", "/nothin/"],
        ["/former/", "/nothin/"],
        ["/it/secret/", "/it/nothin/"],
        ["api:pages-router-preview/secret/", "api:pages-router-preview/nothin/"], // for anonymous requests
      ]) {
        expect(look(await ask(method, real!))).toEqual(look(await ask(method, none!)));
      }
    }
  });

  it("is in no list, breadcrumb, menu or link", async () => {
    const { ask } = await hidden();
    for (const path of [
      "api:pages-router/changes",
      "/sitemap.xml",
      "api:pages-router/secret/child/",
      "api:pages-router/public/",
      "/secret/child/",
      "api:",
      "/",
    ]) {
      const { text } = await ask("GET", path);
      // The child's own address contains the parent's.
      expect(text.replaceAll(/\/(secret|former)\/child/g, "")).not.toMatch(/Secret|Confidential|\/secret|former/);
    }
  });
});

describe("a failure", () => {
  it("of the program reveals no details", async () => {
    const site = await memorySite();
    Object.defineProperty(site.cms.store, "current", {
      get: () => {
        throw new TypeError("/srv/site/content: secret");
      },
    });
    for (const path of ["api:pages/", "api:pages-router/x/", "/x/", "/healthz"]) {
      const { status, text, headers } = await site.ask("GET", `${path}?q=secret`, { as: "staff" });
      expect([status, text, headers.get("cache-control")]).toEqual([
        500,
        '{"detail":"Internal server error."}',
        "no-store, private",
      ]);
    }
  });

  it("of access does not reveal whether an id exists", async () => {
    const site = await memorySite();
    const { id } = await site.page({ title: "T" });
    for (const [method, tail] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "publish/"],
      ["GET", "preview/"],
      ["GET", "revisions/"],
    ]) {
      for (const as of [null, "reader"] as const) {
        if (as === "reader" && method === "GET" && tail === "") continue;
        expect(look(await site.ask(method!, `api:pages/${id}/${tail}`, { as }))).toEqual(
          look(await site.ask(method!, `api:pages/999/${tail}`, { as })),
        );
      }
    }
  });

  it("names no software", async () => {
    const { headers } = await (await memorySite()).ask("GET", "api:nothing/");
    expect([...headers.keys()].filter((name) => /server|powered|via|version/.test(name))).toEqual([]);
  });
});
