/** The revisions of a page: what each changed, the page as it was, and restoring it. */
import { useEffect, useState } from "preact/hooks";
import { API, get, request, type Answer, type RequestOptions } from "../api.ts";
import { pathWordsIn, wordsIn } from "../fields/value-words.ts";
import { showMoment, text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { definitionsOfPage, modelOfPage } from "../pages/page-models.ts";
import { editableValues, type Collection } from "../pages/page-state.ts";
import { PAGE_FIELDS } from "../pages/page-fields.ts";
import { go, hrefOf } from "../router.ts";
import { mayEdit } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { attempt, notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { Differences, type DifferencesProps } from "./differences.tsx";
import { fieldDifferences, ownValues } from "./field-differences.ts";
import { RestoreDialog } from "./restore-dialog.tsx";
import { shownComment } from "./shown-comment.ts";
import { tellRevision } from "./taking-back.ts";

interface Revision {
  readonly id: string;
  readonly date_created: string;
  readonly comment: string;
  readonly author: string;
}

/** What a revision is compared with. */
type Other = "previous" | "now";

interface PageHistoryProps {
  readonly id: number;
  readonly collection?: Collection;
}

export function PageHistory({ id, collection = "pages" }: PageHistoryProps) {
  const lang = contentLanguage.value;
  const [revisions, setRevisions] = useState<readonly Revision[]>([]);
  const [page, setPage] = useState<Answer<Values> | undefined>(undefined);
  const [chosen, setChosen] = useState(0);
  useEffect(() => {
    get<readonly Revision[]>(`${collection}/${id}/revisions/`).then(setRevisions, notifyFailure);
    request<Values>("GET", `${collection}/${id}/?language=${lang}`).then(setPage, notifyFailure);
  }, [id, lang]);
  const revision = revisions[chosen];
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("historyOf", { title: String(page?.value.title ?? `#${id}`) })} />
        <a href={hrefOf(`${collection}/${id}?lang=${lang}`)}>{text("backToPage")}</a>
        <LanguageTabs />
      </div>
      <div class="split history">
        <ol class="revisions" aria-label={text("revisions")}>
          {revisions.map((each, at) => (
            <li key={each.id}>
              <button aria-pressed={at === chosen} onClick={() => setChosen(at)}>
                <strong>{shownComment(each.comment, showMoment, revisions)}</strong>
                <span class="address">
                  {each.author}, <time dateTime={each.date_created}>{showMoment(each.date_created)}</time>
                </span>
              </button>
            </li>
          ))}
        </ol>
        {revision && page && (
          <OneRevision
            key={`${revision.id} ${lang}`}
            page={`${collection}/${id}`}
            mayRestore={mayEdit(collection)}
            lang={lang}
            revision={revision}
            previous={revisions[chosen + 1]}
            newest={revisions[0]!.id}
            version={page.version}
          />
        )}
      </div>
    </>
  );
}

interface OneRevisionProps {
  /** Its path in the API and of its screen, such as `pages/12`. */
  readonly page: string;
  readonly mayRestore: boolean;
  readonly lang: string;
  readonly revision: Revision;
  readonly previous: Revision | undefined;
  readonly newest: string;
  /** The version of the page. */
  readonly version: string | null;
}

type Asked = Pick<Parameters<typeof RestoreDialog>[0], "former" | "now" | "definitions">;

function OneRevision({ page, mayRestore, lang, revision, previous, newest, version }: OneRevisionProps) {
  const [other, setOther] = useState<Other>("previous");
  const [found, setFound] = useState<Pick<DifferencesProps, "list" | "labelOf"> | undefined>(undefined);
  /** What came first has nothing to be compared with. */
  const isFirst = !previous;
  const isNewest = revision.id === newest;
  const read = (path: string): Promise<Values> => get<Values>(`${page}/${path}?language=${lang}`);
  useEffect(() => {
    if (other === "previous" && !previous) return setFound(undefined);
    const then = read(`revisions/${revision.id}/`);
    const compared = read(other === "now" || !previous ? "" : `revisions/${previous.id}/`);
    Promise.all([then, compared])
      .then(async ([one, two]) => {
        const [a, b] = [ownValues(one, lang), ownValues(two, lang)];
        const definitions = definitionsOfPage(await modelOfPage(String(one.related_name)));
        const [before, after] = other === "now" ? [a, b] : [b, a];
        const list = fieldDifferences(before, after, NAMES, wordsIn(definitions, a, b));
        setFound({ list, labelOf: pathWordsIn(definitions, after, before) });
      })
      .catch(notifyFailure);
  }, [other]);
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const ask = (): Promise<void> =>
    attempt(async () => {
      const [former, now] = await Promise.all([read(`revisions/${revision.id}/`), read("")]);
      setAsked({ former, now, definitions: definitionsOfPage(await modelOfPage(String(former.related_name))) });
    });
  const revert = (id: string, options: RequestOptions): Promise<void> =>
    attempt(async () => {
      const reverted = await request("POST", `${page}/revert/${id}/?language=${lang}`, options);
      go(`${page}?lang=${lang}`);
      await tellRevision(page, text("restored"), reverted.version, { former: newest });
    });
  /** Only the draft gets the value: publishing it is another decision. */
  const restoreField = (name: string): Promise<void> =>
    attempt(async () => {
      const then = await read(`revisions/${revision.id}/`);
      const model = await modelOfPage(String(then.related_name));
      const values = editableValues(then, lang, model);
      // An address that is not automatic is restored together with that.
      const sent = name === "permalink" ? ["permalink", "autopermalink"] : [name];
      const body = Object.fromEntries(sent.map((each) => [each, values[each] ?? null]));
      await request("PATCH", `${page}/draft/?language=${lang}`, { body });
      notify(text("fieldRestored"));
      go(`${page}?lang=${lang}`);
    });
  return (
    <section aria-label={text("revisionOf", { moment: showMoment(revision.date_created) })}>
      <div class="filters">
        <select
          aria-label={text("comparedWith")}
          value={other}
          onChange={({ currentTarget }) => setOther(currentTarget.value as Other)}
        >
          <option value="previous">{text("changedInRevision")}</option>
          <option value="now">{text("changedSince")}</option>
        </select>
        {mayRestore && !isNewest && <button onClick={() => void ask()}>{text("restoreRevision")}</button>}
        {mayRestore && isNewest && previous && (
          <button onClick={() => void revert(previous.id, { version })}>{text("undoRevision")}</button>
        )}
      </div>
      {isFirst && other === "previous" && <p>{text("firstRevision")}</p>}
      {found && (
        <Differences
          {...found}
          onRestore={mayRestore && !isNewest && other === "now" ? (name) => void restoreField(name) : undefined}
        />
      )}
      {asked && (
        <RestoreDialog
          {...asked}
          lang={lang}
          onClose={() => setAsked(undefined)}
          onRestore={(isAll) => void revert(revision.id, { body: isAll ? {} : { languages: [lang] } })}
        />
      )}
      <details open={isFirst}>
        <summary>{text("asItWas")}</summary>
        <iframe
          class="then"
          loading="lazy"
          title={text("asItWas")}
          src={`${API}${page}/revisions/${revision.id}/render/?language=${lang}`}
        />
      </details>
    </section>
  );
}

const NAMES = Object.keys(PAGE_FIELDS);
