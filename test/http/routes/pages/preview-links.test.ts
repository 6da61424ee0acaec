/** Preview links: what they open, and what they must not. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { SettingsInput } from "../../../../src/config.ts";
import { withNewToken } from "../../../../src/actions/accounts/accounts.ts";
import { h3App } from "../../../../src/http/app/h3-app.ts";
import { memorySite, writeTemplate, type MemorySite } from "../../../site.ts";

const EXPIRES = "2026-03-08T12:00:00Z";

/** A site with a public page, whose draft is in a release, and a link that shows the release. */
async function linkedSite(settings: SettingsInput = {}) {
  const site = await memorySite({}, settings);
  writeTemplate(site, "defaults/pages/default.html", "{{ page.title }} at {{ request.url }}");
  const page = await site.page({ title_en: "Boats", autopermalink_en: false, permalink_en: "/boats" }, ["en"]);
  const other = await site.page({ title_en: "Other" }, ["en"]);
  await site.api("PATCH", `pages/${page.id}/draft/?language=en`, { title: "New boats" });
  await site.api("PATCH", `pages/${other.id}/draft/?language=en`, { title: "Secret" });
  const items = [{ page: page.id, language: "en", action: "publish" }];
  await site.api("POST", "releases/", { name: "spring", items });
  const link = await site.api("POST", "preview-links/", { page: page.id, release: "spring", expires_at: EXPIRES });
  const url = new URL(link.url as string);
  return { site, page, other, link, path: url.pathname + url.search, token: url.searchParams.get("preview_link")! };
}

const cookieIn = (headers: Headers): string => (headers.get("set-cookie") ?? "").split(";")[0]!;

it("opens a page and what it leads to without an account, and in no cache", async () => {
  const { site, link, path, page, token } = await linkedSite();
  expect(link).toEqual({
    id: token.split(".")[0],
    url: `http://test.local/boats/?preview_link=${token}`,
    page: page.id,
    language: "en",
    title: "Boats",
    at: null,
    as_of: null,
    release: "spring",
    expires_at: EXPIRES,
    created_at: "2026-03-01T12:00:00Z",
    created_by: "staff",
  });
  const shown = await site.ask("GET", path);
  expect([shown.status, shown.text]).toEqual([200, "New boats at http://test.local/boats/"]);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "cache-control": "no-store, private",
    "referrer-policy": "no-referrer",
    "x-robots-tag": "noindex, nofollow",
    "set-cookie": `cms_preview=${token}; Path=/; Max-Age=604800; SameSite=Lax; HttpOnly`,
  });
  const cookie = cookieIn(shown.headers);
  const followed = await site.ask("GET", "/boats/", { headers: { cookie } });
  expect([followed.text, followed.headers.get("cache-control")]).toEqual([
    "New boats at http://test.local/boats/",
    "no-store, private",
  ]);
  expect((await site.ask("GET", "/other/", { headers: { cookie } })).text).toMatch(/^Other /);
  expect((await site.ask("GET", "/boats/")).text).toMatch(/^Boats /);
  expect((await site.ask("GET", `api:pages-router/boats/?preview_link=${token}`)).body.title).toBe("New boats");
  expect((await site.ask("GET", "api:pages-router/boats/", { headers: { cookie } })).body.title).toBe("Boats");
  const left = await site.ask("GET", "/boats/?preview_link=", { headers: { cookie } });
  expect([left.status, left.headers.get("location"), cookieIn(left.headers)]).toEqual([302, "/boats/", "cms_preview="]);
});

it("leaves the paths of the service and of the editor as they are, wherever the editor is", async () => {
  const { site, token } = await linkedSite({ ADMIN: { PATH: "/redaction/" } });
  const cookie = `cms_preview=${token}`;
  for (const path of ["/healthz", "/redaction", "/redaction/pages/1", "/admin/"]) {
    const robots = (await site.ask("GET", path, { headers: { cookie } })).headers.get("x-robots-tag");
    expect([path, robots]).toEqual([path, path === "/admin/" ? "noindex, nofollow" : null]);
  }
});

it("opens nothing by a token that is not exactly that of a link", async () => {
  const { site, token } = await linkedSite();
  const [id, signature] = token.split(".") as [string, string];
  const last = signature.at(-1) === "A" ? "B" : "A";
  const tokens = [
    `${id}.${signature.slice(0, -2)}${last}A`,
    `${id}.${signature.toLowerCase()}`,
    `${id}.`,
    id,
    `.${signature}`,
    `${id.slice(0, -1)}.${signature}`,
    `${token}x`,
    ` ${token}`,
    "x".repeat(10_000),
    "undefined.undefined",
  ];
  for (const each of tokens) {
    const query = `preview_link=${encodeURIComponent(each)}`;
    const shown = await site.ask("GET", `/boats/?${query}`);
    expect([each, shown.status, shown.headers.get("cache-control")]).toEqual([each, 403, "no-store, private"]);
    expect(shown.text).not.toContain("boats");
    expect((await site.ask("GET", `api:pages-router/boats/?${query}`)).status).toBe(403);
    expect((await site.ask("GET", "/boats/", { headers: { cookie: `cms_preview=${each.trim()}x` } })).status).toBe(403);
  }
});

