/** Drafts of an import: staged changes of pages, checked as those that editors save. */
import { checkPage, readChange } from "../../actions/pages/page-saving.ts";
import { CmsError, refuseInvalid, sentencesOf } from "../../errors.ts";
import { saveDraft } from "../../model/page/draft.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import { applyChange } from "../../model/page/page-input.ts";
import type { ImportedDraft, ImportedEntry } from "../imported-site.ts";
import { keepBeside, resolved, type ImportRun } from "../import-run.ts";

/** The page with the drafts of its entry; one that could not be published is kept beside. */
export function withDrafts(run: ImportRun, entry: ImportedEntry, page: Page): Page {
  let drafted = page;
  for (const [lang, draft] of Object.entries(entry.drafts ?? {})) {
    const payload = resolved(run, lang, draft.payload);
    const refusal = refusalOf(run, page, lang, payload);
    if (refusal === undefined) drafted = withDraft(run, drafted, lang, payload, draft);
    else
      keepBeside(
        run,
        entry.place,
        { source: entry.source, what: `draft in ${lang}`, value: payload },
        `Its draft in ${lang} is not imported: ${refusal}`,
      );
  }
  return drafted;
}

/** A sentence; undefined for a draft that can be saved. */
function refusalOf({ library, ctx }: ImportRun, page: Page, lang: Lang, payload: JsonObject): string | undefined {
  const { tx } = library;
  if (!ctx.locales.codes.includes(lang)) return `the site has no language ${lang}.`;
  try {
    const change = readChange(ctx, tx, payload, { lang, model: page.model });
    refuseInvalid(checkPage(ctx, tx, applyChange(page, change, "merge"), page, { change }).errors);
    return undefined;
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "invalid") throw error;
    return sentencesOf(error.fields);
  }
}

function withDraft(
  { library: { tx } }: ImportRun,
  page: Page,
  lang: Lang,
  payload: JsonObject,
  { scheduled, created, updated }: ImportedDraft,
): Page {
  const saved = saveDraft(page, lang, payload, updated ?? tx.now, { mode: "replace", scheduledFor: scheduled ?? null });
  const draft = saved.drafts[lang];
  if (!draft) return saved;
  return { ...saved, drafts: { ...saved.drafts, [lang]: { ...draft, created_at: created ?? draft.created_at } } };
}
