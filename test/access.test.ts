/**
 * The access rules of all routes, deliberately written a second time: the route tables are what is tested.
 *
 * A new route fails here until it has a row.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { addUser } from "../src/actions/accounts/accounts.ts";
import { tokenOf } from "../src/actions/accounts/sign-in.ts";
import { openSession } from "../src/actions/accounts/sessions.ts";
import { API_ROUTES } from "../src/http/routes/api-routes.ts";
import { h3App } from "../src/http/app/h3-app.ts";
import { ROUTER_ROUTES } from "../src/http/public/routers.ts";
import type { SyncService } from "../src/store/sync/sync-service.ts";
import { memorySite } from "./site.ts";

/** Anyone; any account; any, in a session; staff and superusers; these and signed webhooks, which have no account; superusers; or accounts with one of the permissions, with `staff` only staff. */
type Rule =
  | "anyone"
  | "accounts"
  | "sessions"
  | "staff"
  | "staff or webhook"
  | "superusers"
  | { readonly any: readonly string[]; readonly staff?: true };

const may = (...any: string[]): Rule => ({ any });

/** Page models have the actions of pages below their own name. */
const pageModel = (path: string, model: string): Readonly<Record<string, Rule>> => {
  const editors: Rule = { any: [`cms.change_${model}`, `cms.add_${model}`], staff: true };
  return {
    [`GET ${path}`]: "accounts",
    [`POST ${path}`]: may(`cms.add_${model}`),
    [`POST ${path}/bulk_delete`]: may(`cms.add_${model}`),
    [`POST ${path}/update_order`]: may(`cms.add_${model}`),
    [`GET ${path}/:id`]: "accounts",
    [`PUT ${path}/:id`]: may(`cms.change_${model}`),
    [`PATCH ${path}/:id`]: may(`cms.change_${model}`),
    [`DELETE ${path}/:id`]: may(`cms.delete_${model}`),
    [`PATCH ${path}/:id/draft`]: editors,
    [`PUT ${path}/:id/draft`]: editors,
    [`POST ${path}/:id/discard-draft`]: editors,
    [`POST ${path}/:id/publish`]: editors,
    [`POST ${path}/:id/schedule`]: editors,
    [`POST ${path}/:id/trash`]: editors,
    [`POST ${path}/:id/restore`]: editors,
    [`GET ${path}/:id/autosave`]: editors,
    [`PUT ${path}/:id/autosave`]: editors,
    [`DELETE ${path}/:id/autosave`]: editors,
    [`POST ${path}/:id/addresses`]: editors,
    [`POST ${path}/:id/open`]: editors,
    [`DELETE ${path}/:id/open`]: editors,
    [`GET ${path}/:id/revisions`]: "staff",
    [`GET ${path}/:id/revisions/:version`]: "staff",
    [`GET ${path}/:id/revisions/:version/render`]: "staff",
    [`POST ${path}/:id/revert/:version`]: editors,
    [`GET ${path}/:id/text-changes`]: "staff",
    [`GET ${path}/:id/uses`]: "staff",
    [`GET ${path}/:id/preview`]: "staff",
    [`POST ${path}/:id/preview`]: "staff",
    [`POST ${path}/:id/live-preview`]: "staff",
    [`GET ${path}/:id/render`]: "staff",
    [`POST ${path}/:id/render`]: "staff",
  };
};

const mediaFolder = (path: string): Readonly<Record<string, Rule>> => ({
  [`GET ${path}`]: "accounts",
  [`POST ${path}`]: may("cms.add_mediafolder"),
  [`GET ${path}/:id`]: "accounts",
  [`PUT ${path}/:id`]: may("cms.change_mediafolder"),
  [`PATCH ${path}/:id`]: may("cms.change_mediafolder"),
  [`DELETE ${path}/:id`]: may("cms.delete_mediafolder"),
});

/** Besides, an account needs the permission on the model of every page in the release. */
const RELEASES: Rule = { any: ["cms.change_page", "cms.change_article"], staff: true };

