/** A table of the records of one collection, found by search; the search is in the address. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { go, hrefOf, route } from "../router.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { SearchField } from "../ui/search-field.tsx";

export interface Column {
  readonly name: string;
  readonly show: (record: Values) => ComponentChildren;
}

interface RecordListProps {
  /** The path of the collection, with a query of its own if it has one: `articles/?language=it`. */
  readonly path: string;
  readonly searchLabel: string;
  /** The first column is the name of the record. */
  readonly columns: readonly Column[];
  /** Path of the screen of one record; null for one without. */
  readonly screenOf: (record: Values) => string | null;
}

interface Page {
  readonly items: readonly Values[];
  readonly paginator: { readonly count: number; readonly has_next: boolean };
}

const ROWS = 50;

export function RecordList({ path, searchLabel, columns, screenOf }: RecordListProps) {
  const [rows, setRows] = useState<readonly Values[]>([]);
  const [found, setFound] = useState<Page["paginator"] | undefined>(undefined);
  const search = route.value.query.get("search") ?? "";
  const load = async (page: number, signal?: AbortSignal): Promise<void> => {
    const query = new URLSearchParams({ items: String(ROWS), page: String(page), ...(search !== "" && { search }) });
    try {
      const answer = await get<Page>(`${path}${path.includes("?") ? "&" : "/?"}${query}`, signal);
      setRows(page === 1 ? answer.items : [...rows, ...answer.items]);
      setFound(answer.paginator);
    } catch (error) {
      if (!signal?.aborted) notifyFailure(error);
    }
  };
  useEffect(() => {
    const superseded = new AbortController();
    void load(1, superseded.signal);
    return () => superseded.abort();
  }, [path, search]);
  const [first, ...others] = columns;
  return (
    <>
      <SearchBox label={searchLabel} />
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const screen = screenOf(row);
            return (
              <tr key={String(row.id)}>
                <td>{screen === null ? first?.show(row) : <a href={hrefOf(screen)}>{first?.show(row)}</a>}</td>
                {others.map(({ name, show }) => (
                  <td key={name} data-label={name}>
                    {show(row)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {found && (
        <p class="foot" role="status">
          {found.count === 0 ? text("nothingFound") : text("recordCount", { count: found.count })}{" "}
          {found.has_next && <button onClick={() => void load(rows.length / ROWS + 1)}>{text("showMore")}</button>}
        </p>
      )}
    </>
  );
}

function SearchBox({ label }: { label: string }) {
  const search = (value: string): void => {
    const { segments, query } = route.value;
    const next = new URLSearchParams(query);
    if (value === "") next.delete("search");
    else next.set("search", value);
    go(`${segments.join("/")}?${next}`, { replaces: true });
  };
  return (
    <div class="filters" role="search">
      <SearchField label={label} initial={route.value.query.get("search") ?? ""} onSearch={search} />
    </div>
  );
}
