/** A table of the records of one collection, found by search; the search is in the address. */
import type { ComponentChildren } from "preact";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { Values } from "../json.ts";
import { goWith, hrefOf, route } from "../router.ts";
import { usePages } from "../ui/loaded.ts";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { RowCount, Table, type Column } from "../ui/lists/table.tsx";

interface RecordListProps {
  readonly title: string;
  /** Beside the title. */
  readonly more?: ComponentChildren;
  readonly hint?: string;
  /** Path of the screen of a new record, and the text of the link to it; false where the account may add none. */
  readonly add?: false | readonly [path: string, label: string];
  /** The path of the collection, with a query of its own if it has one: `articles/?language=it`. */
  readonly path: string;
  readonly searchLabel: string;
  /** The first column is the name of the record. */
  readonly columns: readonly Column<Values>[];
  /** Path of the screen of one record; null for one without. */
  readonly screenOf: (record: Values) => string | null;
}

const ROWS = 50;

export function RecordList({ title, more, hint, add, path, searchLabel, columns, screenOf }: RecordListProps) {
  const search = route.value.query.get("search") ?? "";
  const {
    items,
    found,
    more: showMore,
  } = usePages<Values>(
    (page, signal) => {
      const query = new URLSearchParams({ items: String(ROWS), page: String(page), ...(search !== "" && { search }) });
      return get(`${path}${path.includes("?") ? "&" : "/?"}${query}`, signal);
    },
    [path, search],
  );
  const linked = columns.map(({ name, show }, at) => {
    if (at > 0) return { name, show };
    return {
      name,
      show: (row: Values) => {
        const screen = screenOf(row);
        return screen === null ? show(row) : <a href={hrefOf(screen)}>{show(row)}</a>;
      },
    };
  });
  return (
    <>
      <div class="heading">
        <ScreenTitle name={title} />
        {more}
        {add && (
          <a class="button primary end" href={hrefOf(add[0])}>
            {add[1]}
          </a>
        )}
      </div>
      {hint && <p class="hint">{hint}</p>}
      <div class="filters" role="search">
        <SearchField label={searchLabel} initial={search} onSearch={(value) => goWith({ search: value })} />
      </div>
      <Table columns={linked} rows={items} keyOf={({ id }) => String(id)} />
      {found && (
        <RowCount count={found.count}>
          {found.has_next && <button onClick={showMore}>{text("showMore")}</button>}
        </RowCount>
      )}
    </>
  );
}
