/**
 * What the two front-end clients of the upstream interface send, below an alias root: a server-rendering site (Astro) and
 * the proxy of an admin interface (Mapo). The main root is stricter.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { memorySite, type MemorySite } from "../../site.ts";
import { browserOf, PASSWORD, signIn, type Browser } from "./accounts/sign-in.ts";

const ROOT = "/api/camomilla";
/** The headers of every `fetch` in Node. */
const NODE = { accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors", "user-agent": "node" };
const EDITOR = { is_staff: true, is_superuser: true };

let site: MemorySite;
let about: { id: number; content_type: number };
beforeEach(async () => {
  site = await memorySite({}, { API: { ALIASES: [ROOT] } });
  about = await site.page({ title_en: "About", title_it: "Chi siamo", template_data: { list: [[null, "<b>"]] } }, [
    "en",
    "it",
  ]);
});

const get = (path: string, headers: Record<string, string> = {}) =>
  site.ask("GET", `${ROOT}/${path}`, { headers: { ...NODE, ...headers } });
const cookieOf = (browser: Browser): string => [...browser.cookies].map((pair) => pair.join("=")).join("; ");

describe("a site that renders pages for each request", () => {
  it("requests the visitor's account with both cookies, and treats a refusal as anonymous", async () => {
    const browser = await signIn(site, "anna", EDITOR);
    const { status, body } = await browser.ask("GET", `${ROOT}/users/current/`, { headers: NODE });
    expect([status, body.is_superuser, body.is_staff, body.is_active]).toEqual([200, true, true, true]);
    expect((await get("users/current/", { cookie: "sessionid=garbage; csrftoken=garbage" })).status).toBe(401);
  });

  it("appends the visitor's path unchanged, and follows descriptors, not redirects", async () => {
    expect((await get("pages-router/about")).body).toEqual({ redirect: "/about/", status: 301 });
    expect((await get("pages-router/it/chi-siamo")).body).toEqual({ redirect: "/it/chi-siamo/", status: 301 });
    const { status, body } = await get("pages-router/it/chi-siamo/", { cookie: "sessionid=stale" });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      template_file: "defaults/pages/default.html",
      is_public: true,
      content_type: about.content_type,
      contents: {},
      language: "it",
      template_data: { list: [[null, "<b>"]] },
      alternates: { en: "/about/" },
    });
    expect(body).not.toHaveProperty("redirect");
    expect((await get("pages-router/nowhere/")).body).toEqual({ detail: "Not found." });
  });

  it("previews with a session, and falls back to the public page without one", async () => {
    const browser = await signIn(site, "anna", EDITOR);
    await site.api("PATCH", `pages/${about.id}/draft/?language=en`, { title: "Drafted" });
    const { body } = await browser.ask("GET", `${ROOT}/pages-router-preview/about/`, { headers: NODE });
    expect([body.title, body.has_draft]).toEqual(["Drafted", true]);
    const stale = { cookie: "sessionid=stale; csrftoken=stale", "x-csrftoken": "stale" };
    expect((await get("pages-router-preview/about/", stale)).status).toBe(401);
    expect((await get("pages-router/about/", stale)).body.title).toBe("About");
  });

  it("shows menus in any requested language", async () => {
    const nodes = [{ title: "Out", link: { link_type: "ST", static: "https://example.org/" } }];
    await site.api("POST", "menus/", { key: "main", translations: { en: { nodes } } });
    for (const query of ["", "?language=it", "?language=xx"]) {
      const { status, body } = await get(`menus-router/main${query}`);
      expect([status, Array.isArray(body.nodes)]).toEqual([200, true]);
    }
    expect((await get("menus-router/main")).body.nodes[0].link.url).toBe("https://example.org/");
    expect((await get("menus-router/unknown")).status).toBe(404);
  });

  it("creates and edits blocks and reads their history with cookies only", async () => {
    const browser = await signIn(site, "anna", EDITOR);
    const headers = { ...NODE, cookie: cookieOf(browser), "x-csrftoken": browser.cookies.get("csrftoken")! };
    const block = { content_type: about.content_type, object_id: about.id, identifier: "hero", content: "Hello" };
    const made = await site.ask("POST", `${ROOT}/contents/get-or-create/?language=en`, { headers, body: block });
    expect(made.body.content).toBe("Hello");
    const path = `${ROOT}/contents/${made.body.id}/djsuperadmin/`;
    const patched = await site.ask("PATCH", `${path}?language=en&cache=1`, { headers, body: { content: "Hi" } });
    expect(patched.body).toEqual({ content: "Hi" });
    expect((await site.ask("GET", `${path}history/`, { headers })).body.versions).toMatchObject([{ data: "Hello" }]);
    expect((await get("pages-router/about/")).body.contents.hero).toMatchObject({ content: "Hi" });
  });
});

