/** The hooks of plugins on saving a page: changes before it is validated, and their own validation. */
import { CmsError, reasonOf, type FieldErrors } from "../../errors.ts";
import type { Page } from "../../model/page/page.ts";
import { applyChange, readPageChange, type PageChange } from "../../model/page/page-input.ts";
import { pluginFailure } from "../../plugins/extensions.ts";
import type { Context } from "../context.ts";

interface Hooked {
  readonly page: Page;
  /** The translated values that plugins changed. */
  readonly texts: PageChange["texts"];
  /** The messages of plugins by field. */
  readonly errors: FieldErrors;
}

/**
 * @param before the stored page; the very same page is not a change, as of a child that only moves with its parent
 * @throws CmsError `broken` naming the plugin that throws, or changes what it may not change
 */
export function runPageHooks({ config, locales }: Context, page: Page, before: Page | undefined): Hooked {
  const { extensions } = config;
  if (!extensions || page === before) return { page, texts: {}, errors: {} };
  let changed = page;
  let texts: PageChange["texts"] = {};
  for (const { plugin, values } of extensions.patches(page, before)) {
    const change = readPatch(plugin, () => readPageChange(values, locales, locales.default, page.model));
    changed = applyChange(changed, change, "merge");
    texts = mergeTexts(texts, change.texts);
  }
  return { page: changed, texts, errors: extensions.pageErrors(changed, before) };
}

/** By language, the values of both; of a value in both the second counts. */
export function mergeTexts(a: PageChange["texts"], b: PageChange["texts"]): PageChange["texts"] {
  const langs = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return Object.fromEntries(langs.map((lang) => [lang, { ...a[lang], ...b[lang] }]));
}

function readPatch(plugin: string, read: () => PageChange): PageChange {
  try {
    const change = read();
    const others = [...Object.keys(change.globals), ...(change.author === undefined ? [] : ["author"])];
    const refused = others.filter((name) => name !== "meta");
    if (refused.length > 0)
      throw new Error(`only translated values and meta can be changed, not ${refused.join(", ")}`);
    return change;
  } catch (error) {
    const cause = error instanceof CmsError ? new Error(reasonOf(error)) : error;
    throw pluginFailure(plugin, "beforeSave", cause);
  }
}
