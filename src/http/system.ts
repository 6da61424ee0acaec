/** What the service says of itself: API root, languages, health. */
import { json, redirect, type Reply } from "./reply.ts";
import type { Call, Route } from "./route.ts";
import { trimEnd } from "../model/trim.ts";

export const systemRoutes: readonly Route[] = [
  { method: "GET", path: "", access: "public", handle: apiRoot },
  { method: "GET", path: "languages", access: "public", handle: languages },
  { method: "GET", path: "sitemap", access: "public", handle: pagesMoved },
];

/** Collections by name (contract.md 1.1). */
const COLLECTIONS = ["users", "permissions", "pages", "articles", "tags", "menus", "contents", "media", "media-folder", "meta-types", "meta-instances", "languages"];

function apiRoot(call: Call): Reply {
  const base = `${call.origin}${trimEnd(call.url.pathname, "/")}`;
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

/** 200 once the content is loaded; how many problems the tree has (decisions.md 20). */
export function healthReply({ ctx }: Call): Reply {
  const { commit, problems } = ctx.store.current;
  return json({ status: "ok", commit, problems: problems.length }, 200, { "cache-control": "no-store" });
}
