/** The pages that a search or filter finds, asked for as they come on the screen. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { get } from "../../api.ts";
import { text } from "../../i18n.ts";
import { route } from "../../router.ts";
import { attempt, notifyFailure } from "../../ui/notices.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { CHUNK, readRows, type PageRow } from "./page-row.ts";
import { PageGrid } from "./page-grid.tsx";

interface FoundPagesProps {
  /** The query for the API. */
  readonly query: string;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

export function FoundPages({ query, sort, onSort }: FoundPagesProps) {
  const [found, setFound] = useState<{ query: string; count: number; rows: readonly (PageRow | undefined)[] }>();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [version, setVersion] = useState(0);
  const asked = useRef({ chunks: new Set<number>(), leaving: new AbortController() });
  const read = useCallback(
    async (chunk: number): Promise<void> => {
      const { chunks, leaving } = asked.current;
      if (chunks.has(chunk)) return;
      chunks.add(chunk);
      try {
        const { items, paginator } = await readRows(query, chunk + 1, leaving.signal);
        setFound((last) => {
          // What was found before stays on the screen until the first rows of the next search are there.
          const rows = last?.query === query ? [...last.rows] : [];
          rows.splice(
            rows.length,
            0,
            ...Array.from({ length: Math.max(0, chunk * CHUNK - rows.length) }, () => undefined),
          );
          for (const [at, item] of items.entries()) rows[chunk * CHUNK + at] = item;
          return { query, count: paginator.count, rows };
        });
      } catch (error) {
        chunks.delete(chunk);
        if (!leaving.signal.aborted) notifyFailure(error);
      }
    },
    [query],
  );
  useEffect(() => {
    const own = { chunks: new Set<number>(), leaving: new AbortController() };
    asked.current = own;
    void read(0);
    return () => own.leaving.abort();
  }, [read, version]);
  const onShown = useCallback(
    (from: number, to: number) => {
      for (let chunk = Math.floor(from / CHUNK); chunk <= Math.floor(Math.max(from, to - 1) / CHUNK); chunk++)
        void read(chunk);
    },
    [read],
  );
  const selectAll = (): Promise<void> =>
    attempt(async () => {
      const all = await get<{ items: readonly { id: number }[] }>(`pages/?${query}&fields=id&items=-1`);
      setSelected(new Set(all.items.map(({ id }) => id)));
    });
  if (!found) return null;
  return (
    <>
      <p class="foot" role="status">
        {found.count === 0 ? text("noPages") : text("pageCount", { count: found.count })}{" "}
      </p>
      <BulkActions
        selected={selected}
        isTrash={route.value.query.get("status") === "TRS"}
        onSelect={setSelected}
        onSelectAll={() => void selectAll()}
        onDone={() => setVersion(version + 1)}
      />
      <PageGrid
        count={found.count}
        rowAt={(at) => found.rows[at]}
        onShown={onShown}
        selected={selected}
        onSelect={setSelected}
        sort={sort}
        onSort={onSort}
      />
    </>
  );
}
