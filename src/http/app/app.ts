/** The server as a function from request to answer: `h3-app.ts` and `direct.ts` give it the requests. */
import { actingAs, audit } from "../../actions/accounts/auditing.ts";
import { requireConfirmed } from "../../actions/accounts/sessions.ts";
import { CmsError } from "../../errors.ts";
import type { Principal } from "../../model/access/role-rights.ts";
import type { Account } from "../../model/account/account.ts";
import { API_ROOT, BAR_PATH, isOfBridge } from "../../model/address/possible-names.ts";
import { whenReady } from "../../library/at-once.ts";
import type { SiteContext } from "../../library/context.ts";
import { siteFor } from "../../library/judged-site.ts";
import { isJudged } from "../../store/access/judged-store.ts";
import { refuseUnacceptable } from "../request/accept.ts";
import { adminReply, type AdminFiles } from "../routes/admin.ts";
import { openCall } from "./call.ts";
import { refuseToNamedToken } from "./named-token.ts";
import { principalOf, ANONYMOUS } from "../request/principal.ts";
import { conditional } from "../request/conditional.ts";
import { preflightReply, withCors } from "../request/cors.ts";
import { developmentReply } from "../dev/development.ts";
import type { LiveReload } from "../dev/live-reload.ts";
import { refuseForgery } from "../request/csrf.ts";
import { framedBar, withEditorBar } from "../public/editor-bar.ts";
import { formDescription } from "../request/form-description.ts";
import { errorReply } from "../request/errors.ts";
import { protectiveHeaders, type HeadersFor } from "../request/headers.ts";
import { siteReply } from "../public/html.ts";
import { mediaReply } from "../public/media-files.ts";
import { mayReadMetrics, metricsReply, type Metrics } from "../routes/metrics.ts";
import { addressOf, refuseOtherHost } from "../request/origin.ts";
import { namesContent, openContent, type OtherContent } from "../public/other-content.ts";
import {
  isOfService,
  leaveReply,
  namesLink,
  openLinked,
  refuseBeyondLink,
  refusedReply,
} from "../public/preview-link-access.ts";
import { API_ROUTES } from "../routes/api-routes.ts";
import { pluginRoutes } from "../routes/plugins.ts";
import { json, longBody, noContent, PRIVATE, type Reply } from "../request/reply.ts";
import { atRoot } from "../request/base-path.ts";
import type { AppRequest } from "../request/request.ts";
import { accessToOptions, authorize } from "./authorize.ts";
import { allowOf, routeTable, type Call, type Matched, type Route } from "./route.ts";
import { KEY_PARAMETER, keptPreviewsOf } from "../public/kept-previews.ts";
import { findRouter } from "../public/routers.ts";
import { healthReply, readyReply } from "../routes/system.ts";
import { isWebhookCall } from "../request/webhook.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** A reply with all its headers, as it is sent. */
export interface Answer extends Pick<Reply, "status" | "body" | "cached"> {
  /** Names and values, alternating. */
  readonly headers: readonly string[];
}

/** Answers the requests of one site. */
export interface Answers {
  /** Never throws: an error is an answer too. A promise only where something has to be waited for. */
  answer(request: AppRequest): Answer | Promise<Answer>;
}

export interface AppOptions {
  /** The editor; absent where it is not served. */
  readonly admin?: AdminFiles;
  /** Served at `/metrics`, which does not exist without them. */
  readonly metrics?: Metrics;
  /** Present in development mode: pages reload in the browser, failures are explained, browsers cache nothing. */
  readonly liveReload?: LiveReload;
}

export function openAnswers(ctx: SiteContext, options: AppOptions = {}): Answers {
  const roots = rootsOf(ctx.config.API.ALIASES, [...API_ROUTES, ...pluginRoutes(ctx.config.plugins)]);
  const headersFor = protectiveHeaders(ctx.config);
  const complete = (request: AppRequest, given: Reply): Answer => {
    if (given.isFromCache !== undefined) options.metrics?.countRouterAnswer(given.isFromCache);
    const { location } = given.headers;
    const isBelow = location?.startsWith("/") && !location.startsWith("//") && ctx.config.BASE_PATH !== "";
    const based = isBelow
      ? { ...given, headers: { ...given.headers, location: ctx.config.BASE_PATH + location } }
      : given;
    return answerOf(request.method, conditional(request.method, request.headers, based), headersFor);
  };
  return {
    answer(asked) {
      const request = atRoot(asked, ctx.config.BASE_PATH);
      return whenReady(reply(ctx, roots, request, options), (given) => complete(request, given));
    },
  };
}

