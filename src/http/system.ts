/** What the service says of itself: API root, languages, health. */
import { CmsError } from "../errors.ts";
import { RECORDS } from "../model/records.ts";
import type { JsonObject } from "../model/json.ts";
import { trimEnd } from "../model/trim.ts";
import type { Repo } from "../store/repo.ts";
import { json, redirect, type Reply } from "./reply.ts";
import type { Call, Route } from "./route.ts";

export const systemRoutes: readonly Route[] = [
  { method: "GET", path: "", access: "public", handle: apiRoot },
  { method: "GET", path: "languages", access: "public", handle: languages },
  { method: "GET", path: "sitemap", access: "public", handle: pagesMoved },
];

/** Collections by name (contract.md 1.1). */
const COLLECTIONS = [
  "users",
  "permissions",
  "pages",
  "articles",
  ...RECORDS.map(({ path }) => path),
  "menus",
  "contents",
  "media",
  "media-folder",
  "meta-types",
  "meta-instances",
  "languages",
];

function apiRoot(call: Call): Reply {
  const base = `${call.origin}${trimEnd(call.url.pathname, "/")}`;
  return json(Object.fromEntries(COLLECTIONS.map((name) => [name, `${base}/${name}/`])));
}

/** contract.md 11.8. */
function languages({ ctx }: Call): Reply {
  return json({
    language_code: ctx.config.LANGUAGE_CODE,
    languages: ctx.config.LANGUAGES.map(({ id, name }) => ({ id, name })),
  });
}

/** Where the pages were listed once (contract.md 11.10). */
function pagesMoved({ url }: Call): Reply {
  return redirect(url.pathname.endsWith("/") ? "../pages/" : "pages/", 302);
}

/** Without paths and ids, since anyone may ask; the log has them. */
const DAMAGED = "Objects of the newest commit are missing from the repository: see the log, and `git fsck`.";

/**
 * 200 once the content is loaded; how many problems the tree has (decisions.md 20). While nothing can be written the
 * status is `read-only`, with the reason; a server started with `--read-only` is `ok`. 503 when objects of HEAD's
 * commit are missing.
 */
export async function healthReply({ ctx }: Call): Promise<Reply> {
  const { commit, problems } = ctx.store.current;
  const answer = (status: JsonObject, code = 200): Reply =>
    json({ ...status, commit, problems: problems.length }, code, { "cache-control": "no-store" });
  if (await ctx.store.repo.findDamage()) return answer({ status: "damaged", advice: DAMAGED }, 503);
  const reason = ctx.store.isReadOnly ? null : await hindranceOf(ctx.store.repo);
  return answer(reason === null ? { status: "ok" } : { status: "read-only", reason });
}

/** Why nothing can be written just now; null when it can. */
async function hindranceOf(repo: Repo): Promise<string | null> {
  try {
    return (await repo.state()).blocked;
  } catch (error) {
    if (error instanceof CmsError) return error.message;
    return "The repository cannot be read."; // the system's own message names paths
  }
}
