/**
 * The request as handlers see it. Language, origin and address are computed on first use, since answers from the cache
 * need none of them.
 */
import { CmsError } from "../errors.ts";
import type { Instant } from "../model/instant.ts";
import { findLang, preferredLang, type Lang, type Locales } from "../model/locale.ts";
import { parseId } from "../model/id.ts";
import { readBody } from "./body.ts";
import { cookieOf } from "./cookies.ts";
import { addressOf, originOf } from "./origin.ts";
import type { AppRequest, RequestHeaders } from "./request.ts";
import type { Call, ServerContext } from "./route.ts";

/** What routing and authentication have found. */
type Matched = Pick<Call, "params" | "user" | "lenient">;

export function openCall(ctx: ServerContext, request: AppRequest, { params, user, lenient }: Matched): Call {
  const { url, headers } = request;
  let now: Instant | undefined;
  let lang: Lang | undefined;
  let origin: string | undefined;
  let body: Promise<unknown> | undefined;
  const call: Call = {
    ctx: lenient ? { ...ctx, unknownFields: "ignore" } : ctx,
    method: request.method,
    url,
    params,
    lenient,
    headers,
    get web() {
      return request.web;
    },
    get now() {
      return (now ??= ctx.env.now());
    },
    user,
    peer: request.peer,
    get lang() {
      return (lang ??= activeLang(ctx.locales, url.searchParams, headers));
    },
    get origin() {
      return (origin ??= originOf(ctx.config, request));
    },
    get address() {
      return addressOf(ctx.config, request);
    },
    body: (maxBytes = Infinity) =>
      (body ??= readBody(request.web, Math.min(maxBytes, ctx.config.API.MAX_BODY), ctx.config)),
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

/**
 * The first configured language of `?language=`, `?language_code=`, the cookie and the header; else the default one
 * (contract.md 4.1).
 */
function activeLang(locales: Locales, query: URLSearchParams, headers: RequestHeaders): Lang {
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
