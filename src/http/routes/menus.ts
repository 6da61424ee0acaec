/** Menus, and the look-ups that a menu editor needs. */
import { findMenu } from "../../actions/records/menus.ts";
import { CmsError, notFound } from "../../errors.ts";
import { MENU_SPEC } from "../../library/structure.ts";
import { findLang, type Lang } from "../../model/language/locale.ts";
import { statusFields } from "../../model/page/lifecycle.ts";
import { nameOf, textOf, type Page, type PageSummary } from "../../model/page/page.ts";
import { contentTypeOf } from "../../model/page/content-type.ts";
import { allSummaries, pageModels, pageOf } from "../../store/content/indexes/page-models.ts";
import { menuPayload } from "../../views/records/menu.ts";
import { listOf, ref, text } from "../../schema/json-schema.ts";
import { openPace } from "../../time-slices.ts";
import type { Parameter } from "../openapi/operation.ts";
import { json, type Reply } from "../request/reply.ts";
import { permitted, resource } from "../request/resource.ts";
import type { Call, Route } from "../request/route.ts";

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
  {
    method: "GET",
    path: "menus/page_types",
    access: "user",
    handle: pageTypes,
    operation: { summary: "List the page models that a menu can link to", answer: listOf(ref("PageType")) },
  },
  {
    method: "GET",
    path: "menus/page_types/:type",
    access: "user",
    handle: pagesOfType,
    operation: { summary: "List the pages of a page model", answer: listOf(ref("PageOfType")) },
  },
  {
    method: "GET",
    path: "menus/search_urlnode",
    access: "user",
    handle: searchUrlNode,
    operation: {
      summary: "Find pages by permalink",
      query: [{ name: "q", description: "Text in the permalink.", schema: { type: "string", maxLength: 400 } }, LANG],
      answer: listOf(ref("FoundPage")),
    },
  },
  {
    method: "GET",
    path: "menus-router/:key",
    access: "public",
    handle: publicMenu,
    operation: {
      summary: "Read a menu of the public site",
      description: "Also one that is not enabled.",
      query: [LANG],
      answer: "Menu",
    },
  },
];

/** Public, whether enabled or not. */
function publicMenu(call: Call): Reply {
  return json(
    menuPayload(
      call.view("public", { lang: namedLang(call) }),
      findMenu(call.ctx.store.current, call.params.key ?? ""),
    ),
    200,
    { "cache-control": "no-cache" },
  );
}

/** `?lang=`, else `?language=`, else the default language; headers are ignored. */
function namedLang({ url, ctx }: Call): Lang {
  const named = ["lang", "language"]
    .map((name) => findLang(ctx.locales, url.searchParams.get(name) ?? ""))
    .find(Boolean);
  return named ?? ctx.locales.default;
}

function pageTypes(call: Call): Reply {
  return json(
    pageModels(call.ctx.store.current).map((model) => ({
      ...contentTypeOf(model),
      verbose_name: model,
      verbose_name_plural: `${model}s`,
    })),
  );
}

async function pagesOfType(call: Call): Promise<Reply> {
  const content = call.ctx.store.current;
  const model = pageModels(content).find((each) => String(contentTypeOf(each).id) === call.params.type);
  if (model === undefined) throw notFound("ContentType");
  const { app_label, model: name } = contentTypeOf(model);
  return json(
    await shownPages(
      allSummaries(content).filter((page) => page.model === model),
      (page) => ({
        id: page.id,
        name: nameOf(page, call.ctx.locales),
        url_node_id: page.id,
        model: `${app_label}.${name}`,
      }),
    ),
  );
}

/** Works in slices, since most pages of a large site are parsed on first use. */
async function shownPages<T>(summaries: readonly PageSummary[], show: (page: Page) => T): Promise<T[]> {
  const pace = openPace();
  const shown: T[] = [];
  for (const summary of summaries) {
    shown.push(show(pageOf(summary)));
    const rest = pace();
    if (rest) await rest;
  }
  return shown;
}

/** Pages whose permalink in one language contains the text of `q`; all pages without it. */
async function searchUrlNode(call: Call): Promise<Reply> {
  const lang = namedLang(call);
  const wanted = (call.url.searchParams.get("q") ?? "").toLowerCase();
  if (wanted.length > 400)
    throw new CmsError("invalid", "Invalid data.", {
      fields: { q: ["Ensure this field has no more than 400 characters."] },
    });
  const permalinkOf = (page: PageSummary): string | null => page.translations[lang]?.permalink ?? null;
  const found = await shownPages(
    allSummaries(call.ctx.store.current).filter((page) => permalinkOf(page)?.toLowerCase().includes(wanted)),
    (page) => ({
      id: page.id,
      permalink: permalinkOf(page)!,
      indexable: textOf(page, lang).indexable,
      ...statusFields(page, lang, call.now),
    }),
  );
  return json(found.sort((a, b) => (a.permalink < b.permalink ? -1 : a.permalink > b.permalink ? 1 : a.id - b.id)));
}