/** A path below which the API answers. */
interface Root {
  readonly path: string;
  readonly lenient: boolean;
  find(segments: readonly string[]): Matched | undefined;
}

function rootsOf(aliases: readonly string[], routes: readonly Route[]): readonly Root[] {
  const findAliased = routeTable(routes);
  return [
    { path: API_ROOT, lenient: false, find: routeTable(routes.filter(({ isAliased }) => !isAliased)) },
    ...aliases.map((path) => ({ path, lenient: true, find: findAliased })),
  ];
}

const rootAt = (roots: readonly Root[], path: string): Root | undefined =>
  roots.find((each) => path === each.path || path.startsWith(`${each.path}/`));

function reply(
  ctx: SiteContext,
  roots: readonly Root[],
  request: AppRequest,
  options: AppOptions,
): Reply | Promise<Reply> {
  const { config } = ctx;
  let matched: Matched | undefined;
  const failed = (error: unknown): Reply => {
    const { method, url } = request;
    if (error instanceof CmsError && error.code === "forbidden") auditRefused(ctx, request, error);
    const reply = errorReply(error, ctx.env, { method, path: url.pathname, allow: matched?.allow ?? "" });
    return withCors(config, request.headers, reply);
  };
  try {
    const path = decodedPath(request, roots);
    const root = isOfBridge(path) ? undefined : rootAt(roots, path);
    const isRead = request.method !== "OPTIONS";
    const isLinked = isRead && namesLink(config, request, path, root === undefined);
    if (isLinked && root === undefined) return siteByLink(ctx, request, path, options).catch(failed);
    const other = isLinked || (isRead && namesContent(request.url)) ? openOther(ctx, request, isLinked) : undefined;
    const answered = whenReady(other, (opened: OtherContent | undefined) => {
      const { ctx: site, request: asked } = opened ?? { ctx, request };
      const shown = (found: Reply): Reply => (opened ? opened.answer(found) : found);
      // The editor's bar is about the newest content.
      if (root === undefined)
        return whenReady(siteAnswer(site, asked, path, opened ? withoutEditor(options) : options), shown);
      const below = path.slice(root.path.length);
      const found = findRouter(below) ?? root.find(segmentsOf(below));
      if (!found) throw new CmsError("not_found", "Not found.");
      if (isLinked) refuseBeyondLink(found);
      matched = found;
      return whenReady(dispatch(site, asked, found, root), (given) => withCors(config, request.headers, shown(given)));
    });
    return answered instanceof Promise ? answered.catch(failed) : answered;
  } catch (error) {
    return failed(error);
  }
}

const withoutEditor = ({ admin: _admin, ...plain }: AppOptions): AppOptions => plain;

/** Who was refused is looked up again: a refusal may come before or after the account is known. */
function auditRefused(ctx: SiteContext, request: AppRequest, { message }: CmsError): void {
  const { accounts, config } = ctx;
  const { method, url, headers } = request;
  const told = ({ user }: { readonly user?: Account }): void =>
    audit(actingAs(accounts, { username: user?.username ?? null, address: addressOf(config, request) || null }), {
      event: "refused",
      detail: `${method} ${url.pathname}: ${message}`,
    });
  void principalOf(ctx, headers, true)
    .catch(() => ANONYMOUS)
    .then(told);
}

/** A host that is not answered is refused before anything else. */
async function openOther(ctx: SiteContext, request: AppRequest, isLinked: boolean): Promise<OtherContent> {
  refuseOtherHost(ctx.config, request);
  return isLinked ? openLinked(ctx, request, false) : openContent(ctx, request);
}

/** A page or a file by a preview link. */
async function siteByLink(ctx: SiteContext, request: AppRequest, path: string, options: AppOptions): Promise<Reply> {
  refuseOtherHost(ctx.config, request);
  const left = leaveReply(request);
  if (left) return left;
  let linked: OtherContent;
  try {
    linked = await openLinked(ctx, request, true);
  } catch (error) {
    if (error instanceof CmsError && error.code === "forbidden") return refusedReply();
    throw error;
  }
  return linked.answer(await siteAnswer(linked.ctx, linked.request, path, withoutEditor(options)));
}

