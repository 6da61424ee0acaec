/** What `cms check --render` finds: pages whose templates fail with the content that they have. */
import type { Cms } from "../../cms.ts";
import { CmsError, messageOf } from "../../errors.ts";
import { encodePath } from "../../model/language/locale.ts";
import { PAGE_FIELDS } from "../../model/page/page.ts";
import type { Problem } from "../../model/text/problem.ts";
import { NOT_FOUND, renderedTemplate } from "../../render/headless.ts";
import { renderInput, renderNotFound, renderPage } from "../../render/page.ts";
import { placeOfFailure, reasonOfFailure } from "../../render/template-failure.ts";
import { hintFor, namesIn } from "../../render/template-hints.ts";
import { requestFor } from "../../static-site/page-files.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { pace } from "../../time-slices.ts";
import { addressPayload } from "../../views/page/pagination.ts";
import { resolveRoute } from "../../views/page/route.ts";
import { servedPages, type ServedPage } from "../../views/page/served-pages.ts";
import type { View } from "../../views/view.ts";

const viewOf = ({ config, store, env, locales }: Cms, lang = locales.default): View => ({
  ...{ content: store.current, config, locales, lang, now: env.now() },
  ...{ surface: "public", origin: "" },
});

/** The pages that the check renders. */
export const publicPages = (cms: Cms): Promise<readonly ServedPage[]> =>
  servedPages({ content: cms.store.current, config: cms.config, now: cms.env.now() });

/** The keys of the payloads that templates get as `page`; undefined on a site without public pages. */
export function pageKeys(cms: Cms, pages: readonly ServedPage[]): readonly string[] | undefined {
  const byModel = new Map(pages.map((each) => [each.page.model, each]));
  const keys = [...byModel.values()].flatMap(({ page: { id }, lang }) => {
    const page = findPage(cms.store.current, id);
    return page ? Object.keys(addressPayload(viewOf(cms, lang), page)) : [];
  });
  // A new site may have no article yet, and templates for them.
  const declared = PAGE_FIELDS.map(({ name }) => name);
  return keys.length === 0 ? undefined : [...new Set([...keys, ...declared, "pagination"])];
}

/** Renders each page as a build does. A mistake that several pages have is told once. @param known what was found without rendering */
export async function renderProblems(
  cms: Cms,
  pages: readonly ServedPage[],
  known: readonly Problem[],
): Promise<Problem[]> {
  const { config, templates } = cms;
  const places = new Set(known.map(({ path, line }) => `${path}:${line}`));
  const found = new Map<string, { readonly problem: Problem; readonly at: string; count: number }>();
  const tried = async (template: string, at: string, render: () => Promise<string> | string): Promise<void> => {
    try {
      await render();
    } catch (error) {
      const problem = problemOf(error, template, cms);
      const key = `${problem.path}:${problem.line}:${problem.message}`;
      const before = found.get(key);
      if (before) before.count++;
      else if (!places.has(`${problem.path}:${problem.line}`)) found.set(key, { problem, at, count: 0 });
    }
  };
  for (const { lang, path } of pages) {
    await pace();
    const view = viewOf(cms, lang);
    const route = resolveRoute(view, path);
    if (route.kind !== "page") continue;
    const { page, place } = route;
    const input = renderInput(view, page, addressPayload(view, page, place));
    if (renderedTemplate(config, templates, input.template) === undefined) continue;
    const request = requestFor(config, lang, encodePath(path));
    await tried(input.template, `${path} (${lang})`, () => renderPage(templates, view, input, request));
  }
  if (templates.has(NOT_FOUND))
    await tried(NOT_FOUND, "the page for 404", () => renderNotFound(templates, viewOf(cms)));
  return [...found.values()].map(({ problem, at, count }) => ({
    ...problem,
    message: `${problem.message} It fails for ${at}${count === 0 ? "" : ` and ${count} more`}.`,
  }));
}

/** @throws the error when it is not the site's */
function problemOf(error: unknown, template: string, { templates }: Cms): Problem {
  if (!(error instanceof CmsError)) throw error;
  const place = placeOfFailure(error.cause);
  const reason = (reasonOfFailure(error.cause) ?? messageOf(error)).replace(/^Error: /, "");
  const message = hintFor(reason, namesIn(templates)) ?? reason;
  return {
    path: `templates/${place?.template ?? template}`,
    ...(place?.line && { line: place.line }),
    ...(place?.column && { column: place.column }),
    rule: "render",
    message: /[.!?]$/.test(message) ? message : `${message}.`,
  };
}