describe("the proxy of an admin interface", () => {
  it("signs in with an empty Cookie header, and out by GET", async () => {
    const browser = browserOf(site);
    await signIn(site, "anna", EDITOR);
    const body = { username: "anna", password: PASSWORD };
    const answer = await browser.ask("POST", `${ROOT}/auth/login/`, { body, headers: { cookie: "" } });
    expect([answer.status, [...browser.cookies.keys()].sort()]).toEqual([200, ["csrftoken", "sessionid"]]);
    expect((await browser.ask("GET", `${ROOT}/pages/`)).status).toBe(200);
    expect((await browser.ask("GET", `${ROOT}/auth/logout/`)).status).toBe(200);
    expect(browser.cookies.has("sessionid")).toBe(false);
    expect((await get("pages/")).status).toBe(401);
  });

  it("saves records with additional keys, which the main root refuses", async () => {
    const more = { ...about, title_en: "Us", permalink_en: "/elsewhere", title_fr: "Nous", mapo_state: { open: true } };
    const saved = await site.ask("PUT", `${ROOT}/pages/${about.id}/`, { as: "staff", body: more });
    expect([saved.status, saved.body.translations.en.permalink]).toEqual([200, "/us"]);
    const refused = await site.ask("PUT", `api:pages/${about.id}/`, { as: "staff", body: more });
    expect([refused.status, Object.keys(refused.body).sort()]).toEqual([
      400,
      ["mapo_state", "permalink_en", "title_fr"],
    ]);
    const dropped = await site.ask("PATCH", `api:pages/${about.id}/`, {
      as: "staff",
      body: { permalink_en: "/elsewhere" },
    });
    expect([dropped.status, Object.keys(dropped.body)]).toEqual([400, ["permalink_en"]]);
  });

  it("uploads with the payload as JSON in `data`, and reads folders under their plural name", async () => {
    const form = new FormData();
    form.append("data", JSON.stringify({ alt_text: "A note", same_url: true }));
    form.append("file", new Blob(["some text"], { type: "text/plain" }), "note.txt");
    const request = new Request("http://x/", { method: "POST", body: form });
    const headers = { "content-type": request.headers.get("content-type")! };
    const body = new Uint8Array(await request.arrayBuffer());
    const answer = await site.ask("POST", `${ROOT}/media/`, { as: "staff", headers, body });
    expect([answer.status, answer.body.alt_text]).toEqual([201, "A note"]);
    const folder = await site.ask("POST", `${ROOT}/media-folders/`, {
      as: "staff",
      body: { title: "Notes", slug: "notes", updir: null },
    });
    expect(folder.status).toBe(201);
    const listing = await site.ask("GET", `${ROOT}/media-folders/?page=1&language_code=it`, { as: "staff" });
    expect([listing.body.folders.length, listing.body.media.paginator.page]).toEqual([1, 1]);
    const damaged = await site.ask("POST", `${ROOT}/media/`, {
      as: "staff",
      headers,
      body: body.map((byte) => byte ^ 0x20),
    });
    expect(damaged.status).toBe(400);
  });

  it("orders pages, and sends OPTIONS", async () => {
    const other = await site.page({ title_en: "Other" });
    const moved = await site.ask("POST", `${ROOT}/pages/update_order/`, {
      as: "staff",
      body: { startId: other.id, endId: about.id },
    });
    expect(moved.status).toBe(200);
    expect((await site.ask("OPTIONS", `${ROOT}/pages/`, { as: "staff" })).status).toBe(200);
  });
});
