/**
 * Routes as rows: method, path, who may call, and the function that answers.
 *
 * Permission is checked before method, method before existence, so that a refusal reveals nothing.
 */
import type { Accounts } from "../../actions/accounts/accounts.ts";
import { actingAs } from "../../actions/accounts/auditing.ts";
import { CmsError } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import type { SiteContext } from "../../library/context.ts";
import type { Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Author } from "../../store/write/store.ts";
import type { Surface, View } from "../../views/view.ts";
import type { Operation } from "../openapi/operation.ts";
import type { Reply } from "../request/reply.ts";
import type { RequestHeaders, RequestUrl } from "../request/request.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * `public`: anyone. `user`: any account. `superuser`: superusers only. Else: accounts with one of the permissions in
 * `any`, if it is given; with `staff` only staff and superusers.
 */
export type Access = "public" | "user" | "superuser" | { readonly staff?: boolean; readonly any?: readonly string[] };

export interface Call {
  readonly ctx: SiteContext;
  readonly method: string;
  readonly url: RequestUrl;
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The request is below a root in `API.ALIASES`, for clients of the upstream system. */
  readonly lenient: boolean;
  readonly headers: RequestHeaders;
  /** For bodies that are streamed, and for plugins. */
  readonly web: Request;
  /** One reading of the clock for the whole request. */
  readonly now: Instant;
  readonly user: Account | undefined;
  /** The session id, where the account was found by a session. */
  readonly session: string | undefined;
  /** The active language of the editor endpoints. */
  readonly lang: Lang;
  /** Address of the other end of the connection; "" without one. */
  readonly peer: string;
  /** Address of the client, behind a trusted proxy too. */
  readonly address: string;
  /** Scheme and host for absolute URLs. */
  readonly origin: string;
  /** The body as JSON or form; {} when it is empty. @param most in bytes, if less than `MAX_BODY` @throws CmsError */
  body(most?: number): Promise<unknown>;
  /**
   * Checks again that the account may make this call, once its body has come: a client can take a minute to send it, and the
   * account may have lost its rights, its token or its session meanwhile. `body` does it.
   *
   * @throws CmsError `unauthenticated`, `forbidden`
   */
  confirm(): Promise<void>;
  /** @param of by default the active language and the newest content */
  view(surface: Surface, of?: { readonly lang?: Lang; readonly content?: Snapshot }): View;
  /**
   * Refuses writes of this call where `permit` throws for the content from which they start, which may be newer than what
   * the call has read.
   */
  restrict(permit: Author["permit"]): void;
  /** The account as the author of a commit. */
  author(expects?: Author["expects"]): Author;
  /** The path parameter `id`. @throws CmsError `not_found` if it is not a number */
  id(this: Call): number;
}

export interface Route {
  readonly method: Method;
  /** Below the API root, without its final slash: `pages/:id/draft`. Requests may have the slash or not. */
  readonly path: string;
  /** Answers of routes that are not public have `no-store`. */
  readonly access: Access;
  /** Answers only below the roots listed in `API.ALIASES`. */
  readonly isAliased?: boolean;
  /** What it takes and answers, for the description of the API. */
  readonly operation: Operation;
  /** Answers reads whose query has a `key`, which stands for an account: the function checks it. */
  readonly byKey?: (call: Call) => Reply;
  /** Answers signed webhooks, which have no account. */
  readonly webhook?: Webhook;
  /** Media types that `Accept` may name besides JSON. */
  readonly types?: readonly string[];
  /** A session must have proved lately who it is: what the route does could keep a thief of the session in. */
  readonly isSensitive?: boolean;
  handle(call: Call): Promise<Reply> | Reply;
}

type Handle = Route["handle"];
type Further = Pick<Route, "types" | "webhook" | "isAliased">;

export const route = (method: Method, path: string, access: Access, handle: Handle, operation: Operation): Route => ({
  method,
  path,
  access,
  handle,
  operation,
  ...(operation.type !== undefined && { types: [operation.type] }),
});

const routeOf =
  (method: Method) =>
  (path: string, access: Access, handle: Handle, operation: Operation, further?: Further): Route => ({
    ...route(method, path, access, handle, operation),
    ...further,
  });

export const get = routeOf("GET");
export const post = routeOf("POST");
export const put = routeOf("PUT");
export const patch = routeOf("PATCH");
export const del = routeOf("DELETE");

/** Routes whose writes are sensitive. */
export const sensitive = (routes: readonly Route[]): readonly Route[] =>
  routes.map((each) => (each.method === "GET" ? each : { ...each, isSensitive: true }));

/**
 * Sensitive routes on means of signing in, which only a session changes: who has copied a token would sign in with what
 * was added, after the token and the password were changed.
 */
export const inSession = (routes: readonly Route[]): readonly Route[] =>
  sensitive(routes).map((each) => (each.isSensitive ? { ...each, handle: refusingTokens(each.handle) } : each));

const refusingTokens =
  (handle: Handle): Handle =>
  (call) => {
    if (call.session === undefined)
      throw new CmsError("forbidden", "Sign in: a token does not change how one signs in.");
    return handle(call);
  };

export interface Webhook {
  /** undefined: none are accepted. */
  secret(ctx: SiteContext): string | undefined;
  /** @param call without `user` */
  handle(call: Call): Promise<Reply> | Reply;
}

export interface Matched {
  readonly params: Readonly<Record<string, string>>;
  readonly byMethod: ReadonlyMap<string, Route>;
  /** The methods that answer, as the header `Allow` lists them. */
  readonly allow: string;
  /** The language of the answer is that of the path, not of the caller. */
  readonly isRouter?: boolean;
}

interface Row {
  readonly segments: readonly string[];
  readonly byMethod: Map<string, Route>;
}

/** Finds routes by path. A fixed segment has priority over a parameter: `users/current` before `users/:id`. */
export function routeTable(routes: readonly Route[]): (segments: readonly string[]) => Matched | undefined {
  const rows = new Map<string, Row>();
  for (const route of routes) {
    const row = rows.get(route.path) ?? {
      segments: route.path === "" ? [] : route.path.split("/"),
      byMethod: new Map<string, Route>(),
    };
    if (row.byMethod.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`);
    row.byMethod.set(route.method, route);
    rows.set(route.path, row);
  }
  const fixedFirst = [...rows.values()]
    .sort((a, b) => parameters(a) - parameters(b))
    .map((row) => ({ ...row, allow: allowOf([...row.byMethod.keys()]) }));
  return (segments) => {
    for (const { segments: pattern, byMethod, allow } of fixedFirst) {
      const params = match(pattern, segments);
      if (params) return { params, byMethod, allow };
    }
    return undefined;
  };
}

/** A path with GET also answers HEAD, and every path answers OPTIONS. */
export const allowOf = (methods: readonly string[]): string =>
  [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");

const parameters = (row: Row): number => row.segments.filter((segment) => segment.startsWith(":")).length;

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, segment] of pattern.entries()) {
    const actual = segments[at] ?? "";
    if (segment.startsWith(":")) params[segment.slice(1)] = actual;
    else if (segment !== actual) return undefined;
  }
  return params;
}

/** The account of a call. @throws CmsError `unauthenticated` without one */
export function requireUser({ user }: Pick<Call, "user">): Account {
  if (!user) throw new CmsError("unauthenticated", "Authentication credentials were not provided.");
  return user;
}

/** The accounts, where what is done to them is the doing of the caller. */
export const accountsBy = ({ ctx, user, address }: Pick<Call, "ctx" | "user" | "address">): Accounts =>
  actingAs(ctx.accounts, { username: user?.username ?? null, address: address || null });
