/** The screen of one page. */
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { guardLeaving, hrefOf } from "../router.ts";
import { contentLanguage } from "../site.ts";
import { Dialog } from "../ui/dialog.tsx";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { PageForm } from "./page-form.tsx";
import { openPage, type PageState } from "./page-state.ts";
import { Preview } from "./preview.tsx";
import { Verbs } from "./verbs.tsx";

export function PageEditor({ id }: { id: number }) {
  const lang = contentLanguage.value;
  const [page, setPage] = useState<PageState | ApiError | undefined>(undefined);
  useEffect(() => {
    if (lang === "") return;
    openPage(id, lang).then(setPage, (error: unknown) => setPage(error as ApiError));
  }, [id, lang]);
  if (page === undefined) return null;
  if (page instanceof Error)
    return (
      <p role="alert">
        {page.status === 404 ? text("notFound") : text("requestFailed", { reason: page.message })}{" "}
        <a href={hrefOf("pages")}>{text("backToPages")}</a>
      </p>
    );
  return <OpenPage page={page} />;
}

function OpenPage({ page }: { page: PageState }) {
  const save = async (): Promise<void> => {
    try {
      if (await page.save()) notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  useEffect(() => {
    const hasChanges = (): boolean => Object.keys(page.changes.value).length > 0;
    guardLeaving(() => !hasChanges() || confirm(text("leaveUnsaved")));
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      void save();
    };
    addEventListener("keydown", onKey);
    return () => {
      guardLeaving(() => true);
      removeEventListener("keydown", onKey);
    };
  }, [page]);
  const record = page.record.value;
  return (
    <>
      <div class="heading">
        <h1>{String(page.values.value.title || `#${page.id}`)}</h1>
        <StatusBadge status={record.status} />
        {record.draft_scheduled_for ? (
          <span class="badge">{text("scheduled", { moment: showMoment(record.draft_scheduled_for) })}</span>
        ) : (
          record.has_draft && <span class="badge">{text("pendingDraft")}</span>
        )}
        <a href={hrefOf(`pages/${page.id}/history?lang=${page.lang}`)}>{text("history")}</a>
        <LanguageTabs />
      </div>
      <div class="split">
        <div>
          <PageForm page={page} />
          <Verbs page={page} onSave={save} />
        </div>
        <Preview page={page} />
      </div>
      {page.progress.value === "changedElsewhere" && <ChangedElsewhere page={page} />}
    </>
  );
}

function ChangedElsewhere({ page }: { page: PageState }) {
  const attempt = (action: () => Promise<unknown>) => () => void action().catch(notifyFailure);
  return (
    <Dialog title={text("conflictTitle")} onClose={() => (page.progress.value = "idle")}>
      <p>{text("conflictText")}</p>
      <div class="actions">
        <button class="primary" onClick={attempt(() => page.saveOver())}>
          {text("saveOverIt")}
        </button>
        <button onClick={attempt(() => page.reload())}>{text("loadTheirs")}</button>
        <button onClick={() => (page.progress.value = "idle")}>{text("cancel")}</button>
      </div>
    </Dialog>
  );
}
