/**
 * Every route of the API, and of the public site, is asked once on a site of 4,000 pages of which the process has read
 * none: a route that reads all pages at once would hold every other request.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { API_ROUTES } from "../../../src/http/routes/api-routes.ts";
import type { Route } from "../../../src/http/app/route.ts";
import { ROUTER_ROUTES } from "../../../src/http/public/routers.ts";
import { monitored, tooLong, type Monitored } from "./stall-server.ts";

/** Processor time: to read all pages takes more than this, and most writes less. */
const READS_ALL_MS = 300;
const PAGES = 3500;
const ARTICLES = 500;
const PAGE = 900_000;
const ARTICLE = 800_000;
/** From this one on, the pages are of a model of their own. */
const ROOMS = 3000;

/** Pages, of which each fourth names a picture, and articles that name a tag. They tell enough that reading them takes time. */
function manyPages(root: string): void {
  const put = (name: string, what: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), what);
  };
  const text = (id: number, more = ""): string =>
    `id: ${id}\nidentifier: page-${id}\ndate_created: 2026-01-02T00:00:00.000Z\n${more}translations:\n` +
    ["en", "it"]
      .map(
        (lang) =>
          `  ${lang}:\n    title: Page ${id}\n    permalink: /page-${id}\n    published_at: 2026-01-02T00:00:00.000Z\n` +
          `    template_data:\n      intro: ${"Some words of a page. ".repeat(20)}\n      picture: 71\n      items: [1, 2, 3, { a: b }]\n`,
      )
      .join("");
  for (let n = 0; n < PAGES; n++)
    put(
      `content/pages/many-${n}.yaml`,
      text(
        PAGE + n,
        `${n % 4 === 0 ? "og_image: 71\n" : ""}${n > 0 ? `parent_page: ${PAGE}\n` : ""}${n < ROOMS ? "" : "model: room\n"}`,
      ),
    );
  for (let n = 0; n < ARTICLES; n++) put(`content/articles/a${n}.yaml`, text(ARTICLE + n, "tags: [72]\n"));
  put("content/media/notes.txt.yaml", "id: 71\ncreated: 2026-01-02T00:00:00.000Z\n");
  put("media/notes.txt", "Notes\n");
  put("content/tags/boats.yaml", "id: 72\ntranslations:\n  en:\n    name: Boats\n");
  put("content/menus/main.yaml", `id: 73\nnodes:\n  - title: One\n    link: { link_type: RE, url_node: ${PAGE} }\n`);
  put("content/meta-types/faq.yaml", "id: 74\nschema: [{ name: question }]\n");
  put("content/meta-instances/faq/one.yaml", "id: 75\ndata: { question: Why? }\n");
  put("content/contents/notice.yaml", "id: 76\ntranslations:\n  en:\n    content: Closed\n");
  put("content/page-models/room.yaml", "schema: [{ name: beds, kind: integer }]\n");
  put("content/block-types/spring.yaml", "schema: [{ name: words }]\n");
  put("templates/defaults/articles/default.html", "<h1>{{ page.title }}</h1>");
  execFileSync("git", ["add", "-A"], { cwd: root });
  execFileSync("git", ["-c", "user.name=P", "-c", "user.email=p@example.org", "commit", "-q", "-m", "Many"], {
    cwd: root,
  });
}

/** The number of the page for the next write: each is about one that no request has read. */
let fresh = 1;

const IDS: Readonly<Record<string, () => string>> = {
  pages: () => String(PAGE + fresh++),
  articles: () => String(ARTICLE + fresh++),
  models: () => String(PAGE + ROOMS + fresh++),
  media: () => "71",
  tags: () => "72",
  menus: () => "main",
  "meta-types": () => "74",
  "meta-instances": () => "75",
  contents: () => "76",
};

