/**
 * The server as a function from request to response, so that tests need no port.
 *
 * One handler takes every path: h3 treats `/x` and `/x/` as one route, while `pages-router/changes` and
 * `pages-router/changes/` are two things here.
 */
import { H3, HTTPResponse, type H3Event } from "h3";
import { CmsError } from "../errors.ts";
import { accepts } from "./accept.ts";
import { accountRoutes } from "./accounts.ts";
import { connectionInfo, openCall } from "./call.ts";
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

/** The app of one site. It holds nothing that must be closed. @param metrics served at `/metrics`; absent: none are */
export function h3App(ctx: ServerContext, metrics?: Metrics): H3 {
  const roots = rootsOf(ctx.config.API.ALIASES, [...API_ROUTES, ...pluginRoutes(ctx.config.plugins)]);
  const headersFor = protectiveHeaders(ctx.config);
  const app: H3 = new H3({ silent: true, allowMalformedURL: true });
  app.all("/**", async (event) => {
    const { method, headers } = event.req;
    return toResponse(method, conditional(method, headers, await reply(ctx, roots, event, metrics)), headersFor);
  });
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
  event: H3Event,
  metrics: Metrics | undefined,
): Promise<Reply> {
  let allow = "";
  try {
    const path = decodedPath(event);
    const root = roots.find((each) => path === each.path || path.startsWith(`${each.path}/`));
    if (root === undefined) return await siteAnswer(ctx, event, path, metrics);
    const below = path.slice(root.path.length);
    const matched = findRouter(below) ?? root.find(segmentsOf(below));
    if (!matched) throw new CmsError("not_found", "Not found.");
    allow = matched.allow;
    return withCors(ctx.config, event.req.headers, await dispatch(ctx, event, matched, root.lenient));
  } catch (error) {
    return withCors(
      ctx.config,
      event.req.headers,
      errorReply(error, ctx.env, { method: event.req.method, path: event.url.pathname, allow }),
    );
  }
}

/** Access before method before existence (contract.md 1.4). */
async function dispatch(ctx: ServerContext, event: H3Event, matched: Matched, lenient: boolean): Promise<Reply> {
  const { method, headers } = event.req;
  const { byMethod, params, allow, isRouter } = matched;
  const connection = connectionInfo(event);
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, connection);
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
    await refuseForgery(ctx.accounts, ctx.config, connection, principal.session);
  authorize(access, principal.user);
  if (method === "OPTIONS") return optionsReply(allow);
  if (!route) throw new CmsError("method_not_allowed", `Method "${method}" not allowed.`);
  const call = openCall(ctx, event, connection, { params, user: principal.user, lenient });
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
  event: H3Event,
  path: string,
  metrics: Metrics | undefined,
): Promise<Reply> {
  const { method } = event.req;
  const allow = allowOf(["GET"]);
  if (method === "OPTIONS") return noContent({ allow });
  if (method !== "GET" && method !== "HEAD")
    return errorReply(new CmsError("method_not_allowed", `Method "${method}" not allowed.`), ctx.env, {
      method,
      path: event.url.pathname,
      allow,
    });
  const connection = connectionInfo(event);
  const call = openCall(ctx, event, connection, { params: {}, user: undefined, lenient: false });
  // Whoever watches over the service asks by address, and is told nothing that depends on the host.
  if (path === "/healthz") return healthReply(call);
  if (path === "/metrics" && metrics && mayReadMetrics(call)) return metricsReply(call, metrics);
  if (ctx.config.ALLOWED_HOSTS.length > 0) allowedHost(ctx.config, connection);
  return (await mediaReply(call, path)) ?? (await siteReply(call, path));
}

/** One final slash more or less is the same resource (decisions.md 1). */
const segmentsOf = (below: string): string[] =>
  below
    .split("/")
    .slice(1)
    .filter((segment, at, all) => segment !== "" || at < all.length - 1);

/** @throws CmsError `not_found` for a path no resource can have: broken encoding, an encoded slash, a NUL */
function decodedPath(event: H3Event): string {
  const raw = event.url.pathname;
  if (!raw.includes("%") && !raw.includes("\\")) return raw;
  if (/%2f|%5c|%00|\\/i.test(raw)) throw new CmsError("not_found", "Not found.");
  try {
    return decodeURIComponent(raw).normalize("NFC");
  } catch {
    throw new CmsError("not_found", "Not found."); // broken percent-encoding names nothing
  }
}

function toResponse(method: string, answered: Reply, headersFor: HeadersFor): HTTPResponse {
  const { status, headers, cookies = [], body } = answered;
  const entries: (readonly [string, string])[] = [];
  for (const entry of headersFor(answered)) if (headers[entry[0]] === undefined) entries.push(entry);
  for (const name of Object.keys(headers)) entries.push([name, headers[name]!]);
  for (const cookie of cookies) entries.push(["set-cookie", cookie]);
  // A HEAD answer tells the length it would have had.
  if (method === "HEAD" && typeof body === "string") entries.push(["content-length", String(Buffer.byteLength(body))]);
  return new Answer(body as ConstructorParameters<typeof HTTPResponse>[0], { status }, entries);
}

/** h3 hands the headers on as it finds them: a list spares every answer the making of a `Headers` object. */
class Answer extends HTTPResponse {
  readonly #entries: readonly (readonly [string, string])[];

  constructor(
    body: ConstructorParameters<typeof HTTPResponse>[0],
    init: { readonly status: number },
    entries: readonly (readonly [string, string])[],
  ) {
    super(body, init);
    this.#entries = entries;
  }

  override get headers(): Headers {
    return this.#entries as unknown as Headers;
  }
}
