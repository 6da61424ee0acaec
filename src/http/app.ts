/**
 * The server as a function from request to response, so that tests need no port.
 *
 * One handler takes every path: h3 treats `/x` and `/x/` as one route, while `pages-router/changes` and
 * `pages-router/changes/` are two things here.
 */
import { H3, HTTPResponse } from "h3";
import { CmsError } from "../errors.ts";
import { accepts } from "./accept.ts";
import { accountRoutes } from "./accounts.ts";
import { openCall } from "./call.ts";
import { authenticate, ANONYMOUS } from "./principal.ts";
import { conditional } from "./conditional.ts";
import { contentRoutes } from "./contents.ts";
import { preflightReply, withCors } from "./cors.ts";
import { refuseForgery } from "./csrf.ts";
import { errorReply } from "./errors.ts";
import { protectiveHeaders, type HeadersFor } from "./headers.ts";
import { siteReply } from "./html.ts";
import { mediaRoutes } from "./media.ts";
import { mediaReply } from "./media-files.ts";
import { menuRoutes } from "./menus.ts";
import { mayReadMetrics, metricsReply, type Metrics } from "./metrics.ts";
import { metaRoutes } from "./meta.ts";
import { openapiRoutes } from "./openapi.ts";
import { allowedHost } from "./origin.ts";
import { pageRoutes } from "./pages.ts";
import { permissionRoutes } from "./permissions.ts";
import { pluginRoutes } from "./plugins.ts";
import { json, noContent, PRIVATE, type Reply } from "./reply.ts";
import { requestOfEvent, type AppRequest } from "./request.ts";
import {
  accessToOptions,
  allowOf,
  authorize,
  routeTable,
  type Matched,
  type Route,
  type ServerContext,
} from "./route.ts";
import { findRouter, ROUTER_ROUTES } from "./routers.ts";
import { sessionRoutes } from "./sessions.ts";
import { healthReply, systemRoutes } from "./system.ts";
import { recordRoutes } from "./records.ts";
import { userRoutes } from "./users.ts";

const RESOURCES: readonly Route[] = [
  ...systemRoutes,
  ...accountRoutes,
  ...pageRoutes,
  ...menuRoutes,
  ...contentRoutes,
  ...recordRoutes,
  ...mediaRoutes,
  ...metaRoutes,
  ...sessionRoutes,
  ...userRoutes,
  ...permissionRoutes,
];

/** Every route of the API below its root but the routers', for the server and for the test that each one's access is known. */
export const API_ROUTES: readonly Route[] = [
  ...RESOURCES,
  ...openapiRoutes([...RESOURCES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES]),
];

const API_ROOT = "/api/cms";
const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

/** A reply with all its headers, as it is sent. */
export interface Answer extends Pick<Reply, "status" | "body" | "cached"> {
  /** Names and values, alternating. */
  readonly headers: readonly string[];
}

/** Answers the requests of one site. Never rejects: an error is an answer too. */
export type Answers = (request: AppRequest) => Promise<Answer>;

/** @param metrics served at `/metrics`; absent: none are */
export function openAnswers(ctx: ServerContext, metrics?: Metrics): Answers {
  const roots = rootsOf(ctx.config.API.ALIASES, [...API_ROUTES, ...pluginRoutes(ctx.config.plugins)]);
  const headersFor = protectiveHeaders(ctx.config);
  return async (request) =>
    answerOf(
      request.method,
      conditional(request.method, request.headers, await reply(ctx, roots, request, metrics)),
      headersFor,
    );
}

