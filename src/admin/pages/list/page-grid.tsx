/** Rows of pages, of which only those on the screen are in the document: 10,000 scroll as quickly as ten. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { showDay, text } from "../../i18n.ts";
import { go, hrefOf } from "../../router.ts";
import { contentLanguage } from "../../site.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import type { TextKey } from "../../texts/en.ts";
import { NewPageBelow } from "../new-page.tsx";
import { nameOfRow, type PageRow } from "./page-row.ts";
import { MOVE_KEYS, type Direction, type Zone } from "./tree-rows.ts";

/** What a row has in the tree. */
export interface Branch {
  readonly depth: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

interface PageGridProps {
  readonly count: number;
  /** undefined while it is not loaded. */
  readonly rowAt: (at: number) => PageRow | undefined;
  /** Called with the rows on the screen. */
  readonly onShown?: (from: number, to: number) => void;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (ids: ReadonlySet<number>) => void;
  /** Absent in a list. */
  readonly branchAt?: (at: number) => Branch;
  readonly onToggle?: (at: number) => void;
  readonly onMove?: (at: number, direction: Direction) => void;
  readonly onDrop?: (from: number, to: number, zone: Zone) => void;
  /** The key that the rows are sorted by, with `-` for the reverse; absent where they have an order of their own. */
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
}

/** Rows beyond the edges of the screen. */
const MARGIN = 8;

/** CSS pixels; as admin.css has them. */
const rowHeight = (): number => (matchMedia("(max-width: 40rem)").matches ? 104 : 56);

export function PageGrid(props: PageGridProps) {
  const { count, rowAt, onShown, branchAt } = props;
  const [active, setActive] = useState(0);
  const [dragged, setDragged] = useState<number | undefined>(undefined);
  const body = useRef<HTMLDivElement>(null);
  const focuses = useRef(false);
  const { from, to, height } = useShown(body, count);
  useEffect(() => onShown?.(from, to), [from, to, onShown]);
  useLayoutEffect(() => {
    if (!focuses.current) return;
    focuses.current = false;
    body.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
  });
  const current = Math.min(active, Math.max(count - 1, 0));
  const choose = (at: number): void => {
    const next = Math.max(0, Math.min(at, count - 1));
    focuses.current = true;
    setActive(next);
    const top = (body.current?.getBoundingClientRect().top ?? 0) + next * height;
    if (top < height) scrollBy(0, top - height);
    else if (top + 2 * height > innerHeight) scrollBy(0, top + 2 * height - innerHeight);
  };
  const toggleSelected = (id: number): void => {
    const next = new Set(props.selected);
    if (!next.delete(id)) next.add(id);
    props.onSelect(next);
  };
  const onKey = (event: KeyboardEvent): void => {
    const isOnRow = event.target instanceof Element && event.target.getAttribute("role") === "row";
    const row = rowAt(current);
    const move = MOVE_KEYS[event.key];
    if (event.altKey && move && props.onMove) {
      focuses.current = true;
      props.onMove(current, move);
    } else if (event.key === "ArrowDown") choose(current + 1);
    else if (event.key === "ArrowUp") choose(current - 1);
    else if (!isOnRow) return;
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(count - 1);
    else if (event.key === "PageDown") choose(current + 10);
    else if (event.key === "PageUp") choose(current - 10);
    else if (event.key === "Enter" && row) go(`pages/${row.id}?lang=${contentLanguage.value}`);
    else if (event.key === " " && row) toggleSelected(row.id);
    else if (branchAt && (event.key === "ArrowRight" || event.key === "ArrowLeft")) openOrClose(event.key);
    else return;
    event.preventDefault();
  };
  const openOrClose = (key: string): void => {
    const { hasChildren, isOpen, depth } = branchAt!(current);
    if (key === "ArrowRight" ? hasChildren && !isOpen : isOpen) return props.onToggle?.(current);
    if (key === "ArrowRight") return isOpen ? choose(current + 1) : undefined;
    for (let at = current - 1; at >= 0; at--) if (branchAt!(at).depth < depth) return choose(at);
  };
  const shown = [...new Set([current, ...Array.from({ length: to - from }, (_, at) => from + at)])]
    .filter((at) => at < count)
    .sort((a, b) => a - b);
  return (
    <div
      class="pages"
      role={branchAt ? "treegrid" : "grid"}
      aria-label={text("pages")}
      aria-rowcount={count + 1}
      aria-multiselectable
      onKeyDown={onKey}
    >
      <Head {...props} />
      <div role="rowgroup" class="page-rows" ref={body} style={{ height: `${count * height}px` }}>
        {shown.map((at) => (
          <Row
            key={rowAt(at)?.id ?? `at ${at}`}
            {...props}
            at={at}
            height={height}
            isActive={at === current}
            dragged={dragged}
            setDragged={setDragged}
            onFocus={() => setActive(at)}
            onSelected={toggleSelected}
          />
        ))}
      </div>
    </div>
  );
}

const COLUMNS: readonly (readonly [key: string, label: TextKey])[] = [
  ["title", "title"],
  ["status", "status"],
  ["date_updated_at", "changed"],
];

function Head({ sort, onSort }: PageGridProps) {
  return (
    <div role="rowgroup">
      <div role="row" aria-rowindex={1} class="page-row head">
        <span role="columnheader" class="visually-hidden">
          {text("selected")}
        </span>
        {COLUMNS.map(([key, label]) => {
          if (!onSort || key === "status")
            return (
              <span key={key} role="columnheader">
                {text(label)}
              </span>
            );
          const isSorted = sort === key || sort === `-${key}`;
          const direction = sort === key ? "ascending" : "descending";
          return (
            <span key={key} role="columnheader" aria-sort={isSorted ? direction : "none"}>
              <button class="plain" onClick={() => onSort(sort === key ? `-${key}` : key)}>
                {text(label)} <span aria-hidden="true">{isSorted ? (sort === key ? "↑" : "↓") : "↕"}</span>
              </button>
            </span>
          );
        })}
      </div>
    </div>
  );
}

interface RowProps extends PageGridProps {
  readonly at: number;
  readonly height: number;
  readonly isActive: boolean;
  readonly dragged: number | undefined;
  readonly setDragged: (at: number | undefined) => void;
  readonly onFocus: () => void;
  readonly onSelected: (id: number) => void;
}

function Row(props: RowProps) {
  const { at, height, isActive, rowAt, branchAt, selected, dragged } = props;
  const [zone, setZone] = useState<Zone | undefined>(undefined);
  const row = rowAt(at);
  const branch = branchAt?.(at);
  const tabIndex = isActive ? 0 : -1;
  if (!row) return <div role="row" aria-rowindex={at + 2} class="page-row" style={{ top: `${at * height}px` }} />;
  const note = row.has_scheduled_draft
    ? text("scheduledDraft")
    : row.has_draft && row.status !== "DRF"
      ? text("pendingDraft")
      : "";
  const name = nameOfRow(row);
  return (
    <div
      role="row"
      class={`page-row level-${Math.min(branch?.depth ?? 0, 5)} ${zone ? `drop-${zone}` : ""} ${dragged === at ? "dragged" : ""}`}
      style={{ top: `${at * height}px` }}
      aria-rowindex={at + 2}
      aria-level={branch && branch.depth + 1}
      aria-expanded={branch?.hasChildren ? branch.isOpen : undefined}
      aria-selected={selected.has(row.id)}
      tabIndex={tabIndex}
      onFocusIn={props.onFocus}
      draggable={props.onDrop !== undefined}
      onDragStart={(event) => {
        event.dataTransfer?.setData("text/plain", name);
        props.setDragged(at);
      }}
      onDragEnd={() => props.setDragged(undefined)}
      onDragOver={(event) => {
        if (dragged === undefined || dragged === at) return;
        event.preventDefault();
        setZone(zoneOf(event));
      }}
      onDragLeave={() => setZone(undefined)}
      onDrop={(event) => {
        event.preventDefault();
        setZone(undefined);
        if (dragged !== undefined) props.onDrop?.(dragged, at, zoneOf(event));
        props.setDragged(undefined);
      }}
    >
      <span role="gridcell">
        <input
          type="checkbox"
          aria-label={text("selectPage", { name })}
          tabIndex={tabIndex}
          checked={selected.has(row.id)}
          onChange={() => props.onSelected(row.id)}
        />
      </span>
      <span role="gridcell" class="page-name">
        {branch && (
          <button
            class="quiet twist"
            tabIndex={-1}
            hidden={!branch.hasChildren}
            aria-label={text(branch.isOpen ? "closeBranch" : "openBranch", { name })}
            onClick={() => props.onToggle?.(at)}
          >
            {branch.isOpen ? "▾" : "▸"}
          </button>
        )}
        <span class="cut">
          <a href={hrefOf(`pages/${row.id}?lang=${contentLanguage.value}`)} tabIndex={tabIndex} draggable={false}>
            {name}
          </a>
          <span class="address">{row.permalink}</span>
        </span>
        <NewPageBelow above={{ id: row.id, title: name }} tabIndex={tabIndex} />
      </span>
      <span role="gridcell">
        <StatusBadge status={row.status} /> {note !== "" && <span class="badge">{note}</span>}
      </span>
      <span role="gridcell">
        <time dateTime={row.date_updated_at}>{showDay(row.date_updated_at)}</time>
      </span>
    </div>
  );
}

/** The upper quarter of a row is before it, the lower one after it. */
function zoneOf(event: DragEvent): Zone {
  const { top, height } = (event.currentTarget as Element).getBoundingClientRect();
  const part = (event.clientY - top) / height;
  return part < 0.25 ? "before" : part > 0.75 ? "after" : "into";
}

/** The rows on the screen, and the height of one. */
function useShown(body: { readonly current: HTMLElement | null }, count: number) {
  const [shown, setShown] = useState({ from: 0, to: 30, height: rowHeight() });
  useLayoutEffect(() => {
    const measure = (): void => {
      const height = rowHeight();
      const above = -(body.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, Math.floor(above / height) - MARGIN);
      const to = Math.ceil((above + innerHeight) / height) + MARGIN;
      setShown((last) =>
        last.from === from && last.to === to && last.height === height ? last : { from, to, height },
      );
    };
    measure();
    addEventListener("scroll", measure, { passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure);
      removeEventListener("resize", measure);
    };
  }, [count]);
  return { ...shown, from: Math.min(shown.from, count), to: Math.min(Math.max(shown.to, shown.from), count) };
}
