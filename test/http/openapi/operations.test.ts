/** Every operation of the description of the API is called on a real site, and every answer is as described. */
import { expect, it } from "vitest";
import { API_ROUTES } from "../../../src/http/routes/api-routes.ts";
import { ROUTER_ROUTES } from "../../../src/http/public/routers.ts";
import type { Accounts } from "../../../src/actions/accounts/accounts.ts";
import { openSession } from "../../../src/actions/accounts/sessions.ts";
import * as OTPAuth from "otpauth";
import { authenticator } from "../../support/authenticator.ts";
import type { Answer, Role } from "../../site.ts";
import { openGitRepo } from "../../../src/store/git/repo.ts";
import { jpeg } from "../../media/media-site.ts";
import { siteOver } from "../../site.ts";
import { quietEnv } from "../../store/git/git-site.ts";
import { bareRemote } from "../../store/sync/clones.ts";
import { described, type Described } from "./described.ts";
import { fullSite, SECRET } from "./full-site.ts";

type Site = Awaited<ReturnType<typeof fullSite>>;

/** Calls one operation, which must answer with the status. @returns the body */
type Call = (method: string, path: string, status?: number, body?: unknown, as?: Role | null) => Promise<any>;

it("answers as described", { timeout: 120_000 }, async () => {
  const full = await fullSite();
  const api = await described(full.site);
  const call: Call = async (method, path, status = 200, body, as = "superuser") => {
    const answer = await api.ask(method, `api:${path}`, { as, ...(body !== undefined && { body }) });
    expect([method, path, answer.status, answer.text]).toEqual([method, path, status, answer.text]);
    return answer.body;
  };
  await system(call, api);
  await pagesOf(call, "pages", full, { model: "room", template_data: full.data });
  await pagesOf(call, "articles", full, { content: "Text", author: full.user.id, tags: [full.tag.id] });
  await pagesOf(call, "models/room", full, { template_data: full.data });
  await routers(call, full);
  await structure(call, full);
  await media(call, api, full);
  await meta(call, full);
  await accounts(call, full);
  await providers(call, api, full);
  await refusals(api, full);
  const resolved = await conflicts();
  const missing = operations(api).filter(
    (operation) => !holdsSuccess(api.seen, operation) && !holdsSuccess(resolved, operation),
  );
  expect(missing).toEqual([]);
});

it("has every route", async () => {
  const { site } = await fullSite();
  const { document } = await described(site);
  const routes = [...API_ROUTES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES];
  expect(operations({ document })).toHaveLength(routes.length);
});