const API: Readonly<Record<string, Rule>> = {
  "GET ": "anyone",
  "GET languages": "anyone",
  "GET sitemap": "anyone",
  "GET openapi": "anyone",
  "GET openapi.json": "anyone",
  "GET docs": "anyone",

  "POST token-auth": "anyone",
  "POST auth/login": "anyone",
  "GET auth/means": "anyone",
  "GET auth/oidc/:provider": "anyone",
  "POST auth/oidc/:provider": "sessions",
  "GET auth/oidc/:provider/callback": "anyone",
  "POST auth/passkey/new": "anyone",
  "POST auth/passkey": "anyone",
  "POST auth/confirm": "accounts",
  "POST auth/password": "accounts",
  "POST auth/logout": "anyone",
  "GET profiles/me": "anyone",
  "GET users": "accounts",
  "POST users": may("auth.add_user"),
  "GET users/current": "accounts",
  "PUT users/current": may("auth.change_user"),
  "GET users/current/passkeys": "accounts",
  "POST users/current/passkeys": "sessions",
  "POST users/current/passkeys/new": "sessions",
  "DELETE users/current/passkeys/:passkey": "sessions",
  "GET users/current/codes": "accounts",
  "POST users/current/codes": "sessions",
  "DELETE users/current/codes": "sessions",
  "POST users/current/codes/new": "sessions",
  "GET users/current/tokens": "accounts",
  "POST users/current/tokens": "accounts",
  "DELETE users/current/tokens/:token": "accounts",
  "GET users/current/sessions": "accounts",
  "DELETE users/current/sessions": "accounts",
  "DELETE users/current/sessions/:session": "accounts",
  "GET users/:id": "accounts",
  "PUT users/:id": may("auth.change_user"),
  "PATCH users/:id": may("auth.change_user"),
  "DELETE users/:id": may("auth.delete_user"),
  "POST users/:id/kickout": may("auth.add_user"),
  "GET permissions": "accounts",
  "GET permissions/:id": "accounts",
  "PUT permissions/:id": "superusers",
  "GET audit": "superusers",
  "GET roles": "accounts",
  "PUT roles": "superusers",

  ...pageModel("pages", "page"),
  ...pageModel("articles", "article"),
  ...pageModel("models/:model", "page"),

  "GET tags": "accounts",
  "POST tags": may("cms.add_tag"),
  "POST tags/bulk_delete": may("cms.add_tag"),
  "GET tags/:id": "accounts",
  "PUT tags/:id": may("cms.change_tag"),
  "PATCH tags/:id": may("cms.change_tag"),
  "DELETE tags/:id": may("cms.delete_tag"),

  "GET meta-types": "staff",
  "POST meta-types": "staff",
  "GET meta-types/:id": "staff",
  "PUT meta-types/:id": "staff",
  "PATCH meta-types/:id": "staff",
  "DELETE meta-types/:id": "staff",
  "GET meta-types/:id/schema": "staff",
  "POST meta-types/:id/effects": "staff",
  "GET meta-instances": "staff",
  "POST meta-instances": "staff",
  "GET meta-instances/schema": "staff",
  "GET meta-instances/:id": "staff",
  "PUT meta-instances/:id": "staff",
  "PATCH meta-instances/:id": "staff",
  "DELETE meta-instances/:id": "staff",

  "GET menus": "accounts",
  "POST menus": may("cms.add_menu"),
  "GET menus/page_types": "accounts",
  "GET menus/page_types/:type": "accounts",
  "GET menus/search_urlnode": "accounts",
  "GET menus/:key": "accounts",
  "PUT menus/:key": may("cms.change_menu"),
  "PATCH menus/:key": may("cms.change_menu"),
  "DELETE menus/:key": may("cms.delete_menu"),
  "GET menus-router/:key": "anyone",

  "GET media": "accounts",
  "POST media": may("cms.add_media"),
  "POST media/bulk_delete": may("cms.add_media", "cms.delete_media"),
  "GET media/:id": "accounts",
  "PUT media/:id": may("cms.change_media"),
  "PATCH media/:id": may("cms.change_media"),
  "DELETE media/:id": may("cms.delete_media"),
  "POST media/:id/regenerate-renditions": may("cms.add_media", "cms.change_media"),
  "POST media/:id/trash": may("cms.change_media", "cms.delete_media"),
  "POST media/:id/restore": may("cms.change_media", "cms.delete_media"),
  ...mediaFolder("media-folder"),
  ...mediaFolder("media-folders"),

  "GET contents": "accounts",
  "POST contents": may("cms.add_content"),
  "POST contents/bulk_delete": may("cms.add_content"),
  "POST contents/get-or-create": may("cms.add_content"),
  "GET contents/:id": "accounts",
  "PUT contents/:id": may("cms.change_content"),
  "PATCH contents/:id": may("cms.change_content"),
  "DELETE contents/:id": may("cms.delete_content"),
  "GET contents/:id/djsuperadmin": "accounts",
  "PATCH contents/:id/djsuperadmin": may("cms.change_content"),
  "GET contents/:id/djsuperadmin/history": "accounts",

  "GET sync": "staff",
  "POST sync": "staff or webhook",
  "GET conflicts": "staff",
  "POST conflicts/:id/resolve": "staff",
  "GET changes": "staff",
  "GET problems": "staff",
  "GET schedule": "staff",
  "GET compare": "staff",
  "GET hooks": "staff",
  "GET settings": "superusers",
  "GET redirects": "accounts",
  "POST redirects": { any: ["cms.change_page"], staff: true },
  "DELETE redirects": { any: ["cms.change_page"], staff: true },

  "GET releases": "staff",
  "POST releases": RELEASES,
  "GET releases/:name": "staff",
  "PUT releases/:name": RELEASES,
  "PATCH releases/:name": RELEASES,
  "DELETE releases/:name": RELEASES,
  "GET releases/:name/check": "staff",
  "POST releases/:name/publish": RELEASES,
  "POST releases/:name/schedule": RELEASES,
  "POST releases/:name/revert": RELEASES,
  "GET reviews": "staff",
  "POST reviews": "staff",
  "GET reviews/of/:id": "staff",
  "GET reviews/:name": "staff",
  "POST reviews/:name/decide": "staff",
  "DELETE reviews/:name": "staff",
  "GET threads": "staff",
  "POST threads": "staff",
  "GET threads/:id": "staff",
  "PATCH threads/:id": "staff",
  "POST threads/:id/comments": "staff",
  "PATCH threads/:id/comments/:comment": "staff",
  "DELETE threads/:id/comments/:comment": "staff",
  "GET preview-sites": "staff",
  "GET preview-links": "staff",
  "POST preview-links": "staff",
  "DELETE preview-links/:link": "staff",

  "GET autosaves": "staff",
  "GET page-models": "staff",
  "GET block-types": "staff",
  "POST block-types": "staff",
  "GET block-types/:name": "staff",
  "PUT block-types/:name": "staff",
  "PATCH block-types/:name": "staff",
  "DELETE block-types/:name": "staff",
  "GET block-types/:name/schema": "staff",
  "GET page-tree": "staff",
  "GET templates": "staff",
  "GET search": "accounts",
  "GET search-router": "anyone",
};

