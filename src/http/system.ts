/** What the service says of itself: API root, languages, health. */
import { json, redirect, type Reply } from "./reply.ts";
import type { Call, Route } from "./route.ts";

export const systemRoutes: readonly Route[] = [
  { method: "GET", path: "", access: "public", handle: apiRoot },
  { method: "GET", path: "languages", access: "public", handle: languages },
  { method: "GET", path: "sitemap", access: "public", handle: pagesMoved },
];

/** Collections by name (contract.md 1.1). */
const COLLECTIONS = ["users", "permissions", "pages", "articles", "tags", "menus", "contents", "media", "media-folder", "meta-types", "meta-instances", "languages"];

function apiRoot(call: Call): Reply {
  const base = `${call.origin}${call.url.pathname.replace(/\/+$/, "")}`;
  return json(Object.fromEntries(COLLECTIONS.map((name) => [name, `${base}/${name}/`])));
}

/** contract.md 11.8. */
function languages({ ctx }: Call): Reply {
  return json({ language_code: ctx.config.LANGUAGE_CODE, languages: ctx.config.LANGUAGES.map(({ id, name }) => ({ id, name })) });
}

/** Where the pages were listed once (contract.md 11.10). */
function pagesMoved({ url }: Call): Reply {
  return redirect(url.pathname.endsWith("/") ? "../pages/" : "pages/", 302);
}

/** Without paths and ids, since anyone may ask; the log has them. */
const DAMAGED = "Objects of the newest commit are missing from the repository: see the log, and `git fsck`.";

/** 200 once the content is loaded; how many problems the tree has (decisions.md 20). 503 when objects of HEAD are missing. */
export async function healthReply({ ctx }: Call): Promise<Reply> {
  const { commit, problems } = ctx.store.current;
  const damage = await ctx.store.repo.damage?.();
  if (damage) return json({ status: "damaged", commit, problems: problems.length, advice: DAMAGED }, 503, { "cache-control": "no-store" });
  return json({ status: "ok", commit, problems: problems.length }, 200, { "cache-control": "no-store" });
}
