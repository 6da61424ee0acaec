/** The server as a function from request to answer: `h3-app.ts` and `direct.ts` give it the requests. */
import { CmsError } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import { API_ROOT } from "../../model/address/possible-names.ts";
import type { SiteContext } from "../../library/context.ts";
import { refuseUnacceptable } from "./accept.ts";
import { accountRoutes } from "../routes/accounts/accounts.ts";
import { adminReply, type AdminFiles } from "../routes/admin.ts";
import { openCall } from "./call.ts";
import { authenticate, ANONYMOUS } from "./principal.ts";
import { conditional } from "./conditional.ts";
import { conflictRoutes } from "../routes/conflicts.ts";
import { contentRoutes } from "../routes/contents.ts";
import { preflightReply, withCors } from "./cors.ts";
import { developmentReply } from "../dev/development.ts";
import type { LiveReload } from "../dev/live-reload.ts";
import { refuseForgery } from "./csrf.ts";
import { withEditorBar } from "../public/editor-bar.ts";
import { formDescription } from "./form-description.ts";
import { errorReply } from "./errors.ts";
import { protectiveHeaders, type HeadersFor } from "./headers.ts";
import { pageReplyNow, siteReply } from "../public/html.ts";
import { mediaRoutes } from "../routes/media.ts";
import { mediaReply } from "../public/media-files.ts";
import { menuRoutes } from "../routes/menus.ts";
import { mayReadMetrics, metricsReply, type Metrics } from "../routes/metrics.ts";
import { hookRoutes } from "../routes/hooks.ts";
import { redirectRoutes } from "../routes/redirects.ts";
import { releaseRoutes } from "../routes/releases.ts";
import { settingRoutes } from "../routes/settings.ts";
import { metaRoutes } from "../routes/meta.ts";
import { openapiRoutes } from "../openapi/routes.ts";
import { unsavedRoutes } from "../routes/pages/autosave.ts";
import { allowedHost } from "./origin.ts";
import { momentRoutes } from "../routes/moments.ts";
import { namesContent, openContent, type OtherContent } from "../public/other-content.ts";
import { overviewRoutes } from "../routes/overview.ts";
import {
  isOfService,
  leaveReply,
  namesLink,
  openLinked,
  refuseBeyondLink,
  refusedReply,
} from "../public/preview-access.ts";
import { previewLinkRoutes } from "../routes/pages/preview-links.ts";
import { pageModelRoutes } from "../routes/pages/page-models.ts";
import { pageTreeRoutes } from "../routes/pages/page-tree.ts";
import { pageRoutes } from "../routes/pages/pages.ts";
import { permissionRoutes } from "../routes/accounts/permissions.ts";
import { pluginRoutes } from "../routes/plugins.ts";
import { json, longBody, noContent, PRIVATE, type Reply } from "./reply.ts";
import type { AppRequest } from "./request.ts";
import { accessToOptions, allowOf, authorize, routeTable, type Matched, type Route } from "./route.ts";
import { findRouter, ROUTER_ROUTES } from "../public/routers.ts";
import { sessionRoutes } from "../routes/accounts/sessions.ts";
import { healthReply, readyReply, systemRoutes } from "../routes/system.ts";
import { syncRoutes } from "../routes/sync.ts";
import { recordRoutes } from "../routes/records.ts";
import { userRoutes } from "../routes/accounts/users.ts";
import { isWebhookCall } from "./webhook.ts";

const RESOURCES: readonly Route[] = [
  ...systemRoutes,
  ...accountRoutes,
  ...pageRoutes,
  ...pageModelRoutes,
  ...pageTreeRoutes,
  ...unsavedRoutes,
  ...menuRoutes,
  ...contentRoutes,
  ...recordRoutes,
  ...mediaRoutes,
  ...metaRoutes,
  ...hookRoutes,
  ...redirectRoutes,
  ...releaseRoutes,
  ...previewLinkRoutes,
  ...settingRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...permissionRoutes,
  ...syncRoutes,
  ...conflictRoutes,
  ...overviewRoutes,
  ...momentRoutes,
];