/** The bodies of writes; `{}` where a route is not named. */
const BODIES: Readonly<Record<string, () => unknown>> = {
  "POST pages": () => ({ title: "New" }),
  "POST articles": () => ({ title: "New" }),
  "POST models/:model": () => ({ title: "New" }),
  "POST pages/update_order": () => ({ startId: PAGE + fresh++, endId: PAGE + fresh++ }),
  "POST articles/update_order": () => ({ startId: ARTICLE + fresh++, endId: ARTICLE + fresh++ }),
  "POST pages/bulk_delete": () => [PAGE + fresh++],
  "POST articles/bulk_delete": () => [ARTICLE + fresh++],
  "POST models/:model/bulk_delete": () => [PAGE + ROOMS + fresh++],
  "POST models/:model/update_order": () => ({ startId: PAGE + ROOMS + fresh++, endId: PAGE + ROOMS + fresh++ }),
  "POST tags/bulk_delete": () => [72],
  "POST media/bulk_delete": () => [71],
  "POST contents/bulk_delete": () => [76],
  "PATCH pages/:id/draft": () => ({ title: "Drafted" }),
  "PUT pages/:id/draft": () => ({ title: "Drafted" }),
  "POST pages/:id/schedule": () => ({ publish_at: "2099-01-01T00:00:00Z" }),
  "PATCH pages/:id": () => ({ permalink: `/moved-${fresh++}` }),
  "POST pages/:id/addresses": () => ({ permalink: `/moved-${fresh++}` }),
  "POST tags": () => ({ name: "Oars" }),
  "POST menus": () => ({ key: "other", nodes: [] }),
  "POST block-types": () => ({ name: "quote", schema: [{ name: "words" }] }),
  "PATCH block-types/:name": () => ({ label: "Spring", schema: [{ name: "words", kind: "text" }] }),
  "POST meta-types": () => ({ key: "price", name: "Price", schema: [{ name: "amount" }] }),
  "POST meta-instances": () => ({ meta_type: 74, data: { question: "Who?" } }),
  "POST contents": () => ({ identifier: "other", content: "Text" }),
  "POST releases": () => ({ name: "spring", items: [{ page: PAGE + fresh++, action: "unpublish" }] }),
  "POST redirects": () => ({ from: "/press", to: "/about", status: 302 }),
  "PUT meta-types/:id": () => ({ key: "faq", name: "Questions", schema: [{ name: "question", required: true }] }),
};

/** Lists and reads with what makes them read more, and what is no route of the API. */
const MORE: readonly string[] = [
  "api/cms/pages/?sort=parent_page__title&items=5",
  "api/cms/pages/?search=words&items=5",
  "api/cms/pages/?fltr=template_data__icontains=words&items=5",
  "api/cms/pages/?status=PUB&sort=-title&items=5",
  "api/cms/articles/?sort=tags__name&items=5",
  "api/cms/models/room/?items=5&sort=template",
  "api/cms/menus/search_urlnode/",
  "api/cms/menus/page_types/1/",
  "api/cms/menus/page_types/2/",
  "api/cms/media-folders/?all=true",
  "api/cms/openapi.json?format=3.0",
  "sitemap.xml",
  "robots.txt",
  "feed.xml",
  "page-900007/",
  "page-800007/",
  "it/page-900008/",
  "nowhere/",
  "media/notes.txt",
  "healthz",
  "metrics",
];

/** The names that parameters other than ids stand for. */
const NAMES: Readonly<Record<string, string>> = { model: "room", key: "main", name: "spring", type: "1" };

function pathOf(path: string): string {
  const [resource = ""] = path.split("/");
  return path
    .replace(":id", () => IDS[resource]?.() ?? "1")
    .replace("**", () => `page-${PAGE + fresh++}/`)
    .replace(/:(\w+)/g, (_, name: string) => NAMES[name] ?? "abcdef01");
}

/** Deletions come last. */
const turnOf = ({ method, path }: Route): number => (method === "DELETE" || path.endsWith("bulk_delete") ? 1 : 0);

it("whatever the route, of a site of which nothing is read yet", { timeout: 900_000 }, async () => {
  const watched = await monitored(manyPages);
  await eachRoute(watched);
});

/** A request that made the process read all pages would hide that the next one does: the server starts again after it. */
async function eachRoute(watched: Monitored): Promise<void> {
  const found: Record<string, number> = {};
  const ask = async (method: string, path: string, body?: unknown): Promise<void> => {
    await watched.longest();
    const { status } = await watched.server.ask(method, path, body);
    expect([method, path, status < 500 || status === 501]).toEqual([method, path, true]);
    const what = `${method} ${path} (${status})`;
    found[what] = Math.round(await watched.longest());
    if (watched.worked > READS_ALL_MS) await watched.restart();
  };
  await watched.restart(); // the first start has read the files themselves
  for (const path of MORE) await ask("GET", path);
  const routes = [...API_ROUTES, ...ROUTER_ROUTES].sort((a, b) => turnOf(a) - turnOf(b));
  for (const { method, path, isAliased } of routes) {
    if (isAliased) continue;
    const hasBody = method !== "GET" && method !== "DELETE";
    const address = `api/cms/${pathOf(path)}${path.includes("pages-router") ? "" : "/"}`;
    await ask(method, address, hasBody ? (BODIES[`${method} ${path}`]?.() ?? {}) : undefined);
  }
  expect(tooLong(found)).toEqual([]);
}
