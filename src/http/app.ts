/**
 * The server as a function from request to response, so that tests need no port.
 *
 * One handler takes every path: h3 treats `/x` and `/x/` as one route, while `pages-router/changes` and
 * `pages-router/changes/` are two things here.
 */
import { H3, type H3Event } from "h3";
import { accountByToken } from "../actions/accounts.ts";
import { CmsError } from "../errors.ts";
import type { Account } from "../model/account.ts";
import { findLang, preferredLang, type Lang, type Locales } from "../model/locale.ts";
import { ID_MAX } from "../model/page-input.ts";
import { accountRoutes } from "./accounts.ts";
import { readBody } from "./body.ts";
import { contentRoutes } from "./contents.ts";
import { errorReply } from "./errors.ts";
import { siteReply } from "./html.ts";
import { menuRoutes } from "./menus.ts";
import { mediaReply } from "./media.ts";
import { addressOf, originOf } from "./origin.ts";
import { pageRoutes } from "./pages.ts";
import { PRIVATE, type Reply } from "./reply.ts";
import { authorize, routeTable, type Call, type Matched, type Route, type ServerContext } from "./route.ts";
import { routerReply } from "./routers.ts";
import { tagRoutes } from "./tags.ts";
import { healthReply, systemRoutes } from "./system.ts";

/** Every route of the API below its root, for the server and for the test that each one's access is known. */
export const API_ROUTES: readonly Route[] = [...systemRoutes, ...accountRoutes, ...pageRoutes, ...menuRoutes, ...contentRoutes, ...tagRoutes];

const API_ROOT = "/api/cms";

const SECURITY_HEADERS = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** The app of one site. It holds nothing that must be closed. */
export function createApp(ctx: ServerContext): H3 {
  const find = routeTable(API_ROUTES);
  const roots = [API_ROOT, ...ctx.config.API.ALIASES];
  const app: H3 = new H3({ silent: true });
  app.all("/**", async (event) => send(event, await reply(ctx, find, roots, event)));
  return app;
}

async function reply(ctx: ServerContext, find: (segments: readonly string[]) => Matched | undefined, roots: readonly string[], event: H3Event): Promise<Reply> {
  let allow: readonly string[] = [];
  try {
    const path = decodedPath(event);
    const root = roots.find((each) => path === each || path.startsWith(`${each}/`));
    const call = await openCall(ctx, event, root === undefined);
    if (root === undefined) return await publicReply(call, path);
    const below = path.slice(root.length);
    const routed = await routerReply(call, below);
    if (routed) return routed;
    const matched = find(below.split("/").slice(1).filter((segment, at, all) => segment !== "" || at < all.length - 1));
    if (!matched) throw new CmsError("not_found", "Not found.");
    allow = [...matched.byMethod.keys(), ...(matched.byMethod.has("GET") ? ["HEAD"] : []), "OPTIONS"];
    return await dispatch({ ...call, params: matched.params }, matched);
  } catch (error) {
    return errorReply(error, ctx.env.log, allow);
  }
}

/** Access before method before existence (contract.md 1.4). */
async function dispatch(call: Call, { byMethod }: Matched): Promise<Reply> {
  const method = call.method === "HEAD" ? "GET" : call.method;
  const route = byMethod.get(method);
  const guard = route ?? [...byMethod.values()][0]!;
  authorize(guard.access, call.user);
  if (!route) throw new CmsError("method_not_allowed", `Method "${call.method}" not allowed.`);
  const answered = await route.handle(call);
  const language = { "content-language": call.lang, vary: "Accept-Language, Authorization, Cookie" };
  return { ...answered, headers: { ...language, ...(route.access !== "public" && PRIVATE), ...answered.headers } };
}

/** Everything outside the API: health, media, pages. */
async function publicReply(call: Call, path: string): Promise<Reply> {
  if (call.method !== "GET" && call.method !== "HEAD") throw new CmsError("method_not_allowed", `Method "${call.method}" not allowed.`);
  if (path === "/healthz") return healthReply(call);
  return (await mediaReply(call, path)) ?? (await siteReply(call, path));
}

