/** The form of a page in one language with its verbs: saving it, also on leaving, and what another editor changed meanwhile. */
import { useEffect } from "preact/hooks";
import { text } from "../i18n.ts";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { mayEdit } from "../session.ts";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { leaveTab } from "./own-tabs.ts";
import { PageForm, type PageFormProps } from "./page-form.tsx";
import type { PageState } from "./page-state.ts";
import { Verbs } from "./verbs.tsx";

interface EditedPageProps extends PageFormProps {
  /** Called when the form is gone and what was typed is saved, or could not be. */
  readonly onLeft?: () => void;
}

export function EditedPage({ onLeft, ...form }: EditedPageProps) {
  const { page, besideAs } = form;
  const save = async (): Promise<void> => {
    try {
      if (await page.save()) notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
      event.preventDefault();
      void save();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      leaveTab(`${page.collection}/${page.id} ${page.lang}`);
      void saveOnLeaving(page).then(onLeft);
    };
  }, [page]);
  return (
    <div>
      {besideAs !== undefined && <h2 lang={page.lang}>{besideAs}</h2>}
      <PageForm {...form} />
      {mayEdit(page.collection) && <Verbs page={page} onSave={save} offersCommands={besideAs === undefined} />}
      {page.contested.value && (
        <ChangedElsewhere
          title={text("conflictTitle")}
          contested={page.contested.value}
          onSettle={(takesTheirs) => {
            if (!page.settle(takesTheirs)) void save();
          }}
          onReload={() => void page.reload().catch(notifyFailure)}
          onCancel={() => page.postpone()}
        />
      )}
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