/** Here the final slash is part of the path, so each form is requested as written. */
const ROUTERS: Readonly<Record<string, Rule>> = {
  "GET pages-router/changes": "anyone",
  "POST pages-router/publish-due": "staff",
  "GET pages-router/**": "anyone",
  "GET pages-router-preview/**": "accounts",
};

const rules = { ...API, ...ROUTERS };

type Caller =
  | "anonymous"
  | "reader"
  | "permitted reader"
  | "staff"
  | "staff without permissions"
  | "staff with the permission"
  | "role reader"
  | "role author"
  | "role editor"
  | "role administrator"
  | "role nobody"
  | "superuser";

const ACCOUNTS: Readonly<
  Record<
    Exclude<Caller, "anonymous">,
    (permissions: readonly string[]) => {
      is_staff?: boolean;
      is_superuser?: boolean;
      user_permissions?: readonly string[];
      roles?: readonly string[];
    }
  >
> = {
  reader: () => ({}),
  "permitted reader": (permissions) => ({ user_permissions: permissions }),
  staff: () => ({ is_staff: true }),
  "staff without permissions": () => ({ is_staff: true, user_permissions: ["cms.view_page"] }),
  "staff with the permission": (permissions) => ({ is_staff: true, user_permissions: permissions }),
  "role reader": () => ({ roles: ["reader"] }),
  "role author": () => ({ roles: ["author"] }),
  "role editor": () => ({ roles: ["editor"] }),
  "role administrator": () => ({ roles: ["administrator"] }),
  // The rights of an account and those of its roles do not add up.
  "role nobody": (permissions) => ({ roles: ["nobody"], is_staff: true, user_permissions: permissions }),
  superuser: () => ({ is_superuser: true }),
};
const CALLERS: readonly Caller[] = ["anonymous", ...(Object.keys(ACCOUNTS) as Exclude<Caller, "anonymous">[])];

type Verdict = "in" | 401 | 403;

/** The verbs that a role has on content, at the door: which record it is about is asked later (test/security). */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  author: ["view", "add", "change"],
  editor: ["view", "add", "change", "delete"],
  administrator: ["view", "add", "change", "delete"],
};

function expectedOfRole(rule: Exclude<Rule, string>, role: string): Verdict {
  const verbs = VERBS[role] ?? [];
  // Roles are about content: over accounts, the list decides.
  if (!rule.any.every((permission) => permission.startsWith("cms."))) return role === "nobody" ? "in" : 403;
  return rule.any.some((permission) => verbs.some((verb) => permission.startsWith(`cms.${verb}_`))) ? "in" : 403;
}

