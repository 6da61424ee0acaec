/** Who may read other content than the newest, on every route; and that nothing of it stays anywhere. */
import { describe, expect, it } from "vitest";
import { addUser } from "../../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../../src/actions/accounts/sign-in.ts";
import { API_ROUTES } from "../../../src/http/routes/api-routes.ts";
import { CONTENT_PARAMETERS } from "../../../src/http/public/other-content.ts";
import { ROUTER_ROUTES } from "../../../src/http/public/routers.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../site.ts";

const DUE = "2026-03-05T08:00:00Z";
/** In what only other content has: what was removed, what is scheduled, what a release has. */
const SECRET = "Hush";

const VALUES: Readonly<Record<string, (past: string) => string>> = {
  at: (past) => past,
  as_of: () => DUE,
  release: () => "spring",
};

const SITE_PATHS = ["/", "/open/", "/open/index.json", "/hush/", "/nowhere/"];
const FILES = ["/sitemap.xml", "/robots.txt", "/feed.xml", "/media/none.png", "/style.css"];
const ROUTER_PATHS = ["open/", "hush/", "hush-was/", "it/hush/", "changes"].map(
  (path) => `/api/cms/pages-router/${path}`,
);

/** All routes, with an id that exists where the parameter is one. */
function routes(): readonly (readonly [method: string, path: string])[] {
  const fill = (path: string): string =>
    path.replace("**", "open/").replace(":name", "spring").replace(":key", "main").replace(/:\w+/g, "1");
  const api = [...API_ROUTES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES].map(
    ({ method, path }) => [method, `/api/cms/${fill(path)}`] as const,
  );
  return [
    ...api,
    ...[...SITE_PATHS, ...FILES].flatMap(
      (path) =>
        [
          ["GET", path],
          ["POST", path],
        ] as const,
    ),
  ];
}

/** A site with a page that anyone may read, and the secret in every content but the newest. */
async function siteWithSecrets(): Promise<{ site: MemorySite; past: string }> {
  const site = await memorySite({}, { BASE_URL: "https://example.org" });
  writeTemplate(site, "defaults/pages/default.html", "<h1>{{ page.title }}</h1>{{ page.description }}");
  const open = await site.page({ title_en: "Open", description_en: `${SECRET} was` }, ["en"]);
  const was = await site.page({ title_en: `${SECRET} was` }, ["en"]);
  const past = (await site.repo.state()).head!;
  site.clock.tick(1000);
  await site.ask("DELETE", `api:pages/${was.id}/`, { as: "staff" });
  await site.api("PATCH", `pages/${open.id}/`, { description_en: "Plain" });
  await site.api("PATCH", `pages/${open.id}/draft/?language=en`, { description: `${SECRET} drafted` });
  await site.api("POST", `pages/${open.id}/schedule/?language=en`, { publish_at: DUE });
  const planned = await site.api("POST", "pages/", { title_en: SECRET, title_it: SECRET });
  await site.api("POST", `pages/${planned.id}/schedule/?language=en`, { publish_at: DUE });
  await site.api("POST", "menus/", {
    key: "main",
    nodes_en: [{ title: "Open", link: { link_type: "RE", url_node: open.id } }],
  });
  const items = [
    { page: planned.id, language: "it" },
    { page: open.id, language: "en" },
  ];
  await site.api("POST", "releases/", { name: "spring", items });
  return { site, past };
}

/** A token of an account with one permission on the content, and staff or not. */
async function narrowToken(site: MemorySite, is_staff: boolean): Promise<Record<string, string>> {
  const { accounts } = site.cms;
  const user_permissions = ["cms.view_page", "cms.change_page"];
  const username = is_staff ? "narrow-staff" : "narrow-reader";
  const made = await addUser(accounts, { username, password: "open-sesame-narrow", is_staff, user_permissions });
  return { authorization: `Token ${await tokenOf(accounts, made)}` };
}

it("every parameter has a value here", () => {
  expect(CONTENT_PARAMETERS.map(({ name }) => name)).toEqual(Object.keys(VALUES));
});

describe.each(Object.keys(VALUES))("%s", (name) => {
  const withSecrets = async () => {
    const { site, past } = await siteWithSecrets();
    return { site, withValue: (path: string) => `${path}?${name}=${encodeURIComponent(VALUES[name]!(past))}` };
  };

  it("is refused on every route without staff rights, before anything else", async () => {
    const { site, withValue } = await withSecrets();
    const reader = { authorization: `Token ${await site.token("reader")}` };
    const narrow = await narrowToken(site, false);
    const [wanted, got]: Record<string, unknown>[] = [{}, {}];
    for (const [method, path] of routes()) {
      const ask = async (headers: Record<string, string>) => {
        const { status, text, headers: sent } = await site.ask(method, withValue(path), { headers });
        return [status, sent.get("cache-control"), text.includes(SECRET)];
      };
      wanted![`${method} ${path}`] = [401, 403, 403].map((status) => [status, "no-store, private", false]);
      got![`${method} ${path}`] = [await ask({}), await ask(reader), await ask(narrow)];
    }
    expect(got).toEqual(wanted);
  });

  it("lets staff read what they may read of the newest, stored nowhere, and write nothing", async () => {
    const { site, withValue } = await withSecrets();
    const { head } = await site.repo.state();
    const staff = await narrowToken(site, true);
    const refused = (status: number): number => (status === 401 || status === 403 ? status : 200);
    const [wanted, got]: Record<string, unknown>[] = [{}, {}];
    for (const [method, path] of routes()) {
      const { status, headers } = await site.ask(method, withValue(path), { headers: staff });
      if (method === "GET") {
        wanted![path] = [refused((await site.ask(method, path, { headers: staff })).status), "no-store, private"];
        got![path] = [refused(status), headers.get("cache-control")];
      } else {
        wanted![`${method} ${path}`] = 400;
        got![`${method} ${path}`] = status;
      }
    }
    expect(got).toEqual(wanted);
    expect((await site.repo.state()).head).toBe(head);
  });

  it("leaves nothing in caches, the manifest, the sitemap and pages", async () => {
    const { site, withValue } = await withSecrets();
    const PUBLIC = [...SITE_PATHS, ...FILES, ...ROUTER_PATHS, "/api/cms/menus-router/main/", "/api/cms/sitemap/"];
    const read = async (): Promise<unknown[]> =>
      Promise.all(
        PUBLIC.map(async (path) => {
          const { status, text } = await site.ask("GET", path);
          return [path, status, text];
        }),
      );
    const before = await read();
    let found = 0;
    for (let time = 0; time < 2; time++)
      for (const path of PUBLIC) {
        const shown = await site.ask("GET", withValue(path), { as: "staff" });
        if (shown.text.includes(SECRET)) found++;
        const etag = shown.headers.get("etag");
        const again = await site.ask("GET", path, { ...(etag !== null && { headers: { "if-none-match": etag } }) });
        if (shown.text.includes(SECRET)) expect([path, again.status]).not.toEqual([path, 304]);
      }
    expect(found).toBeGreaterThan(5);
    expect(await read()).toEqual(before);
    expect(JSON.stringify(before)).not.toContain(SECRET);
  });
});