/** Every route below the API root except those of the routers; `test/access.test.ts` states the access of each. */
export const API_ROUTES: readonly Route[] = [
  ...RESOURCES,
  ...openapiRoutes([...RESOURCES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES]),
];

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** A reply with all its headers, as it is sent. */
export interface Answer extends Pick<Reply, "status" | "body" | "cached"> {
  /** Names and values, alternating. */
  readonly headers: readonly string[];
}

/** Answers the requests of one site. */
export interface Answers {
  /** Never rejects: an error is an answer too. */
  answer(request: AppRequest): Promise<Answer>;
  /**
   * The same answer to a public read for which nothing has to be waited for; undefined for all else.
   *
   * @param request GET or HEAD, without credentials or cookies
   */
  answerNow(request: AppRequest): Answer | undefined;
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
    return answerOf(request.method, conditional(request.method, request.headers, given), headersFor);
  };
  return {
    answer: async (request) => complete(request, await reply(ctx, roots, request, options)),
    answerNow(request) {
      const given = replyNow(ctx, roots, request, options);
      return given && complete(request, given);
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

/** As `reply`; undefined where it has to wait for something, and where it fails: one place explains failures. */
function replyNow(
  ctx: SiteContext,
  roots: readonly Root[],
  request: AppRequest,
  { liveReload }: AppOptions,
): Reply | undefined {
  const { config } = ctx;
  try {
    const path = decodedPath(request, roots);
    const root = rootAt(roots, path);
    if (namesLink(config, request, path, root === undefined) || namesContent(request.url)) return undefined;
    if (config.ALLOWED_HOSTS.length > 0) allowedHost(config, request);
    if (root === undefined) {
      if (liveReload || isOfService(config, path) || path.startsWith(config.MEDIA.URL)) return undefined;
      return pageReplyNow(openCall(ctx, request, { params: {}, user: undefined, lenient: false }), path);
    }
    const matched = findRouter(path.slice(root.path.length));
    const route = matched?.byMethod.get("GET");
    if (!matched || !route?.handleNow) return undefined;
    refuseUnacceptable(request.headers, route.types);
    const { params } = matched;
    const answered = route.handleNow(openCall(ctx, request, { params, user: undefined, lenient: root.lenient }));
    return answered && withCors(config, request.headers, answered);
  } catch {
    return undefined;
  }
}

async function reply(
  ctx: SiteContext,
  roots: readonly Root[],
  request: AppRequest,
  options: AppOptions,
): Promise<Reply> {
  let allow = "";
  try {
    const path = decodedPath(request, roots);
    const root = rootAt(roots, path);
    const isLinked = request.method !== "OPTIONS" && namesLink(ctx.config, request, path, root === undefined);
    if (isLinked && root === undefined) return await siteByLink(ctx, request, path, options);
    const other =
      isLinked || (request.method !== "OPTIONS" && namesContent(request.url))
        ? await openOther(ctx, request, isLinked)
        : undefined;
    const { ctx: site, request: asked } = other ?? { ctx, request };
    if (root === undefined) {
      // The editor's bar is about the newest content.
      const { admin: _admin, ...plain } = options;
      const found = await siteAnswer(site, asked, path, other ? plain : options);
      return other ? other.answer(found) : found;
    }
    const below = path.slice(root.path.length);
    const matched = findRouter(below) ?? root.find(segmentsOf(below));
    if (!matched) throw new CmsError("not_found", "Not found.");
    if (isLinked) refuseBeyondLink(matched);
    allow = matched.allow;
    const answered = await dispatch(site, asked, matched, root);
    return withCors(ctx.config, request.headers, other ? other.answer(answered) : answered);
  } catch (error) {
    return withCors(
      ctx.config,
      request.headers,
      errorReply(error, ctx.env, { method: request.method, path: request.url.pathname, allow }),
    );
  }
}

/** A host that is not answered is refused before anything else. */
async function openOther(ctx: SiteContext, request: AppRequest, isLinked: boolean): Promise<OtherContent> {
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  return isLinked ? openLinked(ctx, request, false) : openContent(ctx, request);
}

/** A page or a file by a preview link. */
async function siteByLink(ctx: SiteContext, request: AppRequest, path: string, options: AppOptions): Promise<Reply> {
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  const left = leaveReply(request);
  if (left) return left;
  let linked: OtherContent;
  try {
    linked = await openLinked(ctx, request, true);
  } catch (error) {
    if (error instanceof CmsError && error.code === "forbidden") return refusedReply();
    throw error;
  }
  const { admin: _admin, ...plain } = options;
  return linked.answer(await siteAnswer(linked.ctx, linked.request, path, plain));
}

/** Access before method before existence. */
async function dispatch(ctx: SiteContext, request: AppRequest, matched: Matched, root: Root): Promise<Reply> {
  const { method, headers } = request;
  const { byMethod, params, allow, isRouter } = matched;
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  const preflight = preflightReply(ctx.config, method, headers, allow);
  if (preflight) return preflight;
  const route = byMethod.get(method === "HEAD" ? "GET" : method);
  refuseUnacceptable(headers, route?.types);
  const access = method === "OPTIONS" ? accessToOptions(matched) : (route ?? [...byMethod.values()][0]!).access;
  const principal =
    access === "public" && !headers.has("authorization")
      ? ANONYMOUS
      : await authenticate(ctx.accounts, headers, access !== "public");
  if (principal.session !== undefined && !SAFE_METHODS.includes(method))
    await refuseForgery(ctx.accounts, ctx.config, request, principal.session);
  const webhook = principal.user ? undefined : route?.webhook;
  const isWebhook = webhook !== undefined && (await isWebhookCall(webhook, ctx, request));
  if (!isWebhook) authorize(access, principal.user);
  if (method === "OPTIONS")
    return optionsReply(allow, formDescription(ctx.config, ctx.store.current, matched, root.path));
  if (!route) throw new CmsError("method_not_allowed", `Method "${method}" not allowed.`);
  const confirm = async (): Promise<Account | undefined> => {
    const { user } = await authenticate(ctx.accounts, headers, access !== "public");
    authorize(access, user);
    return user;
  };
  const call = openCall(ctx, request, {
    ...{ params, user: principal.user, lenient: root.lenient },
    ...(principal.user && !isWebhook && { confirm }),
  });
  const answered = await (isWebhook ? webhook : route).handle(call);
  if (isRouter) return answered;
  const language = { allow, "content-language": call.lang, vary: "Accept-Language, Authorization, Cookie" };
  return { ...answered, headers: { ...language, ...(access !== "public" && PRIVATE), ...answered.headers } };
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
async function siteAnswer(
  ctx: SiteContext,
  request: AppRequest,
  path: string,
  { admin, metrics, liveReload }: AppOptions,
): Promise<Reply> {
  const { method } = request;
  const allow = allowOf(["GET"]);
  if (method === "OPTIONS") return noContent({ allow });
  if (method !== "GET" && method !== "HEAD")
    return errorReply(new CmsError("method_not_allowed", `Method "${method}" not allowed.`), ctx.env, {
      method,
      path: request.url.pathname,
      allow,
    });
  const call = openCall(ctx, request, { params: {}, user: undefined, lenient: false });
  // Monitoring may request by address, so these do not depend on the host, and ignore ALLOWED_HOSTS.
  if (path === "/healthz") return healthReply(call);
  if (path === "/readyz") return readyReply(call);
  if (path === "/metrics" && metrics && (await mayReadMetrics(call))) return metricsReply(call, metrics);
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  const ofAdmin = admin && (await adminReply(call, path, admin));
  if (ofAdmin) return ofAdmin;
  const found = liveReload
    ? await developmentReply(call, path, liveReload)
    : ((await mediaReply(call, path)) ?? (await siteReply(call, path)));
  return admin ? withEditorBar(call, path, found, admin) : found;
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
