/**
 * A request as handlers see it. What only some of them need is worked out when it is asked for: an answer from the
 * cache costs neither a language nor an address.
 */
import type { H3Event } from "h3";
import { CmsError } from "../errors.ts";
import type { Instant } from "../model/instant.ts";
import { findLang, preferredLang, type Lang, type Locales } from "../model/locale.ts";
import { ID_MAX } from "../model/page-input.ts";
import { readBody } from "./body.ts";
import { cookieOf } from "./cookies.ts";
import { addressOf, originOf, type ConnectionInfo } from "./origin.ts";
import type { Call, ServerContext } from "./route.ts";

/** What is known of a request once its route and its caller are. */
type Known = Pick<Call, "params" | "user" | "lenient">;

export function openCall(
  ctx: ServerContext,
  { req, url }: H3Event,
  connection: ConnectionInfo,
  { params, user, lenient }: Known,
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
    body: (most = Infinity) => (body ??= readBody(req, Math.min(most, ctx.config.API.MAX_BODY), ctx.config)),
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
      const text = params.id ?? "";
      if (!/^\d{1,10}$/.test(text) || Number(text) > ID_MAX) throw new CmsError("not_found", "Not found.");
      return Number(text);
    },
  };
  return call;
}

export const connectionInfo = ({ req, url }: H3Event): ConnectionInfo => ({
  headers: req.headers,
  url,
  peer: (req as { ip?: string }).ip ?? "",
});

/** `?language=`, `?language_code=`, cookie, header, default: the first that names a configured language (contract.md 4.1). */
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
