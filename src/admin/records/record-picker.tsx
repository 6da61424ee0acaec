/** A dialog that finds records by their names, and chooses one or any number of them. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import type { FieldTarget } from "../../model/fields/definition.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { contentLanguage } from "../site.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { pathsOf, remember, type KnownRecord } from "./known-records.ts";

interface RecordPickerProps {
  readonly model: string;
  readonly target?: FieldTarget | undefined;
  readonly title: string;
  readonly hint?: string;
  readonly onClose: () => void;
  /** Called with one record, unless `canChooseMany`. */
  readonly onChoose: (records: readonly KnownRecord[]) => void;
  readonly canChooseMany?: boolean;
  /** More to choose from: before the records for what was typed, after them as long as nothing is. */
  readonly others?: (search: string) => ComponentChildren;
  /** What is searched for at first; all else is shown below what has these words. */
  readonly initial?: string;
  /** Buttons beside the one that closes. */
  readonly actions?: ComponentChildren;
}

/** At most, of each path; of more that are found, the best. */
const SHOWN = 20;
const SEARCHED = 100;

interface Found {
  readonly search: string;
  readonly records: readonly KnownRecord[];
  /** There may be more than these. */
  readonly isCut: boolean;
}

async function findRecords(model: string, target: FieldTarget, search: string, signal: AbortSignal): Promise<Found> {
  const items = search === "" ? SHOWN : SEARCHED;
  const query = new URLSearchParams({ search, items: String(items), language: contentLanguage.value });
  const filter = filterOf(target);
  if (filter !== "") query.set("fltr", filter);
  const found = await Promise.all(
    pathsOf(target.model === undefined ? model : `pages.${target.model}`).map((path) =>
      get<{ items: readonly Values[] } | readonly Values[]>(`${path}/?${query}${orderOf(path, search)}`, signal),
    ),
  );
  const lists = found.map((list) => ("items" in list ? list.items : list));
  const records = lists.flat().map((record) => remember(model, record));
  return {
    search,
    records: bestFirst(records, search.trim().toLowerCase()).slice(0, lists.length * SHOWN),
    isCut: lists.some(({ length }) => length >= SHOWN),
  };
}

/** Those whose names begin with what was typed come before those that have it elsewhere: Enter chooses the first. */
const bestFirst = (records: readonly KnownRecord[], typed: string): readonly KnownRecord[] => {
  const distance = ({ name }: KnownRecord): number => {
    const at = name.toLowerCase().indexOf(typed);
    return at < 0 ? Number.MAX_SAFE_INTEGER : at;
  };
  return records.toSorted((a, b) => distance(a) - distance(b));
};

/** Before anything is typed, those pages come first that people work on. */
const orderOf = (path: string, search: string): string =>
  search === "" && /^(pages|articles|models\/)/.test(path) ? "&sort=-date_updated_at" : "";

const filterOf = ({ below, meta_type: type }: FieldTarget): string =>
  [
    ...(below === undefined ? [] : [`above__permalink=${JSON.stringify(below)}`]),
    ...(type === undefined ? [] : [`meta_type__key=${JSON.stringify(type)}`]),
  ].join(" AND ");

const withRest = ({ search, records }: Found, rest: Found): Pick<Found, "search" | "records"> => ({
  search,
  records: [...records, ...rest.records.filter(({ id }) => !records.some((each) => each.id === id))],
});

const EVERY: FieldTarget = {};

export function RecordPicker({
  model,
  target = EVERY,
  title,
  hint,
  onClose,
  onChoose,
  canChooseMany = false,
  others,
  initial = "",
  actions,
}: RecordPickerProps) {
  const [search, setSearch] = useState(initial);
  const [found, setFound] = useState<Found | undefined>(undefined);
  const [chosen, setChosen] = useState<readonly KnownRecord[]>([]);
  /** For which Enter was pressed. */
  const [entered, setEntered] = useState("");
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const superseded = new AbortController();
    const find = (words: string): Promise<Found> => findRecords(model, target, words, superseded.signal);
    const show = ([asked, rest]: readonly Found[]): void =>
      setFound(rest ? { ...rest, ...withRest(asked!, rest) } : asked);
    // What nobody has typed is a guess: all that is there stands below it.
    Promise.all((search === initial && search !== "" ? [search, ""] : [search]).map(find)).then(
      show,
      (error: unknown) => {
        if (!superseded.signal.aborted) notifyFailure(error);
      },
    );
    return () => superseded.abort();
  }, [search]);
  useEffect(() => {
    if (entered === "" || found?.search !== entered) return;
    setEntered("");
    list.current?.querySelector<HTMLElement>("button, input")?.click();
  }, [found, entered]);
  const isChosen = ({ id }: KnownRecord): boolean => chosen.some((each) => each.id === id);
  const shown = [...chosen, ...(found?.records ?? []).filter((record) => !isChosen(record))];
  return (
    <Dialog title={title} onClose={onClose} isWide>
      <SearchField
        label={text("search")}
        initial={initial}
        autofocus
        onSearch={(typed) => {
          setSearch(typed);
          setEntered("");
        }}
        onEnter={(typed) => {
          setSearch(typed);
          setEntered(typed.trim() === "" ? "" : typed);
        }}
      />
      {hint && <p class="hint">{hint}</p>}
      <ul class={search === "" ? "found" : "found searched"} aria-label={text("results")} ref={list}>
        {search !== "" && others?.(search)}
        {shown.map((record) => (
          <li key={record.id}>
            {canChooseMany ? (
              <label class="flag">
                <input
                  type="checkbox"
                  checked={isChosen(record)}
                  onChange={({ currentTarget: { checked } }) =>
                    setChosen(checked ? [...chosen, record] : chosen.filter(({ id }) => id !== record.id))
                  }
                />
                <span>
                  {record.name} <span class="address">{record.detail}</span>
                </span>
              </label>
            ) : (
              <button type="button" onClick={() => onChoose([record])}>
                <strong>{record.name}</strong> <span class="address">{record.detail}</span>
              </button>
            )}
          </li>
        ))}
        {search === "" && others?.(search)}
      </ul>
      <p class="foot" role="status">
        {found?.records.length === 0 && text("nothingFound")}
        {found?.isCut && text("typeToFind")}
      </p>
      <div class="actions">
        {canChooseMany && (
          <button type="button" class="primary" disabled={chosen.length === 0} onClick={() => onChoose(chosen)}>
            {text("addChosen", { count: chosen.length })}
          </button>
        )}
        {actions}
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}