/** @throws CmsError `not_found` for a path no resource can have: broken encoding, an encoded slash, a NUL */
function decodedPath(event: H3Event): string {
  const raw = event.url.pathname;
  if (/%2f|%5c|%00|\\/i.test(raw)) throw new CmsError("not_found", "Not found.");
  try {
    return decodeURIComponent(raw).normalize("NFC");
  } catch {
    throw new CmsError("not_found", "Not found."); // broken percent-encoding names nothing
  }
}

/** @param anonymous public pages do not look at credentials, so that a stale one cannot hide them */
async function openCall(ctx: ServerContext, event: H3Event, anonymous: boolean): Promise<Call> {
  const { headers } = event.req;
  const now = ctx.env.now();
  const peer = event.req as { ip?: string };
  const origin = originOf(ctx.config, headers, event.url, peer.ip ?? "");
  const user = anonymous ? undefined : await accountOf(ctx, headers);
  const lang = activeLang(ctx.locales, event.url.searchParams, headers);
  let body: Promise<unknown> | undefined;
  return {
    ctx,
    method: event.req.method,
    url: event.url,
    params: {},
    headers,
    now,
    user,
    lang,
    origin,
    address: addressOf(ctx.config, headers, peer.ip ?? ""),
    body: () => (body ??= readBody(event.req, ctx.config.API.MAX_BODY)),
    view: (surface, viewLang = lang) => ({
      content: ctx.store.current,
      config: ctx.config,
      locales: ctx.locales,
      lang: viewLang,
      now,
      surface,
      origin,
    }),
    author(expects) {
      if (!user) throw new CmsError("unauthenticated", "Authentication credentials were not provided.");
      const name = `${user.first_name} ${user.last_name}`.trim() || user.username;
      return { name, email: user.email || `${user.username}@cms.invalid`, ...(expects && { expects }) };
    },
    id(this: Call) {
      const text = this.params.id ?? "";
      if (!/^\d{1,10}$/.test(text) || Number(text) > ID_MAX) throw new CmsError("not_found", "Not found.");
      return Number(text);
    },
  };
}

/** `Authorization: Token ...`; other schemes count as none (contract.md 3.1). @throws CmsError `unauthenticated` */
async function accountOf(ctx: ServerContext, headers: Headers): Promise<Account | undefined> {
  const header = headers.get("authorization");
  if (header === null) return undefined;
  const [scheme = "", ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== "token") return undefined;
  if (rest.length === 0) throw new CmsError("unauthenticated", "Invalid token header. No credentials provided.");
  if (rest.length > 1) throw new CmsError("unauthenticated", "Invalid token header. Token string should not contain spaces.");
  const account = await accountByToken(ctx.accounts, rest[0]!);
  if (!account) throw new CmsError("unauthenticated", "Invalid token.");
  return account;
}

/** `?language=`, `?language_code=`, cookie, header, default: the first that names a configured language (contract.md 4.1). */
function activeLang(locales: Locales, query: URLSearchParams, headers: Headers): Lang {
  const named = (code: string | null | undefined): Lang | undefined =>
    code ? findLang(locales, code.replace(/^nofallbacks-/i, "")) : undefined;
  const cookie = /(?:^|;\s*)django_language=([^;]*)/.exec(headers.get("cookie") ?? "")?.[1];
  return (
    named(query.get("language")) ??
    named(query.get("language_code")) ??
    named(cookie) ??
    preferredLang(locales, headers.get("accept-language") ?? "") ??
    locales.default
  );
}

function send(event: H3Event, { status, headers, cookies, body }: Reply): unknown {
  event.res.status = status;
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...headers })) event.res.headers.set(name, value);
  for (const cookie of cookies ?? []) event.res.headers.append("set-cookie", cookie);
  return event.req.method === "HEAD" && typeof body === "string" ? headOf(event, body) : body;
}

/** A HEAD answer tells the length it would have had. */
function headOf(event: H3Event, body: string): null {
  event.res.headers.set("content-length", String(Buffer.byteLength(body)));
  return null;
}