it("opens no other route, method, context or page that is hidden", async () => {
  const { site, token, other, page } = await linkedSite();
  const query = `preview_link=${token}`;
  const status = async (method: string, path: string, as: "staff" | null = null) =>
    (await site.ask(method, path, { as, ...(method === "POST" && { body: {} }) })).status;
  for (const path of [
    "pages/",
    `pages/${page.id}/`,
    "pages-router-preview/boats/",
    "releases/",
    "users/",
    "preview-links/",
  ])
    for (const as of [null, "staff"] as const)
      expect([path, await status("GET", `api:${path}?${query}`, as)]).toEqual([path, 403]);
  for (const [method, path] of [
    ["POST", "api:pages-router/publish-due"],
    ["POST", "api:token-auth/"],
    ["DELETE", `api:pages/${page.id}/`],
    ["POST", "/boats/"],
  ] as const)
    expect([path, await status(method, `${path}?${query}`)]).toEqual([path, 403]);
  for (const more of ["at=main", "as_of=2027-01-01T00:00:00Z", "release=other", query])
    for (const order of [`${query}&${more}`, `${more}&${query}`])
      expect([
        order,
        await status("GET", `/boats/?${order}`),
        await status("GET", `api:pages-router/boats/?${order}`),
      ]).toEqual([order, 403, 403]);
  const cookie = `cms_preview=${token}`;
  expect((await site.ask("GET", "/boats/?at=main", { headers: { cookie } })).status).toBe(401);
  const secret = await site.ask("GET", `api:pages-router/other/?${query}&included_translations=all`);
  expect([secret.status, secret.text.includes("Secret")]).toEqual([200, false]);
  expect(other.id).not.toBe(page.id);
});

it("ends with its moment, its revocation, and the rights of the account that made it", async () => {
  const { site, link, path } = await linkedSite();
  const status = async () => (await site.ask("GET", path)).status;
  const again = async () => {
    const body = { page: link.page, release: "spring", expires_at: "2026-03-20T00:00:00Z" };
    const made = new URL((await site.api("POST", "preview-links/", body)).url as string);
    return made.pathname + made.search;
  };
  expect(await status()).toBe(200);
  site.clock.set("2026-03-08T11:59:59Z");
  expect(await status()).toBe(200);
  site.clock.set(EXPIRES);
  expect([await status(), await site.api("GET", "preview-links/")]).toEqual([403, []]);

  const second = await again();
  const [listed] = await site.api("GET", "preview-links/?own");
  expect(listed.url).toBe(`http://test.local${second}`);
  expect((await site.ask("DELETE", `api:preview-links/${listed.id}/`, { as: "staff" })).status).toBe(204);
  expect((await site.ask("DELETE", `api:preview-links/${listed.id}/`, { as: "staff" })).status).toBe(404);
  expect((await site.ask("GET", second)).status).toBe(403);

  const third = await again();
  expect((await site.ask("GET", third)).status).toBe(200);
  const account = (await site.cms.accounts.store.findByName("staff"))!;
  await site.cms.accounts.store.update(account.id, withNewToken);
  expect((await site.ask("GET", third)).status).toBe(403);
});

