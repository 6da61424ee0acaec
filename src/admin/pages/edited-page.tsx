/** The form of a page in one language with its verbs: saving it, also on leaving, and what another editor changed meanwhile. */
import { useEffect } from "preact/hooks";
import { text } from "../i18n.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { mayEdit } from "../session.ts";
import { attempt, notify } from "../ui/notices.tsx";
import { useSaveKey } from "../ui/save-key.ts";
import { leaveTab } from "./typed/own-tabs.ts";
import { PageForm, type PageFormProps } from "./page-form.tsx";
import type { PageState } from "./page-state.ts";
import { Verbs } from "./verbs.tsx";

interface EditedPageProps extends PageFormProps {
  /** Called when the form is gone and what was typed is saved, or could not be. */
  readonly onLeft?: () => void;
}

export function EditedPage({ onLeft, ...form }: EditedPageProps) {
  const { page, besideAs } = form;
  const save = (): Promise<void> =>
    attempt(async () => {
      if (await page.save()) notify(text("saved"));
    });
  useSaveKey(() => void save());
  useEffect(
    () => () => {
      leaveTab(`${page.collection}/${page.id} ${page.lang}`);
      void saveOnLeaving(page).then(onLeft);
    },
    [page],
  );
  return (
    <div>
      {besideAs !== undefined && <h2 lang={page.lang}>{besideAs}</h2>}
      <PageForm {...form} />
      {mayEdit(page.collection) && <Verbs page={page} onSave={save} offersCommands={besideAs === undefined} />}
      <ChangedElsewhere record={page} title={text("conflictTitle")} onSave={() => void save()} />
    </div>
  );
}

/** What cannot be saved as it is stays among the unsaved texts of the account. */
async function saveOnLeaving(page: PageState): Promise<void> {
  if (Object.keys(page.changes.value).length === 0 || !mayEdit(page.collection)) return;
  const title = String(page.values.value.title || `#${page.id}`);
  const isSaved = await page.save().catch(() => false);
  notify(text(isSaved ? "savedOnLeaving" : "keptOnLeaving", { title }));
}