/** Access before method before existence. */
function dispatch(ctx: SiteContext, request: AppRequest, matched: Matched, root: Root): Reply | Promise<Reply> {
  const { method, headers } = request;
  const { byMethod, params, allow, isRouter } = matched;
  refuseOtherHost(ctx.config, request);
  const preflight = preflightReply(ctx.config, method, headers, allow);
  if (preflight) return preflight;
  const route = byKeyOr(byMethod.get(method === "HEAD" ? "GET" : method), ctx, request);
  refuseUnacceptable(headers, route?.types);
  const access = method === "OPTIONS" ? accessToOptions(matched) : (route ?? [...byMethod.values()][0]!).access;
  const isPublic = access === "public";
  const answerTo = ({ user, principal, session, isNamedToken, isWebhook }: Caller): Reply | Promise<Reply> => {
    if (principal && isNamedToken && route) refuseToNamedToken(route, principal);
    if (!isWebhook) authorize(access, user);
    let judged = principal;
    const site = principal && !isPublic ? siteFor(ctx, () => judged ?? principal) : ctx;
    if (method === "OPTIONS")
      return optionsReply(allow, formDescription(ctx.config, site.store.current, matched, root.path));
    if (!route) throw new CmsError("method_not_allowed", `Method "${method}" not allowed.`);
    const confirm = async (): Promise<Account | undefined> => {
      const now = await principalOf(ctx, headers, !isPublic);
      authorize(access, now.user);
      if (judged && now.principal && isJudged(judged) !== isJudged(now.principal))
        throw new CmsError("forbidden", "The rights of the account changed during the request.");
      judged = now.principal;
      return now.user;
    };
    const isOpen = session === undefined || !route.isSensitive;
    const confirmed = isOpen ? undefined : requireConfirmed(ctx.accounts, session);
    const call = openCall(site, request, {
      ...{ params, user, session, lenient: root.lenient },
      ...(user && !isWebhook && { confirm }),
    });
    const handler = (isWebhook && route.webhook) || route;
    const answered = whenReady(confirmed, () => handler.handle(call));
    if (isRouter) return answered;
    const language = { allow, "content-language": call.lang, vary: "Accept-Language, Authorization, Cookie" };
    return whenReady(answered, (given) => ({
      ...given,
      headers: { ...language, ...(!isPublic && PRIVATE), ...given.headers },
    }));
  };
  if (isPublic && !headers.has("authorization") && !route?.webhook)
    return answerTo({ user: undefined, session: undefined, isWebhook: false });
  return callerOf(ctx, request, route, isPublic).then(answerTo);
}

/** The route as it is for anyone where the request has a key. One that does not hold leaves a token what it may do. */
function byKeyOr(
  route: Route | undefined,
  { store, env }: SiteContext,
  { url, headers }: AppRequest,
): Route | undefined {
  const key = route?.byKey && url.searchParams.get(KEY_PARAMETER);
  if (!route?.byKey || typeof key !== "string") return route;
  const isKeyed = keptPreviewsOf(store).find(key, env.now()) !== undefined || !headers.has("authorization");
  return isKeyed ? { ...route, access: "public", handle: route.byKey } : route;
}

interface Caller {
  readonly user: Account | undefined;
  readonly principal?: Principal | undefined;
  readonly session: string | undefined;
  readonly isNamedToken?: boolean | undefined;
  readonly isWebhook: boolean;
}

async function callerOf(
  ctx: SiteContext,
  request: AppRequest,
  route: Route | undefined,
  isPublic: boolean,
): Promise<Caller> {
  const { method, headers } = request;
  const found = isPublic && !headers.has("authorization") ? ANONYMOUS : await principalOf(ctx, headers, !isPublic);
  const { user, session } = found;
  if (session !== undefined && !SAFE_METHODS.includes(method))
    await refuseForgery(ctx.accounts, ctx.config, request, session);
  const webhook = user ? undefined : route?.webhook;
  return { ...found, user, session, isWebhook: webhook !== undefined && (await isWebhookCall(webhook, ctx, request)) };
}

/** The media types of requests and answers, and the form of a collection. */
const optionsReply = (allow: string, form: object = {}): Reply =>
  json(
    {
      ...form,
      renders: ["application/json"],
      parses: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    },
    200,
    { ...PRIVATE, allow },
  );