function expected(rule: Rule, caller: Caller, way: Way = "token"): Verdict {
  if (rule === "sessions") return caller === "anonymous" ? 401 : way === "session" ? "in" : 403;
  if (rule === "anyone" || caller === "superuser") return "in";
  if (caller === "anonymous") return 401;
  const role = caller.startsWith("role ") ? caller.slice("role ".length) : undefined;
  const isStaff = role === undefined ? caller.startsWith("staff") : role in VERBS;
  if (rule === "accounts") return "in";
  if (rule === "staff" || rule === "staff or webhook") return isStaff ? "in" : 403;
  if (rule === "superusers") return 403;
  if (role !== undefined) return expectedOfRole(rule, role);
  // Staff has every content permission and none on accounts: staff could otherwise become superuser.
  const isContent = rule.any.every((permission) => permission.startsWith("cms."));
  const hasPermission =
    (caller === "staff" && isContent) || caller === "permitted reader" || caller === "staff with the permission";
  return hasPermission && (isStaff || !rule.staff) ? "in" : 403;
}

/** Any answer of the handler means access: the requested records do not exist. */
const verdict = (status: number): Verdict | number =>
  status === 401 || status === 403 ? status : status < 500 && status !== 405 ? "in" : status;

const permissionsOf = (rule: Rule): readonly string[] => (typeof rule === "object" ? rule.any.slice(0, 1) : []);

/** The path of a route with parameters of missing records. */
const fill = (path: string): string =>
  path.replace(":id", "999999").replace(":type", "999999").replace("**", "nowhere/").replace(/:\w+/g, "abcdef01");

type Way = "token" | "session";

interface Door {
  knock(method: string, path: string, caller: Caller, permissions?: readonly string[], way?: Way): Promise<number>;
}

async function door(): Promise<Door> {
  const { cms, ask } = await memorySite();
  const known = new Map<string, Promise<Record<string, string>>>();
  /** The credentials of a caller. */
  const credentials = async (username: string, account: object, way: Way): Promise<Record<string, string>> => {
    const made = await addUser(cms.accounts, { username, password: "open sesame", ...account });
    if (way === "token") return { authorization: `Token ${await tokenOf(cms.accounts, made)}` };
    const { id, csrf } = await openSession(cms.accounts, made);
    return { cookie: `sessionid=${id}; csrftoken=${csrf}`, "x-csrftoken": csrf };
  };
  return {
    async knock(method, path, caller, permissions = [], way = "token") {
      // Logout is tried with a separate session.
      const username = `${caller} ${permissions.join()} ${way} ${path.startsWith("auth/") ? path : ""}`.replace(
        /[^a-z_.]/g,
        "-",
      );
      const headers =
        caller === "anonymous"
          ? {}
          : await (known.get(username) ??
              known.set(username, credentials(username, ACCOUNTS[caller](permissions), way)).get(username)!);
      const hasBody = method !== "GET" && method !== "DELETE" && method !== "HEAD";
      return (await ask(method, `api:${path}`, { headers, ...(hasBody && { body: {} }) })).status;
    },
  };
}

