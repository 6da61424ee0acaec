/** Menus, and the look-ups that a menu editor needs. */
import { findMenu } from "../../actions/records/menus.ts";
import { invalid } from "../../errors.ts";
import { MENU_SPEC } from "../../library/structure.ts";
import { findLang, type Lang } from "../../model/language/locale.ts";
import { menuPayload } from "../../views/records/menu.ts";
import { pagesByPermalink, pagesOfType, pageTypes } from "../../views/records/menu-editor-targets.ts";
import { listOf, ref, text } from "../../schema/json-schema.ts";
import type { Parameter } from "../openapi/operation.ts";
import { json, type Reply } from "../request/reply.ts";
import { permitted, resource } from "../app/resource.ts";
import { get, type Call, type Route } from "../app/route.ts";

const idOf = (call: Call): number => findMenu(call.ctx.store.current, call.params.key ?? "").id;

const LANG: Parameter = {
  name: "lang",
  description: "The language; without it the default one.",
  schema: text("en"),
};

export const menuRoutes: readonly Route[] = [
  ...resource({
    ...MENU_SPEC,
    path: "menus",
    param: ":key",
    // The list leaves out the flat nodes and keeps the translations.
    listed: (view, menu) => menuPayload(view, menu, false),
    access: permitted("menu"),
    schemas: { one: "a menu", many: "menus", payload: "Menu", listed: "ListedMenu", input: "MenuInput" },
    idOf,
  }),
  get("menus/page_types", "user", (call) => json(pageTypes(call.view("editor"))), {
    summary: "List the page models that a menu can link to",
    answer: listOf(ref("PageType")),
  }),
  get(
    "menus/page_types/:type",
    "user",
    async (call) => json(await pagesOfType(call.view("editor"), call.params.type ?? "")),
    { summary: "List the pages of a page model", answer: listOf(ref("PageOfType")) },
  ),
  get("menus/search_urlnode", "user", searchUrlNode, {
    summary: "Find pages by permalink",
    query: [{ name: "q", description: "Text in the permalink.", schema: { type: "string", maxLength: 400 } }, LANG],
    answer: listOf(ref("FoundPage")),
  }),
  get("menus-router/:key", "public", publicMenu, {
    summary: "Read a menu of the public site",
    description: "Also one that is not enabled.",
    query: [LANG],
    answer: "Menu",
  }),
];

/** Public, whether enabled or not. */
function publicMenu(call: Call): Reply {
  const menu = findMenu(call.ctx.store.current, call.params.key ?? "");
  const view = call.view("public", { lang: namedLang(call) });
  return json(menuPayload(view, menu), 200, { "cache-control": "no-cache" });
}

/** `?lang=`, else `?language=`, else the default language; headers are ignored. */
function namedLang({ url, ctx }: Call): Lang {
  const named = ["lang", "language"]
    .map((name) => findLang(ctx.locales, url.searchParams.get(name) ?? ""))
    .find(Boolean);
  return named ?? ctx.locales.default;
}

/** Without `q`, all pages are found. */
async function searchUrlNode(call: Call): Promise<Reply> {
  const wanted = (call.url.searchParams.get("q") ?? "").toLowerCase();
  if (wanted.length > 400) throw invalid({ q: ["Ensure this field has no more than 400 characters."] });
  return json(await pagesByPermalink(call.view("editor", { lang: namedLang(call) }), wanted));
}