it("links that ended with the rights of their account leave room for others", async () => {
  const { site, link } = await linkedSite();
  const file = join(site.repo.stateDir, "preview-links.json");
  const [stored] = JSON.parse(readFileSync(file, "utf8")) as object[];
  const links = (more: object) => Array.from({ length: 1000 }, (_, n) => ({ ...stored, id: `link${n}`, ...more }));
  const add = async () => {
    const body = { page: link.page, release: "spring", expires_at: EXPIRES };
    return (await site.ask("POST", "api:preview-links/", { as: "staff", body })).status;
  };
  writeFileSync(file, JSON.stringify(links({})), { mode: 0o600 });
  expect(await add()).toBe(409);
  for (const ended of [{ token_version: 99 }, { account: 99 }]) {
    writeFileSync(file, JSON.stringify(links(ended)), { mode: 0o600 });
    expect([await site.api("GET", "preview-links/"), await add()]).toEqual([[], 201]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toHaveLength(1);
  }
});

it("a record that was changed in the private state opens nothing", async () => {
  const { site, path } = await linkedSite();
  const file = join(site.repo.stateDir, "preview-links.json");
  const [link] = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>[];
  for (const change of [
    { value: "main", context: "at" },
    { expires_at: "2099-01-01T00:00:00.000Z" },
    { page: 1 },
    { account: 99 },
  ]) {
    writeFileSync(file, JSON.stringify([{ ...link, ...change }]), { mode: 0o600 });
    expect([change, (await site.ask("GET", path)).status]).toEqual([change, 403]);
  }
  writeFileSync(file, JSON.stringify([link]), { mode: 0o600 });
  expect((await site.ask("GET", path)).status).toBe(200);
  expect(readFileSync(file, "utf8")).not.toContain(path.split(".").at(-1));
});

it("does not poison the cache of the router", async () => {
  const { site, token } = await linkedSite();
  const read = async (query = "") => (await site.ask("GET", `api:pages-router/boats/${query}`)).body.title;
  for (let round = 0; round < 2; round++)
    expect([await read(`?preview_link=${token}`), await read(), await read("?preview_link=")].slice(0, 2)).toEqual([
      "New boats",
      "Boats",
    ]);
});

it("is logged by its id, and never with its signature", async () => {
  const { site, link, path, token } = await linkedSite();
  await site.ask("GET", path);
  await site.ask("DELETE", `api:preview-links/${link.id}/`, { as: "staff" });
  await site.ask("GET", path);
  expect(site.logged.filter((line) => line.includes(link.id as string))).toHaveLength(3);
  expect(site.logged.join("\n")).not.toContain(token.split(".")[1]);
});

it("follows a release that is renamed, and ends where it is gone", async () => {
  const { site, path } = await linkedSite();
  await site.api("PATCH", "releases/spring/", { name: "summer" });
  expect((await site.ask("GET", path)).text).toMatch(/^New boats/);
  await site.api("POST", "releases/summer/publish/");
  expect((await site.ask("GET", path)).text).toMatch(/^New boats/);
  await site.ask("DELETE", "api:releases/summer/", { as: "staff" });
  expect((await site.ask("GET", path)).status).toBe(403);
});

it.each([
  [{ expires_at: undefined }, "expires_at"],
  [{ expires_at: "2026-02-01T00:00:00Z" }, "expires_at"],
  [{ expires_at: "2026-06-01T00:00:00Z" }, "expires_at"],
  [{ page: 99 }, "page"],
  [{ page: undefined }, "page"],
  [{ release: undefined }, "non_field_errors"],
  [{ at: "main" }, "non_field_errors"],
  [{ release: 7 }, "release"],
  [{ pages: 1 }, "pages"],
])("refuses %j", async (body, field) => {
  const { site, page } = await linkedSite();
  const sent = { page: page.id, release: "spring", expires_at: EXPIRES, ...body };
  const answer = await site.ask("POST", "api:preview-links/", { as: "staff", body: sent });
  expect([answer.status, Object.keys(answer.body as object)]).toEqual([400, [field]]);
});

it("is for pages that are public there", async () => {
  const { site, page } = await linkedSite();
  const planned = await site.api("POST", "pages/", { title_en: "Planned" });
  await site.api("POST", `pages/${planned.id}/schedule/?language=en`, { publish_at: "2026-05-01T00:00:00Z" });
  const ask = (of: object): ReturnType<MemorySite["ask"]> =>
    site.ask("POST", "api:preview-links/", { as: "staff", body: { page: planned.id, expires_at: EXPIRES, ...of } });
  expect((await ask({ as_of: "2026-04-01T00:00:00Z" })).status).toBe(400);
  const { status, body } = await ask({ as_of: "2026-05-01T00:00:00Z" });
  expect(status).toBe(201);
  const url = new URL(body.url as string);
  expect((await site.ask("GET", url.pathname + url.search)).text).toMatch(/^Planned/);
  expect((await ask({ release: "none" })).status).toBe(404);
  expect((await site.ask("POST", "api:preview-links/", { as: "reader", body: { page: page.id } })).status).toBe(403);
  expect((await site.ask("POST", "api:preview-links/", { body: { page: page.id } })).status).toBe(401);
});

it.each([
  ["a proxy that is trusted", { TRUSTED_PROXIES: ["10.0.0.1"] }, "10.0.0.1", true],
  ["another client that says so", { TRUSTED_PROXIES: ["10.0.0.1"] }, "10.0.0.2", false],
] as const)("keeps its cookie to TLS behind %s", async (_what, settings, ip, isSecure) => {
  const { site, path } = await linkedSite({ TRUSTED_PROXIES: [...settings.TRUSTED_PROXIES] });
  const headers = { "x-forwarded-proto": "https" };
  const request = Object.assign(new Request(`http://test.local${path}`, { headers }), { ip });
  const answer = await h3App(site.cms).request(request);
  expect([answer.status, / Secure\b/.test(answer.headers.get("set-cookie") ?? "")]).toEqual([200, isSecure]);
});