describe("every route", () => {
  const routes = [...API_ROUTES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES].map(
    ({ method, path }) => `${method} ${path}`,
  );

  it("has a row, and every row has a route", () => {
    expect(routes.filter((route) => !(route in rules))).toEqual([]);
    expect(Object.keys(rules).filter((route) => !routes.includes(route))).toEqual([]);
  });

  const ways = CALLERS.flatMap((caller) =>
    (caller.startsWith("role ") ? (["token"] as const) : (["token", "session"] as const)).map(
      (way) => [caller, way] as const,
    ),
  );
  it.each(ways)("lets in or keeps out: %s, by %s", async (caller, way) => {
    const { knock } = await door();
    const [wanted, got]: Record<string, unknown>[] = [{}, {}];
    for (const [route, rule] of Object.entries(rules)) {
      const [method, path] = route.split(" ") as [string, string];
      // An empty body is a valid menu, which is public at once.
      const isMenu = route === "POST menus" && caller === "role author";
      for (const slash of route in API ? ["", "/"] : [""]) {
        wanted![route + slash] = isMenu ? 403 : expected(rule, caller, way);
        got![route + slash] = verdict(await knock(method, fill(path) + slash, caller, permissionsOf(rule), way));
      }
    }
    expect(got).toEqual(wanted);
  });

  it("has the same rules in the documentation", () => {
    const text = readFileSync(new URL("../docs/security.md", import.meta.url), "utf8");
    const documentation = text.slice(text.indexOf("## Access rules"));
    for (const line of tableOf(rules)) expect(documentation).toContain(`${line}\n`);
    expect(documentation.match(/^\| `/gm)).toHaveLength(tableOf(rules).length - 2);
  });
});

/** The rules as in the documentation: a row per path, a column per method. */
function tableOf(all: Readonly<Record<string, Rule>>): string[] {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  const paths = [...new Set(Object.keys(all).map((route) => route.split(" ")[1]!))];
  const shown = (rule: Rule | undefined): string => {
    if (rule === undefined) return "";
    if (typeof rule === "string") return rule;
    return (
      (rule.staff ? "staff with " : "") + rule.any.map((permission) => permission.replace("cms.", "")).join(" or ")
    );
  };
  const cells = (path: string): string => methods.map((method) => ` ${shown(all[`${method} ${path}`])} |`).join("");
  return [
    `| Path |${methods.map((method) => ` ${method} |`).join("")}`,
    `|---|${methods.map(() => "---|").join("")}`,
    ...paths.map((path) => `| \`${path || "/"}\` |${cells(path)}`),
  ];
}

describe("a signed webhook without an account", () => {
  const SECRET = "open sesame";
  const refuse = (): never => {
    throw new Error("A webhook only requests a sync.");
  };
  const sync: SyncService = {
    request: () => undefined,
    status: refuse,
    sync: refuse,
    noteCommit: refuse,
    stop: refuse,
  };

  it.each([
    ["is admitted where the table says so", SECRET, "in"],
    ["is a stranger without a secret of the site", undefined, 401],
  ] as const)("%s", async (_what, syncSecret, verdictOfWebhooks) => {
    const { cms } = await memorySite();
    const app = h3App({ ...cms, sync, ...(syncSecret && { syncSecret }) });
    const [wanted, got]: Record<string, unknown>[] = [{}, {}];
    for (const [route, rule] of Object.entries(rules)) {
      const [method, path] = route.split(" ") as [string, string];
      const hasBody = method !== "GET" && method !== "DELETE";
      const headers = { "X-Gitlab-Token": SECRET, ...(hasBody && { "content-type": "application/json" }) };
      const request = new Request(`http://test.local/api/cms/${fill(path)}`, {
        ...{ method, headers },
        ...(hasBody && { body: "{}" }),
      });
      wanted![route] = rule === "staff or webhook" ? verdictOfWebhooks : expected(rule, "anonymous");
      got![route] = verdict((await app.request(request)).status);
    }
    expect(got).toEqual(wanted);
  });
});

describe("access comes before method, and method before existence", () => {
  const paths = [...new Set(Object.keys(API).map((route) => route.split(" ")[1]!))];

  it.each(["anonymous", "reader", "superuser"] as const)("%s", async (caller) => {
    const { knock } = await door();
    const [wanted, got]: Record<string, unknown>[] = [{}, {}];
    for (const path of paths) {
      const here = Object.entries(API).filter(([route]) => route.split(" ")[1] === path);
      const missing = ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => !(`${method} ${path}` in API));
      for (const method of missing) {
        // For methods without a route the access rule is that of the path's first route.  A token is refused by a route alone.
        const door = expected(here[0]![1], caller, "session");
        wanted![`${method} ${path}`] = door === "in" ? 405 : door;
        got![`${method} ${path}`] = await knock(method, fill(path), caller);
      }
    }
    expect(got).toEqual(wanted);
  });

  it("a path without a route is 404 for everyone", async () => {
    const { knock } = await door();
    for (const caller of ["anonymous", "superuser"] as const) {
      for (const path of ["nothing", "nothing/", "pages/1/nothing", "pages/1/2/3/", "PAGES/", "pages.json"])
        expect([path, await knock("GET", path, caller)]).toEqual([path, 404]);
    }
  });
});

describe("bypasses", () => {
  it.each(["pages//", "/pages/", "pages%2F", "pages%2f1", "pages/%2e%2e/pages", "pages;x", "%70ages/", "pages/./"])(
    "GET %s shows a stranger nothing",
    async (path) => {
      const { knock } = await door();
      expect([401, 404]).toContain(await knock("GET", path, "anonymous"));
    },
  );

  it("HEAD has the access rule of GET", async () => {
    const { knock } = await door();
    expect([await knock("HEAD", "pages/", "anonymous"), await knock("HEAD", "pages/", "reader")]).toEqual([401, 200]);
  });

  it.each(["X-HTTP-Method-Override", "X-Method-Override"])("%s changes no method", async (name) => {
    const { ask } = await memorySite();
    const answer = await ask("GET", "api:pages/", { as: "staff", headers: { [name]: "POST" } });
    expect([answer.status, Array.isArray(answer.body)]).toEqual([200, true]);
  });
});
