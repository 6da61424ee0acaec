/** The screen of one page. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, get } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { go, hrefOf } from "../router.ts";
import { mayEdit } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ChangedElsewhere } from "../merging/changed-elsewhere.tsx";
import { PageForm } from "./page-form.tsx";
import { openPage, type Collection, type PageState } from "./page-state.ts";
import { Presence } from "./presence.tsx";
import { Preview } from "./preview.tsx";
import { Verbs } from "./verbs.tsx";

interface PageEditorProps {
  readonly id: number;
  readonly collection?: Collection;
}

export function PageEditor({ id, collection = "pages" }: PageEditorProps) {
  const lang = contentLanguage.value;
  const [page, setPage] = useState<PageState | ApiError | undefined>(undefined);
  useEffect(() => {
    if (lang === "") return;
    openPage(id, lang, collection).then(setPage, async (error: unknown) => {
      // Links name pages by their ids alone, which articles have, too.
      const isArticle =
        error instanceof ApiError && error.status === 404 && collection === "pages" && (await hasArticle(id));
      if (isArticle) go(`articles/${id}?lang=${lang}`, { replaces: true });
      else setPage(error as ApiError);
    });
  }, [id, lang]);
  if (page === undefined) return null;
  if (page instanceof Error)
    return (
      <p role="alert">
        {page.status === 404 ? text("notFound") : text("requestFailed", { reason: page.message })}{" "}
        <a href={hrefOf(collection)}>{text(collection)}</a>
      </p>
    );
  return <OpenPage page={page} />;
}

const hasArticle = (id: number): Promise<boolean> =>
  get(`articles/${id}/?fields=id`).then(
    () => true,
    () => false,
  );

function OpenPage({ page }: { page: PageState }) {
  const save = async (): Promise<void> => {
    try {
      if (await page.save()) notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      void save();
    };
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("keydown", onKey);
      void saveOnLeaving(page);
    };
  }, [page]);
  const record = page.record.value;
  const planned = record.draft_scheduled_for ?? (record.status === "PLA" ? record.published_at : null);
  return (
    <>
      <div class="heading">
        <ScreenTitle name={String(page.values.value.title || `#${page.id}`)} />
        <StatusBadge status={record.status} />
        {planned ? (
          <span class="badge">{text("scheduled", { moment: showMoment(planned) })}</span>
        ) : (
          record.has_draft && <span class="badge">{text("pendingDraft")}</span>
        )}
        <a href={hrefOf(`${page.collection}/${page.id}/history?lang=${page.lang}`)}>{text("history")}</a>
        <LanguageTabs />
      </div>
      {mayEdit(page.collection) && <Presence page={page} />}
      <div class="split">
        <div>
          <PageForm page={page} />
          {mayEdit(page.collection) && <Verbs page={page} onSave={save} />}
        </div>
        <Preview page={page} />
      </div>
      {page.contested.value && (
        <ChangedElsewhere
          title={text("conflictTitle")}
          contested={page.contested.value}
          onSettle={(takesTheirs) => {
            page.settle(takesTheirs);
            void save();
          }}
          onReload={() => void page.reload().catch(notifyFailure)}
          onCancel={() => page.postpone()}
        />
      )}
    </>
  );
}

/** What cannot be saved as it is stays among the unsaved texts of the account. */
async function saveOnLeaving(page: PageState): Promise<void> {
  if (Object.keys(page.changes.value).length === 0 || !mayEdit(page.collection)) return;
  const title = String(page.values.value.title || `#${page.id}`);
  const isSaved = await page.save().catch(() => false);
  notify(text(isSaved ? "savedOnLeaving" : "keptOnLeaving", { title }));
}