const operations = ({ document }: Pick<Described, "document">): string[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

const holdsSuccess = (seen: ReadonlySet<string>, operation: string): boolean =>
  [...seen].some((each) => each.startsWith(`${operation} 2`) || each === `${operation} 302`);

async function system(call: Call, api: Described): Promise<void> {
  await call("GET", "schedule/");
  await call("GET", "compare/?from=main");
  await call("GET", "", 200, undefined, null);
  await call("GET", "languages/", 200, undefined, null);
  await call("GET", "sitemap/", 302, undefined, null);
  await call("GET", "profiles/me/", 302, undefined, null);
  await call("GET", "openapi/", 200, undefined, null);
  await call("GET", "openapi.json", 200, undefined, null);
  await call("GET", "docs/", 200, undefined, null);
  await call("GET", "hooks/");
  await call("GET", "settings/", 200, undefined, "superuser");
  await call("GET", "audit/?items=5", 200, undefined, "superuser");
  await call("GET", "redirects/");
  await call("POST", "redirects/", 201, { from: "/press", to: "/about-us", status: 302 });
  await call("POST", "redirects/", 400, { from: "press", to: "/about-us" });
  await call("DELETE", "redirects/?from=/press", 204);
  await call("GET", "roles/");
  await call(
    "PUT",
    "roles/",
    200,
    { roles: { web: { rules: [{ may: ["view", "edit"], below: "/about-us" }] } } },
    "superuser",
  );
  await call("PUT", "roles/", 400, { roles: { web: { rules: [{ may: ["fly"] }] } } }, "superuser");
  await call("PUT", "roles/", 200, { roles: {} }, "superuser");
  await releases(call);
  await reviews(call);
  await threads(call);
  await call("GET", "page-models/");
  await call("GET", "templates/");
  await call("GET", "page-tree/");
  await call("GET", "conflicts/");
  await call("GET", "changes/");
  await call("GET", "problems/");
  await call("GET", "sync/");
  await call("POST", "sync/", 200, {});
  const headers = { "x-gitlab-token": SECRET, "content-type": "application/json" };
  expect((await api.ask("POST", "api:sync/", { headers, body: "{}" })).status).toBe(202);
}

/** Within the life of preview links, by the clock of the site. */
const soon = (): string => "2026-03-10T00:00:00Z";

async function releases(call: Call): Promise<void> {
  const page = await call("POST", "pages/", 201, { title: "Season" });
  const items = [{ page: page.id, language: "en", action: "publish" }];
  await call("POST", "releases/", 201, { name: "spring", comment: "The season", items });
  await call("POST", "releases/", 400, { name: "spring", items });
  await call("POST", "releases/", 201, { name: "other", items });
  await call("GET", "releases/");
  await call("GET", "releases/spring/");
  await call("GET", "releases/spring/check/");
  await call("POST", "releases/spring/revert/", 409);
  await call("PUT", "releases/spring/", 200, { comment: "" });
  await call("PATCH", "releases/spring/", 200, { items });
  await call("POST", "releases/spring/schedule/", 200, { publish_at: "2099-01-01T00:00:00Z" });
  await call("POST", "releases/spring/schedule/", 400, {});
  const link = { page: page.id, release: "spring", expires_at: soon() };
  const made = await call("POST", "preview-links/", 201, link);
  await call("POST", "preview-links/", 400, { ...link, pages: 1 });
  await call("GET", "preview-links/?own");
  await call("GET", "preview-sites/");
  await call("DELETE", `preview-links/${made.id}/`, 204);
  await call("DELETE", `preview-links/${made.id}/`, 404);
  await call("POST", "releases/spring/publish/", 200, { comment: "At last" });
  await call("PATCH", "releases/spring/", 409, { comment: "x" });
  await call("POST", "releases/spring/revert/");
  await call("DELETE", "releases/spring/", 204);
  await call("DELETE", "releases/other/", 204);
}

async function reviews(call: Call): Promise<void> {
  const page = await call("POST", "pages/", 201, { title: "Pier" }, "staff");
  const items = [{ page: page.id, language: "en" }];
  const { name, hash } = await call("POST", "reviews/", 201, { title: "The pier", asked: ["role:editor"], items });
  await call("POST", "reviews/", 400, { items: [] });
  await call("GET", `reviews/?of=${page.id}&open&own`);
  await call("GET", "reviews/?asked");
  await call("GET", `reviews/of/${page.id}/?language=en`);
  await call("GET", `reviews/${name}/`);
  await call("POST", `reviews/${name}/decide/`, 400, { verdict: "approve" });
  await call("POST", `reviews/${name}/decide/`, 409, { verdict: "approve", hash: "0" });
  await call("POST", `reviews/${name}/decide/`, 403, { verdict: "approve", hash }, "staff");
  const draft = { page: page.id, language: "en", values: { title: "The pier" } };
  await call("POST", `reviews/${name}/decide/`, 200, { verdict: "approve", hash, draft });
  await call("DELETE", `reviews/${name}/`, 204);
}

async function threads(call: Call): Promise<void> {
  const page = await call("POST", "pages/", 201, { title: "Harbour" });
  const passage = { text: "Harbour", before: "", after: "" };
  const made = await call("POST", "threads/", 201, { page: page.id, field: "title", passage, text: "Right?" });
  await call("POST", "threads/", 400, { page: page.id });
  const one = `threads/${made.id}`;
  await call("GET", `threads/?of=${page.id}&open`);
  await call("GET", `${one}/`);
  await call("PATCH", `${one}/`, 200, { resolved: true });
  await call("POST", `${one}/comments/`, 201, { text: "Yes" });
  await call("PATCH", `${one}/comments/${made.comments[0].id}/`, 200, { text: "Really?" });
  await call("PATCH", `${one}/comments/${made.comments[0].id}/`, 403, { text: "Mine" }, "staff");
  await call("DELETE", `${one}/comments/${made.comments[0].id}/`, 204);
}

async function pagesOf(call: Call, path: string, { page, article, media: image }: Site, values: object): Promise<void> {
  const made = await call("POST", `${path}/`, 201, { title: "Made", title_it: "Fatta", og_image: image.id, ...values });
  const one = `${path}/${made.id}`;
  await call("GET", `${path}/?items=2`);
  await call("GET", `${path}/?language=it`);
  await call("GET", `${one}/`);
  await call("GET", `${one}/?language=it`);
  await call("PATCH", `${one}/`, 200, {
    description: "Changed",
    parent_page: path === "articles" ? article.id : page.id,
    translations: { it: {} },
  });
  await call("PUT", `${one}/`, 200, { meta: { a: 1 } });
  await call("PATCH", `${one}/draft/`, 200, { title: "Drafted" });
  await call("PUT", `${one}/draft/`, 200, { title: "Drafted again" });
  await call("GET", `${one}/preview/`);
  await call("GET", `${one}/render/`);
  await call("POST", `${one}/preview/`, 200, { title: "Typed" });
  await call("POST", `${one}/render/`, 200, { title: "Typed" });
  const kept = await call("POST", `${one}/live-preview/?paths=1`, 200, { title: "Typed" });
  await call("GET", `pages-router-preview${kept.page.routerlink}?key=${kept.key}&paths=1`);
  await call("PUT", `${one}/autosave/`, 200, { values: { title: "Typed" }, version: null });
  await call("GET", `${one}/autosave/`);
  await call("GET", "autosaves/");
  await call("DELETE", `${one}/autosave/`, 204);
  await call("POST", `${one}/open/`);
  await call("GET", `${one}/text-changes/`);
  await call("GET", `${one}/uses/`);
  await call("DELETE", `${one}/open/`, 204);
  await call("POST", `${one}/addresses/`, 200, { title: "Moved", title_it: "Spostata" });
  await call("POST", `${one}/discard-draft/`);
  await call("POST", `${one}/schedule/`, 200, { publish_at: "2099-01-01T00:00:00Z" });
  await call("POST", `${one}/publish/`, 200, { comment: "At last" });
  const revisions = await call("GET", `${one}/revisions/`);
  await call("GET", `${one}/revisions/${revisions.at(-1).id}/`);
  await call("GET", `${one}/revisions/${revisions.at(-1).id}/render/`);
  await call("POST", `${one}/revert/${revisions.at(-1).id}/`);
  await call("POST", `${one}/trash/`);
  await call("POST", `${one}/restore/`);
  await call("POST", `${one}/publish/`);
  const other = await call("POST", `${path}/`, 201, { title: "Other", ...values });
  await call("POST", `${path}/update_order/`, 200, { startId: made.id, endId: other.id });
  await call("POST", `${path}/update_order/`, 400, {});
  await call("PATCH", `${one}/`, 400, { title: "x".repeat(300), titel: "x" });
  await call("POST", `${one}/schedule/`, 400, {});
  await call("DELETE", `${path}/${other.id}/`, 204);
  await call("POST", `${path}/bulk_delete/`, 200, [other.id]);
}

async function routers(call: Call, { room }: Site): Promise<void> {
  for (const router of ["pages-router", "pages-router-preview"]) {
    await call("GET", `${router}/about-us/`);
    await call("GET", `${router}/about-us/?included_translations=all`);
    await call("GET", `${router}/about-us`);
    await call("GET", `${router}${room.routerlink}?included_translations=it`);
    await call("GET", `${router}/nowhere/`, 404);
  }
  await call("GET", "pages-router/old/");
  await call("GET", "pages-router/made/");
  await call("GET", "pages-router/changes");
  await call("GET", "search/?q=about");
  await call("GET", "search/?q=about&items=0", 400);
  await call("GET", "search-router/?q=about&language=en", 200, undefined, null);
  await call("GET", "search-router/", 400, undefined, null);
  await call("POST", "pages-router/publish-due");
}

async function structure(call: Call, { page, block }: Site): Promise<void> {
  const tag = await call("POST", "tags/", 201, { name: "Wind", name_it: "Vento" });
  await call("GET", "tags/");
  await call("GET", `tags/${tag.id}/`);
  await call("PUT", `tags/${tag.id}/`, 200, { name: "Winds" });
  await call("PATCH", `tags/${tag.id}/`, 200, { translations: { it: { name: "Venti" } } });
  await call("POST", "tags/", 400, { name: "Winds" });
  await call("DELETE", `tags/${tag.id}/`, 204);
  await call("POST", "tags/bulk_delete/", 200, [tag.id]);
  await call("GET", "menus/");
  await call("GET", "menus/?items=1");
  const nodes = [{ title: "Up", link: { link_type: "RE", url_node: page.id } }];
  const menu = await call("POST", "menus/", 201, { key: "footer", nodes, nodes_it: [] });
  await call("GET", "menus/footer/");
  await call("PUT", "menus/footer/", 200, { enabled: false });
  await call("PATCH", "menus/footer/", 200, { translations: { en: { nodes } } });
  await call("PATCH", "menus/footer/", 400, { nodes: [{ link: { link_type: "XX" } }] });
  await call("GET", "menus-router/main", 200, undefined, null);
  await call("GET", "menus-router/nowhere", 404, undefined, null);
  const types = await call("GET", "menus/page_types/");
  for (const { id } of types) await call("GET", `menus/page_types/${id}/`);
  await call("GET", "menus/search_urlnode/?q=about");
  await call("DELETE", `menus/${menu.id}/`, 204);
  await call("GET", "contents/");
  const content = await call("POST", "contents/", 201, { identifier: "footer", content: "Text", content_it: "Testo" });
  const one = `contents/${content.id}`;
  await call("GET", `contents/${block.id}/`);
  await call("PUT", `${one}/`, 200, { content: "Changed" });
  await call("PATCH", `${one}/`, 200, { content: "Changed again" });
  await call("POST", "contents/get-or-create/", 200, { identifier: "footer" });
  await call("GET", `${one}/djsuperadmin/`);
  await call("PATCH", `${one}/djsuperadmin/`, 200, { content: "In place" });
  await call("GET", `${one}/djsuperadmin/history/`);
  await call("DELETE", `${one}/`, 204);
  await call("POST", "contents/bulk_delete/", 200, [content.id]);
}

async function media(call: Call, api: Described, { site, media: image, folder }: Site): Promise<void> {
  const file = ["a.jpg", await jpeg(60, 40)] as const;
  const send = async (method: string, path: string, parts: Parameters<Site["site"]["form"]>[2]): Promise<any> => {
    const answer = await site.form(method, `api:${path}`, parts, "superuser");
    api.check(method, `/api/cms/${path}`, answer);
    return answer.body;
  };
  const made = await send("POST", "media/", { file, title: "A" });
  expect((await send("POST", "media/", { title: "A" })).file).toBeDefined();
  await send("PUT", `media/${made.id}/`, { alt_text: "Waves" });
  await call("PATCH", `media/${made.id}/`, 200, {
    title_it: "Onde",
    renditions_config: [{ name: "tiny", width: 10, format: "webp" }],
  });
  await call("GET", "media/?language=it");
  await call("GET", "media/?items=1");
  await call("GET", `media/${image.id}/`);
  await call("POST", `media/${made.id}/regenerate-renditions/`);
  await call("GET", `media/${made.id}/`);
  await call("POST", `media/${image.id}/trash/`, 409);
  await call("POST", `media/${image.id}/trash/?confirm=true`);
  await call("GET", "media/?fltr=trashed=true");
  await call("GET", "media-folders/?all=true&fltr=trashed=true");
  await call("GET", "pages/");
  await call("POST", `media/${image.id}/restore/`);
  await call("DELETE", `media/${made.id}/`, 204);
  await call("POST", "media/bulk_delete/", 200, [made.id]);
  for (const path of ["media-folder", "media-folders"]) {
    await call("GET", `${path}/`);
    await call("GET", `${path}/?all=true`);
    await call("GET", `${path}/${folder.id}/`);
    const inner = await call("POST", `${path}/`, 201, { title: "2027", updir: folder.id });
    await call("POST", `${path}/`, 400, {});
    await call("PUT", `${path}/${inner.id}/`, 200, { title: "2028" });
    await call("PATCH", `${path}/${inner.id}/`, 200, { updir: null });
    await call("DELETE", `${path}/${inner.id}/`, 204);
  }
}

async function meta(call: Call, { data, faq }: Site): Promise<void> {
  await call("GET", "block-types/");
  await call("GET", "block-types/?items=1&search=note");
  await call("GET", "block-types/note/");
  await call("GET", "block-types/nothing/", 404);
  await call("POST", "block-types/", 201, { name: "quote", preview: "a.jpg", schema: [{ name: "words" }] });
  await call("POST", "block-types/", 400, { name: "Quote", schema: [{ kind: "ref" }] });
  await call("PUT", "block-types/quote/", 200, { name: "quote", icon: "quote", schema: [] });
  await call("PATCH", "block-types/quote/", 200, { label: "Quotation" });
  await call("PATCH", "block-types/quote/", 400, { name: "quotation" });
  await call("GET", "block-types/columns/schema/");
  await call("PATCH", "block-types/quote/", 200, { schema: [{ name: "inner", kind: "blocks", types: ["note"] }] });
  await call("DELETE", "block-types/note/", 409);
  await call("DELETE", "block-types/quote/", 204);
  await call("GET", "meta-types/");
  await call("GET", "meta-types/70/");
  const type = await call("POST", "meta-types/", 201, { key: "price", name: "Price", schema: [{ name: "amount" }] });
  await call("POST", "meta-types/", 400, { key: "price", schema: [{ kind: "ref" }] });
  await call("PUT", `meta-types/${type.id}/`, 200, { key: "price", name: "Prices", schema: [] });
  await call("POST", "meta-types/70/effects/", 200, { schema: [{ name: "amount", required: true }] });
  await call("PATCH", `meta-types/${type.id}/`, 200, { description: "What things cost" });
  await call("GET", "meta-types/70/schema/");
  await call("GET", "meta-instances/schema/?meta_type=70");
  await call("GET", "meta-instances/schema/", 400);
  const made = await call("POST", "meta-instances/", 201, { meta_type: 70, identifier: "all", data });
  await call("POST", "meta-instances/", 400, { meta_type: 70, data: { a_list: [{}] } });
  await call("GET", "meta-instances/");
  await call("GET", "meta-instances/?items=1&language=it");
  await call("GET", `meta-instances/${made.id}/`);
  await call("PUT", `meta-instances/${made.id}/`, 200, { meta_type: 70, data: { slogan: { it: "Buonanotte" } } });
  await call("PATCH", `meta-instances/${made.id}/`, 200, { identifier: "some" });
  await call("GET", `meta-instances/${made.id}/?language=it`);
  await call("DELETE", "meta-types/71/", 409);
  await call("DELETE", `meta-instances/${faq.id}/`, 204);
  await call("DELETE", `meta-types/${type.id}/`, 204);
}

async function providers(call: Call, api: Described, { site: { cms } }: Site): Promise<void> {
  await call("GET", "auth/means/", 200, undefined, null);
  await call("GET", "auth/oidc/company/?next=/admin/", 302, undefined, null);
  await call("GET", "auth/oidc/other/", 404, undefined, null);
  await call("GET", "auth/oidc/company/callback/?code=1", 302, undefined, null);
  await call("POST", "auth/oidc/company/", 403, {});
  const headers = await sessionOf(cms.accounts);
  expect((await api.ask("POST", "api:auth/oidc/company/", { headers, body: {} })).status).toBe(200);
  await proofs(api, cms.accounts, headers);
}

async function sessionOf(accounts: Accounts): Promise<{ readonly cookie: string; readonly "x-csrftoken": string }> {
  const { id, csrf } = await openSession(accounts, (await accounts.store.findByName("superuser"))!);
  return { cookie: `sessionid=${id}; csrftoken=${csrf}`, "x-csrftoken": csrf };
}

async function proofs(api: Described, accounts: Accounts, headers: Record<string, string>): Promise<void> {
  const device = authenticator("http://test.local");
  const ask = async (method: string, path: string, status: number, body?: unknown, step = "") => {
    const answer = await api.ask(method, `api:${path}`, {
      headers: { ...headers, cookie: headers.cookie + step },
      body,
    });
    expect([path, answer.status, answer.text]).toEqual([path, status, answer.text]);
    return answer;
  };
  const stepOf = (answer: Answer): string => `; ${answer.headers.getSetCookie()[0]!.split(";")[0]}`;
  const made = await ask("POST", "users/current/passkeys/new/", 200);
  const response = device.create(made.body);
  await ask("POST", "users/current/passkeys/", 201, { name: "Laptop", response }, stepOf(made));
  await ask("POST", "users/current/passkeys/", 400, { name: "" });
  const asked = await ask("POST", "auth/passkey/new/", 200);
  await ask("POST", "auth/passkey/", 200, { response: device.get(asked.body) }, stepOf(asked));
  // The former session has ended.
  const as = { headers: await sessionOf(accounts) };
  const passkeys = (await api.ask("GET", "api:users/current/passkeys/", as)).body;
  expect((await api.ask("DELETE", `api:users/current/passkeys/${passkeys[0].id}/`, as)).status).toBe(204);
  const { secret } = (await api.ask("POST", "api:users/current/codes/new/", as)).body;
  const code = new OTPAuth.TOTP({ secret }).generate({ timestamp: Date.parse("2026-03-01T12:00:00Z") });
  expect((await api.ask("POST", "api:users/current/codes/", { ...as, body: { secret, code } })).status).toBe(200);
  expect((await api.ask("GET", "api:users/current/codes/", as)).body.is_on).toBe(true);
  expect((await api.ask("DELETE", "api:users/current/codes/", as)).status).toBe(204);
}

async function accounts(call: Call, { user }: Site): Promise<void> {
  const credentials = { username: "superuser", password: "open-sesame-superuser" };
  await call("POST", "token-auth/", 200, credentials, null);
  await call("POST", "token-auth/", 400, { username: "superuser" }, null);
  await call("POST", "auth/login/", 200, credentials, null);
  await call("POST", "auth/logout/", 200, undefined, null);
  await call("POST", "auth/password/", 400, { current_password: "wrong", password: "open-sesame-superuser" });
  const sessions = await call("GET", "users/current/sessions/", 200, undefined, "superuser");
  await call("DELETE", `users/current/sessions/${sessions[0].id}/`, 204, undefined, "superuser");
  const token = await call("POST", "users/current/tokens/", 201, { name: "deploy", rules: [{ may: ["view"] }] });
  await call("POST", "users/current/tokens/", 400, { name: "", rules: [{ may: ["fly"] }], expires_at: "never" });
  await call("GET", "users/current/tokens/");
  await call("DELETE", `users/current/tokens/${token.id}/`, 204);
  await call("DELETE", "users/current/sessions/none/", 404);
  await call("DELETE", "users/current/sessions/", 204);
  await call("POST", "auth/confirm/", 400, { password: "wrong" });
  await call("POST", "auth/confirm/", 200, { password: "open-sesame-superuser" }, "superuser");
  const changed = { current_password: "open-sesame-reader", password: "open-sesame-readers" };
  await call("POST", "auth/password/", 200, changed, "reader");
  await call("GET", "users/");
  await call("GET", "users/current/");
  await call("PUT", "users/current/", 200, { first_name: "Sue" });
  const permissions = await call("GET", "permissions/");
  const values = { email: "nina@example.org", is_staff: true, user_permissions: [permissions[0].id] };
  const made = await call("POST", "users/", 201, { username: "nina", password: "under full sail", ...values });
  await call("POST", "users/", 400, { username: "nina", password: "short" });
  await call("GET", `users/${made.id}/`);
  await call("PUT", `users/${made.id}/`, 200, { last_name: "Sail" });
  await call("PATCH", `users/${made.id}/`, 200, { user_permissions: [] });
  await call("POST", `users/${made.id}/kickout/`);
  await call("DELETE", `users/${made.id}/`, 204);
  await call("GET", `users/${user.id}/`);
  await call("GET", "permissions/?items=3");
  await call("GET", "permissions/1/");
  await call("PUT", "permissions/1/");
}

/** Each operation as anyone, as a reader, of records that are not there, and with bodies that are not read. */
async function refusals(api: Described, { page, tag }: Site): Promise<void> {
  const html = { accept: "text/plain", "content-type": "text/csv" };
  for (const operation of operations(api)) {
    const [method, template] = operation.split(" ") as [string, string];
    const path = template
      .replace(/\{id\}/g, "2147480000")
      .replace("{path}", "nowhere/")
      .replace(/\{\w+\}/g, "nowhere");
    const hasBody = method !== "GET" && method !== "DELETE";
    const options = (body: unknown) => ({ ...(hasBody && { body }) });
    await api.ask(method, path, options({}));
    await api.ask(method, path, { ...options({}), headers: { authorization: "Token nobody" } });
    await api.ask(method, path, { ...options({}), as: "reader" });
    if (/\/(auth|sync)\//.test(path)) continue; // a success has been checked, and another would end nothing
    await api.ask(method, path, { ...options("{"), as: "superuser", headers: { "content-type": "application/json" } });
    await api.ask(method, path, { ...options("a,b"), as: "superuser", headers: { "content-type": "text/csv" } });
    await api.ask(method, path, { ...options({}), as: "superuser", headers: { accept: html.accept } });
  }
  const stale = { "if-match": '"0"' };
  for (const [path, body] of [
    [`pages/${page.id}/`, { title: "Late" }],
    [`tags/${tag.id}/`, { name: "Late" }],
    ["menus/main/", { enabled: true }],
  ] as const)
    expect((await api.ask("PATCH", `api:${path}`, { body, as: "staff", headers: stale })).status).toBe(412);
  const read = await api.ask("GET", `api:pages/${page.id}/`, { as: "staff" });
  const known = { "if-none-match": read.headers.get("etag")! };
  expect((await api.ask("GET", `api:pages/${page.id}/`, { as: "staff", headers: known })).status).toBe(304);
}

/** A conflict of two clones, listed and resolved. */
async function conflicts(): Promise<ReadonlySet<string>> {
  const home = (title: string): string => `id: 1\ntranslations:\n  en:\n    title: ${title}\n`;
  const remote = bareRemote({ "content/pages/home.yaml": home("Home"), "notes.txt": "one\n" });
  const [a, b] = [remote.clone(), remote.clone()];
  for (const [clone, name] of [
    [b, "Theirs"],
    [a, "Ours"],
  ] as const) {
    clone.save("content/pages/home.yaml", home(name));
    clone.save("notes.txt", `${name}\n`);
    clone.commit(name);
    await clone.sync();
  }
  const site = await siteOver(await openGitRepo(a.dir, { env: quietEnv() }), a.dir);
  const api = await described(site);
  const { body: open } = await api.ask("GET", "api:conflicts/", { as: "staff" });
  expect(open).toHaveLength(2);
  const { id } = open.find(({ path }: { path: string }) => path === "notes.txt");
  const use = { as: "staff", body: { use: "theirs" } } as const;
  expect((await api.ask("POST", `api:conflicts/${id}/resolve/`, use)).status).toBe(204);
  return api.seen;
}