/** The app of one site. It holds nothing that must be closed. @param metrics see `openAnswers` */
export function h3App(ctx: ServerContext, metrics?: Metrics): H3 {
  const answers = openAnswers(ctx, metrics);
  const app: H3 = new H3({ silent: true, allowMalformedURL: true });
  app.all("/**", async (event) => new AnswerResponse(await answers(requestOfEvent(event))));
  return app;
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

async function reply(
  ctx: ServerContext,
  roots: readonly Root[],
  request: AppRequest,
  metrics: Metrics | undefined,
): Promise<Reply> {
  let allow = "";
  try {
    const path = decodedPath(request);
    const root = roots.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    if (root === undefined) return await siteAnswer(ctx, request, path, metrics);
    const below = path.slice(root.path.length);
    const matched = findRouter(below) ?? root.find(segmentsOf(below));
    if (!matched) throw new CmsError("not_found", "Not found.");
    allow = matched.allow;
    return withCors(ctx.config, request.headers, await dispatch(ctx, request, matched, root.lenient));
  } catch (error) {
    return withCors(
      ctx.config,
      request.headers,
      errorReply(error, ctx.env, { method: request.method, path: request.url.pathname, allow }),
    );
  }
}

/** Access before method before existence (contract.md 1.4). */
async function dispatch(ctx: ServerContext, request: AppRequest, matched: Matched, lenient: boolean): Promise<Reply> {
  const { method, headers } = request;
  const { byMethod, params, allow, isRouter } = matched;
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  const preflight = preflightReply(ctx.config, method, headers, allow);
  if (preflight) return preflight;
  const route = byMethod.get(method === "HEAD" ? "GET" : method);
  if (!["application/json", ...(route?.types ?? [])].some((type) => accepts(headers.get("accept"), type)))
    throw new CmsError("not_acceptable", NOT_ACCEPTABLE);
  const access = method === "OPTIONS" ? accessToOptions(matched) : (route ?? [...byMethod.values()][0]!).access;
  const principal =
    access === "public" && !headers.has("authorization")
      ? ANONYMOUS
      : await authenticate(ctx.accounts, headers, access !== "public");
  if (principal.session !== undefined && !SAFE_METHODS.includes(method))
    await refuseForgery(ctx.accounts, ctx.config, request, principal.session);
  authorize(access, principal.user);
  if (method === "OPTIONS") return optionsReply(allow);
  if (!route) throw new CmsError("method_not_allowed", `Method "${method}" not allowed.`);
  const call = openCall(ctx, request, { params, user: principal.user, lenient });
  const answered = await route.handle(call);
  if (isRouter) return answered;
  const language = { allow, "content-language": call.lang, vary: "Accept-Language, Authorization, Cookie" };
  return { ...answered, headers: { ...language, ...(access !== "public" && PRIVATE), ...answered.headers } };
}

const NOT_ACCEPTABLE = "Could not satisfy the request Accept header.";

/** What can be sent and what comes back (contract.md 1.3). */
const optionsReply = (allow: string): Reply =>
  json(
    {
      renders: ["application/json"],
      parses: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    },
    200,
    { ...PRIVATE, allow },
  );

/** Everything outside the API: health, metrics, media, pages. They do not look at credentials, so that a stale one hides nothing. */
async function siteAnswer(
  ctx: ServerContext,
  request: AppRequest,
  path: string,
  metrics: Metrics | undefined,
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
  // Whoever watches over the service asks by address, and is told nothing that depends on the host.
  if (path === "/healthz") return healthReply(call);
  if (path === "/metrics" && metrics && mayReadMetrics(call)) return metricsReply(call, metrics);
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, request);
  return (await mediaReply(call, path)) ?? (await siteReply(call, path));
}

/** One final slash more or less is the same resource (decisions.md 1). */
const segmentsOf = (below: string): string[] =>
  below
    .split("/")
    .slice(1)
    .filter((segment, at, all) => segment !== "" || at < all.length - 1);

/** @throws CmsError `not_found` for a path no resource can have: broken encoding, an encoded slash, a NUL */
function decodedPath({ url }: AppRequest): string {
  const raw = url.pathname;
  if (!raw.includes("%") && !raw.includes("\\")) return raw;
  if (/%2f|%5c|%00|\\/i.test(raw)) throw new CmsError("not_found", "Not found.");
  try {
    return decodeURIComponent(raw).normalize("NFC");
  } catch {
    throw new CmsError("not_found", "Not found."); // broken percent-encoding names nothing
  }
}

function answerOf(method: string, reply: Reply, headersFor: HeadersFor): Answer {
  const { status, cookies = [], body, cached } = reply;
  const headers: string[] = [];
  for (const [name, value] of headersFor(reply)) if (reply.headers[name] === undefined) headers.push(name, value);
  for (const name of Object.keys(reply.headers)) headers.push(name, reply.headers[name]!);
  for (const cookie of cookies) headers.push("set-cookie", cookie);
  // A HEAD answer tells the length it would have had.
  if (method === "HEAD" && typeof body === "string") headers.push("content-length", String(Buffer.byteLength(body)));
  return { status, headers, body, ...(cached && { cached }) };
}

/** h3 hands the headers on as it finds them: a list spares every answer the making of a `Headers` object. */
class AnswerResponse extends HTTPResponse {
  readonly #headers: readonly string[];

  constructor({ status, headers, body }: Answer) {
    super(body as ConstructorParameters<typeof HTTPResponse>[0], { status });
    this.#headers = headers;
  }

  override get headers(): Headers {
    const entries: [string, string][] = [];
    for (let at = 0; at < this.#headers.length; at += 2) entries.push([this.#headers[at]!, this.#headers[at + 1]!]);
    return entries as unknown as Headers;
  }
}
