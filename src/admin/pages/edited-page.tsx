/** The form of a page in one language with its verbs: saving it, also on leaving, and what another editor changed meanwhile. */
import { useEffect, useLayoutEffect } from "preact/hooks";
import { Refusals } from "../fields/field-messages.tsx";
import { SourceContext, type Source } from "../fields/source-text.tsx";
import { TextLanguage } from "../fields/text-language.ts";
import { pathWordsIn, wordsIn } from "../fields/value-words.ts";
import { text } from "../i18n.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { Commented, CommentOverview } from "../review/comments.tsx";
import { PageReviewPanel } from "../review/page-review-panel.tsx";
import { usePageReview } from "../review/page-review.ts";
import { mayEdit } from "../session.ts";
import { attempt, notify } from "../ui/notices.tsx";
import { useSaveKey } from "../ui/save-key.ts";
import { leaveTab } from "./typed/own-tabs.ts";
import { PageForm, type PageFormProps } from "./page-form.tsx";
import { definitionsOfPage } from "./page-models.ts";
import { AllowedFields } from "../records/record-fields.tsx";
import { SettingsPanel, showSettingsOf } from "./settings/page-settings.tsx";
import { leavePage, type PageState } from "./page-state.ts";
import { Verbs } from "./verbs.tsx";

interface EditedPageProps extends PageFormProps {
  /** The texts of another language that are shown at the fields. */
  readonly source?: Source | undefined;
  /** Called when the form is gone and what was typed is saved, or could not be. */
  readonly onLeft?: () => void;
}

export function EditedPage({ onLeft, source, ...form }: EditedPageProps) {
  const { page, besideAs } = form;
  const save = (): Promise<void> =>
    attempt(async () => {
      if (await page.save()) notify(text("saved"));
    });
  useSaveKey(() => void save());
  useEffect(
    () => () => {
      leaveTab(`${page.collection}/${page.id} ${page.lang}`);
      const saved = saveOnLeaving(page);
      leavePage(page, saved);
      void saved.then(onLeft);
    },
    [page],
  );
  const [review, readReview] = usePageReview(page);
  const { value: errors } = page.errors;
  const definitions = definitionsOfPage(page.model);
  // Before the first of the messages gets the focus.
  useLayoutEffect(() => showSettingsOf(Object.keys(errors)), [errors]);
  return (
    <Refusals errors={errors}>
      <SourceContext.Provider value={source}>
        <TextLanguage.Provider value={page.lang}>
          <AllowedFields.Provider value={review?.fields ?? null}>
            <Commented page={page}>
              <div class="column">
                {besideAs !== undefined && <h2 lang={page.lang}>{besideAs}</h2>}
                <PageReviewPanel page={page} found={review} onChanged={readReview} />
                <CommentOverview />
                <PageForm {...form} mayNotEdit={review?.may_not_edit} />
                {mayEdit(page.collection) && (
                  <Verbs {...{ page, review, readReview }} onSave={save} offersCommands={besideAs === undefined} />
                )}
              </div>
              {besideAs === undefined && <SettingsPanel page={page} />}
            </Commented>
          </AllowedFields.Provider>
        </TextLanguage.Provider>
      </SourceContext.Provider>
      <ChangedElsewhere
        record={page}
        title={text("conflictTitle")}
        labelOf={pathWordsIn(definitions, page.values.value)}
        textOf={wordsIn(definitions, page.values.value)}
        onSave={() => void save()}
      />
    </Refusals>
  );
}

/** What cannot be saved as it is stays among the unsaved texts of the account. */
async function saveOnLeaving(page: PageState): Promise<void> {
  if (!page.isChanged.value || !mayEdit(page.collection)) return;
  const title = String(page.values.value.title || text("noTitle"));
  const isSaved = await page.save().catch(() => false);
  notify(text(isSaved ? "savedOnLeaving" : "keptOnLeaving", { title }));
}
