/**
 * The request as handlers see it. Language, origin and address are computed on first use, since answers from the cache
 * need none of them.
 */
import type { H3Event } from "h3";
import { CmsError } from "../errors.ts";
import type { Instant } from "../model/instant.ts";
import { findLang, preferredLang, type Lang, type Locales } from "../model/locale.ts";
import { parseId } from "../model/id.ts";
import { readBody } from "./body.ts";
import { cookieOf } from "./cookies.ts";
import { addressOf, originOf, type ConnectionInfo } from "./origin.ts";
import type { Call, ServerContext } from "./route.ts";

/** What routing and authentication have found. */
type Matched = Pick<Call, "params" | "user" | "lenient">;

export function openCall(
  ctx: ServerContext,
  { req, url }: H3Event,
  connection: ConnectionInfo,
  { params, user, lenient }: Matched,
): Call {
  const { headers } = req;
  let now: Instant | undefined;
  let lang: Lang | undefined;
  let origin: string | undefined;
  let body: Promise<unknown> | undefined;
  const call: Call = {
    ctx: lenient ? { ...ctx, unknownFields: "ignore" } : ctx,
    method: req.method,
    url,
    params,
    lenient,
    headers,
    request: req,
    get now() {
      return (now ??= ctx.env.now());
    },
    user,
    peer: connection.peer,
    get lang() {
      return (lang ??= activeLang(ctx.locales, url.searchParams, headers));
    },
    get origin() {
      return (origin ??= originOf(ctx.config, connection));
    },
    get address() {
      return addressOf(ctx.config, connection);
    },
    body: (maxBytes = Infinity) => (body ??= readBody(req, Math.min(maxBytes, ctx.config.API.MAX_BODY), ctx.config)),
    view: (surface, { lang: viewLang = call.lang, content = ctx.store.current } = {}) => ({
      content,
      config: ctx.config,
      locales: ctx.locales,
      lang: viewLang,
      now: call.now,
      surface,
      origin: call.origin,
    }),
    author(expects) {
      if (!user) throw new CmsError("unauthenticated", "Authentication credentials were not provided.");
      const name = `${user.first_name} ${user.last_name}`.trim() || user.username;
      return { name, email: user.email || `${user.username}@cms.invalid`, ...(expects && { expects }) };
    },
    id() {
      const id = parseId(params.id ?? "");
      if (id === undefined) throw new CmsError("not_found", "Not found.");
      return id;
    },
  };
  return call;
}

export const connectionInfo = ({ req, url }: H3Event): ConnectionInfo => ({
  headers: req.headers,
  url,
  peer: req.ip ?? "",
});

/**
 * The first configured language of `?language=`, `?language_code=`, the cookie and the header; else the default one
 * (contract.md 4.1).
 */
function activeLang(locales: Locales, query: URLSearchParams, headers: Headers): Lang {
  const named = (code: string | null | undefined): Lang | undefined =>
    code ? findLang(locales, code.replace(/^nofallbacks-/i, "")) : undefined;
  return (
    named(query.get("language")) ??
    named(query.get("language_code")) ??
    named(cookieOf(headers, "django_language")) ??
    preferredLang(locales, headers.get("accept-language") ?? "") ??
    locales.default
  );
}