/**
 * Everything outside the API: health, metrics, media, pages. Credentials are ignored, but for metrics and the editor's bar, so
 * that an expired one does not hide public pages.
 */
function siteAnswer(ctx: SiteContext, request: AppRequest, path: string, options: AppOptions): Reply | Promise<Reply> {
  const { method } = request;
  const allow = allowOf(["GET"]);
  if (method === "OPTIONS") return noContent({ allow });
  if (method !== "GET" && method !== "HEAD")
    return errorReply(new CmsError("method_not_allowed", `Method "${method}" not allowed.`), ctx.env, {
      method,
      path: request.url.pathname,
      allow,
    });
  const call = openCall(ctx, request, { params: {}, user: undefined, session: undefined, lenient: false });
  return isOfService(ctx.config, path) ? serviceAnswer(call, path, options) : pageAnswer(call, path, options);
}

async function serviceAnswer(call: Call, path: string, options: AppOptions): Promise<Reply> {
  const { admin, metrics } = options;
  // Monitoring may request by address, so these do not depend on the host, and ignore ALLOWED_HOSTS.
  if (path === "/healthz") return healthReply(call);
  if (path === "/readyz") return readyReply(call);
  if (path === "/metrics" && metrics && (await mayReadMetrics(call))) return metricsReply(call, metrics);
  refuseOtherHost(call.ctx.config, call);
  if (path === BAR_PATH && admin) return framedBar(call, admin);
  return (admin && (await adminReply(call, path, admin))) ?? pageAnswer(call, path, options);
}

/** A page of the site, or a file of its media or of `static/`. */
function pageAnswer(call: Call, path: string, { admin, liveReload }: AppOptions): Reply | Promise<Reply> {
  const { config } = call.ctx;
  refuseOtherHost(config, call);
  const found = liveReload
    ? developmentReply(call, path, liveReload)
    : path.startsWith(config.MEDIA.URL)
      ? mediaReply(call, path).then((media) => media ?? siteReply(call, path))
      : siteReply(call, path);
  return admin ? whenReady(found, (shown) => withEditorBar(call, path, shown, admin)) : found;
}

/** A path with and without its final slash names the same resource. */
const segmentsOf = (below: string): string[] =>
  below
    .split("/")
    .slice(1)
    .filter((segment, at, all) => segment !== "" || at < all.length - 1);

/** Below an API root: the routers, to which clients send the path of a page as one encoded parameter. */
const ROUTERS = /^\/pages-router(?:-preview)?\//;

/**
 * @throws CmsError `not_found` for a path no resource can have: invalid encoding, a NUL, an encoded slash except at the
 *   routers
 */
function decodedPath({ url }: AppRequest, roots: readonly Root[]): string {
  const raw = url.pathname;
  if (!raw.includes("%") && !raw.includes("\\")) return raw;
  const root = rootAt(roots, raw);
  const isRouted = root !== undefined && ROUTERS.test(raw.slice(root.path.length));
  if (/%5c|%00|\\/i.test(raw) || (!isRouted && /%2f/i.test(raw))) throw new CmsError("not_found", "Not found.");
  try {
    return decodeURIComponent(raw).normalize("NFC");
  } catch {
    throw new CmsError("not_found", "Not found."); // invalid percent-encoding
  }
}

function answerOf(method: string, reply: Reply, headersFor: HeadersFor): Answer {
  const { status, cookies = [], body, cached } = reply;
  const headers: string[] = [];
  for (const [name, value] of headersFor(reply)) if (reply.headers[name] === undefined) headers.push(name, value);
  // In a quarter of the time that its entries take.
  for (const name of Object.keys(reply.headers)) headers.push(name, reply.headers[name]!);
  for (const cookie of cookies) headers.push("set-cookie", cookie);
  const isText = typeof body === "string";
  const long = body === null || body instanceof ReadableStream ? undefined : longBody(body);
  // The answer to HEAD has the length of the body of GET.
  if ((long && reply.headers["content-length"] === undefined) || (method === "HEAD" && isText))
    headers.push("content-length", String(isText ? Buffer.byteLength(body) : (body as Uint8Array).length));
  return { status, headers, body: method === "HEAD" && long ? null : (long ?? body), ...(cached && { cached }) };
}
