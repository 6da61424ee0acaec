/** Values that both sides of a sync changed: side by side, with one of them to choose. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import type { Definitions } from "../fields/definition.ts";
import { pathWordsIn, wordsIn } from "../fields/value-words.ts";
import { TextDifference } from "../history/differences.tsx";
import { showMoment, text } from "../i18n.ts";
import type { Json, Values } from "../json.ts";
import { definitionsOfPage, modelOfPage } from "../pages/page-models.ts";
import { hrefOf } from "../router.ts";
import { contentLanguage, languageName } from "../site.ts";
import { useLoaded } from "../ui/loaded.ts";
import { attempt, notify, notifyFailure } from "../ui/notices.tsx";

interface Side {
  readonly value: Json;
  readonly author: string;
  readonly date: string;
}

interface Conflict {
  readonly id: string;
  readonly path: string;
  readonly record: { readonly model: string; readonly id: number; readonly name: string } | null;
  readonly field: string | null;
  readonly language: string | null;
  /** The language whose draft has our value, which publishing or discarding it decides. */
  readonly draft: string | null;
  readonly ours: Side;
  readonly theirs: Side;
}

export function Conflicts() {
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  const load = (): Promise<void> => get<readonly Conflict[]>("conflicts/").then(setConflicts, notifyFailure);
  useEffect(() => void load(), []);
  if (conflicts.length === 0) return null;
  const resolve = async (id: string, use: "ours" | "theirs"): Promise<void> => {
    await attempt(async () => {
      await request("POST", `conflicts/${encodeURIComponent(id)}/resolve/`, { body: { use } });
      notify(text("resolved"));
    });
    await load();
  };
  return (
    <section class="conflicts" aria-label={text("conflicts")}>
      <h2>
        {text("conflicts")} <span class="badge TRS">{conflicts.length}</span>
      </h2>
      <p class="hint">{text("conflictsHint")}</p>
      {conflicts.map((conflict) => (
        <OneConflict key={conflict.id} conflict={conflict} onResolve={(use) => void resolve(conflict.id, use)} />
      ))}
    </section>
  );
}

interface OneConflictProps {
  readonly conflict: Conflict;
  readonly onResolve: (use: "ours" | "theirs") => void;
}

function OneConflict({ conflict, onResolve }: OneConflictProps) {
  const { path, record, field, language, draft, ours, theirs } = conflict;
  const fieldPath = field?.split(".") ?? [];
  const lang = language ?? draft;
  const screen = record && screenOf(record, lang);
  const fields = useLoaded(() => fieldsOf(record, lang ?? contentLanguage.value));
  if (!fields) return null;
  const label = fieldPath.length > 0 && pathWordsIn(...fields)(fieldPath);
  const name = [record?.name ?? path, label, language && languageName(language)].filter(Boolean).join(" › ");
  const words = (value: Json): string => wordsIn(...fields)(value, fieldPath);
  const [before, after] = [words(theirs.value), words(ours.value)];
  return (
    <article aria-label={name}>
      <h3>{screen ? <a href={hrefOf(screen)}>{name}</a> : name}</h3>
      <div class="sides">
        <ConflictSide title={text("theirs")} side={theirs} value={before} />
        <ConflictSide title={text("ours")} side={ours} value={after} />
      </div>
      <details>
        <summary>{text("difference")}</summary>
        <p class="value">
          <TextDifference before={before} after={after} />
        </p>
      </details>
      {draft !== null ? (
        <p>{text("oursIsDraft", { language: draft })}</p>
      ) : (
        <div class="actions">
          <button onClick={() => onResolve("theirs")}>{text("useTheirs")}</button>
          <button onClick={() => onResolve("ours")}>{text("useOurs")}</button>
        </div>
      )}
    </article>
  );
}

/** Screens of records by the name of their model. */
const SCREENS: Readonly<Record<string, string>> = {
  Page: "pages",
  Article: "articles",
  Tag: "tags",
  Content: "blocks",
};

function screenOf(
  { model, id }: { readonly model: string; readonly id: number },
  lang: string | null,
): string | undefined {
  const screens = SCREENS[model];
  return screens && `${screens}/${id}${lang === null ? "" : `?lang=${lang}`}`;
}

const ConflictSide = ({ title, side, value }: { title: string; side: Side; value: string }) => (
  <div>
    <h4>{title}</h4>
    <p class="address">
      {side.author}, <time dateTime={side.date}>{showMoment(side.date)}</time>
    </p>
    <p class="value">{value === "" ? <span class="none">{text("removedValue")}</span> : value}</p>
  </div>
);

/** The fields of the record, as far as they are declared, and its values in a language. */
async function fieldsOf(record: Conflict["record"], lang: string): Promise<readonly [Definitions, Values]> {
  const collection = record?.model === "Page" ? "pages" : record?.model === "Article" ? "articles" : undefined;
  if (!record || !collection) return [[], {}];
  // A record that is gone has no fields to be named.
  const found = await get<Values>(`${collection}/${record.id}/?language=${lang}`).catch((): Values => ({}));
  return [definitionsOfPage(await modelOfPage(String(found.related_name))), found];
}
