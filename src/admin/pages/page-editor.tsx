/** The screen of one page. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../api.ts";
import type { Source } from "../fields/source-text.tsx";
import { whenTakenBack } from "../history/taking-back.ts";
import { showMoment, text } from "../i18n.ts";
import { useOwnValues } from "../records/own-values.ts";
import { presentPath } from "../review/section-paths.ts";
import { go, route } from "../router.ts";
import { mayEdit } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { LoadFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { isNarrow } from "../ui/viewport.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { Beside } from "./beside.tsx";
import { EditedPage } from "./edited-page.tsx";
import { collectionOf } from "./page-models.ts";
import { PageLinks } from "./page-links.tsx";
import { plannedMoment } from "./page-record.ts";
import { focusPageField, SettingsButton } from "./settings/page-settings.tsx";
import { openPage, type Collection, type PageState } from "./page-state.ts";
import { SourceChoice } from "./source-choice.tsx";
import { Presence } from "./typed/presence.tsx";

interface PageEditorProps {
  readonly id: number;
  readonly collection?: Collection;
}

export function PageEditor({ id, collection = "pages" }: PageEditorProps) {
  const lang = contentLanguage.value;
  const [page, setPage] = useState<PageState | ApiError | undefined>(undefined);
  useEffect(() => {
    openPage(id, lang, collection).then(setPage, async (error: unknown) => {
      // Links name pages by their ids alone, which articles have, too.
      const isArticle =
        error instanceof ApiError &&
        error.status === 404 &&
        collection === "pages" &&
        (await collectionOf(id).catch(() => "pages")) === "articles";
      if (isArticle) go(`articles/${id}?lang=${lang}`, { replaces: true });
      else setPage(error as ApiError);
    });
  }, [id, lang]);
  if (page === undefined) return null;
  if (page instanceof Error) return <LoadFailure error={page} list={collection} name={text(collection)} />;
  return <OpenPage page={page} />;
}

/** Until a server has certainly published what is due. */
const SWEEP_MS = 3_000;
/** Browsers take a longer time for none at all. */
const TIMER_MAX_MS = 2 ** 31 - 1;

function OpenPage({ page }: { page: PageState }) {
  const [beside, setBeside] = useState<string | undefined>(undefined);
  const [source, setSource] = useState<Source | undefined>(undefined);
  // As the search leads to where its words stand.
  const { query } = route.value;
  useEffect(() => {
    const { field, words, at, length } = Object.fromEntries(query);
    const clicked = words ? { text: words, at: Number(at), length: Number(length) } : undefined;
    if (field) focusPageField(presentPath(page.values.value, field) ?? field, { clicked });
  }, [page, query]);
  useEffect(() => whenTakenBack(() => page.catchUp()), [page]);
  return (
    <>
      <Heading page={page}>
        <SourceChoice {...{ page, source, beside }} onChoose={setSource} onBeside={setBeside} />
      </Heading>
      {mayEdit(page.collection) && <Presence page={page} />}
      <div class="split">
        <EditedPage page={page} source={source} />
        <Beside page={page} lang={beside} />
      </div>
    </>
  );
}

function Heading({ page, children }: { page: PageState; children: ComponentChildren }) {
  const record = page.record.value;
  const { title } = useOwnValues(page, ["title"]);
  const planned = plannedMoment(record);
  useEffect(() => {
    if (planned === null) return;
    const wait = Math.max(Date.parse(planned) - Date.now(), 0) + SWEEP_MS;
    // What was typed stays; without an answer the next save finds out.
    const timer = wait <= TIMER_MAX_MS ? setTimeout(() => void page.catchUp().catch(() => {}), wait) : undefined;
    return () => clearTimeout(timer);
  }, [page, planned]);
  return (
    <div class="heading">
      <ScreenTitle name={String(title || text("noTitle"))} />
      <StatusBadge status={record.status} />
      {planned ? (
        <span class="badge">{text("scheduled", { moment: showMoment(planned) })}</span>
      ) : (
        record.status !== "DRF" &&
        (record.has_draft || page.isChanged.value) && (
          <span class="badge">{text(record.has_draft ? "pendingDraft" : "changesToPublish")}</span>
        )
      )}
      <div class="tools">
        <LanguageTabs />
        {!isNarrow.value && children}
        <SettingsButton />
      </div>
      <PageLinks page={page}>{isNarrow.value && children}</PageLinks>
    </div>
  );
}
