/** All pages, found by search and status. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, request } from "../api.ts";
import { showDay, text } from "../i18n.ts";
import { go, hrefOf, route } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { notifyFailure } from "../ui/notices.tsx";
import { StatusBadge, type Status } from "../ui/status-badge.tsx";

interface PageRow {
  readonly id: number;
  readonly title: string | null;
  readonly permalink: string | null;
  readonly status: Status;
  readonly date_updated_at: string;
  readonly has_draft: boolean;
  readonly has_scheduled_draft: boolean;
}

interface PageOfRows {
  readonly items: readonly PageRow[];
  readonly paginator: { readonly count: number; readonly page: number; readonly has_next: boolean };
}

const FIELDS = "id,title,permalink,status,date_updated_at,has_draft,has_scheduled_draft";
const STATUSES: readonly Status[] = ["PUB", "DRF", "PLA", "TRS"];
const ROWS = 50;
/** In milliseconds: a pause in typing after which the list follows. */
const TYPING_PAUSE = 120;

const rows = signal<readonly PageRow[]>([]);
const found = signal<{ readonly count: number; readonly hasMore: boolean } | undefined>(undefined);

async function load(query: string, page: number, signal: AbortSignal): Promise<void> {
  try {
    const { items, paginator } = await get<PageOfRows>(`pages/?${query}&page=${page}`, signal);
    rows.value = page === 1 ? items : [...rows.value, ...items];
    found.value = { count: paginator.count, hasMore: paginator.has_next };
  } catch (error) {
    if (!signal.aborted) notifyFailure(error);
  }
}

/** The query of the API for that of the address. */
function listQuery(): string {
  const { query } = route.value;
  const status = query.get("status");
  const wanted = new URLSearchParams({ fields: FIELDS, items: String(ROWS), language: contentLanguage.value });
  if (query.get("search")) wanted.set("search", query.get("search")!);
  if (status) wanted.append("fltr", `status=${status}`);
  else wanted.append("fltr", "alive=true");
  return wanted.toString();
}

export function PageList() {
  const query = listQuery();
  useEffect(() => {
    const leaving = new AbortController();
    if (contentLanguage.value !== "") void load(query, 1, leaving.signal);
    return () => leaving.abort();
  }, [query]);
  return (
    <>
      <div class="heading">
        <h1>{text("pages")}</h1>
        <LanguageTabs />
        {may("add_page") && <NewPage />}
      </div>
      <Filters />
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{text("title")}</th>
            <th scope="col">{text("status")}</th>
            <th scope="col">{text("changed")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.value.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {found.value && <Foot query={query} />}
    </>
  );
}

function Row({ row }: { row: PageRow }) {
  const note = row.has_scheduled_draft ? text("scheduledDraft") : row.has_draft ? text("pendingDraft") : "";
  return (
    <tr>
      <td>
        <a href={hrefOf(`pages/${row.id}?lang=${contentLanguage.value}`)}>{row.title || `#${row.id}`}</a>
        <span class="address">{row.permalink}</span>
      </td>
      <td>
        <StatusBadge status={row.status} /> {note !== "" && <span class="badge">{note}</span>}
      </td>
      <td>
        <time dateTime={row.date_updated_at}>{showDay(row.date_updated_at)}</time>
      </td>
    </tr>
  );
}

function Foot({ query }: { query: string }) {
  const { count, hasMore } = found.value!;
  const more = (): void => void load(query, rows.value.length / ROWS + 1, new AbortController().signal);
  return (
    <p class="foot" role="status">
      {count === 0 ? text("noPages") : text("pageCount", { count })}{" "}
      {hasMore && <button onClick={more}>{text("showMore")}</button>}
    </p>
  );
}

let typing: ReturnType<typeof setTimeout> | undefined;

/** Filters are in the address, so that going back shows the same list. */
function narrow(name: string, value: string): void {
  const next = new URLSearchParams(route.value.query);
  if (value === "") next.delete(name);
  else next.set(name, value);
  go(`pages?${next}`, { replaces: true });
}

function Filters() {
  const { query } = route.value;
  return (
    <div class="filters" role="search">
      <input
        type="search"
        aria-label={text("searchPages")}
        placeholder={text("searchPages")}
        defaultValue={query.get("search") ?? ""}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(typing);
          typing = setTimeout(() => narrow("search", value), TYPING_PAUSE);
        }}
      />
      <select
        aria-label={text("status")}
        value={query.get("status") ?? ""}
        onChange={({ currentTarget: { value } }) => narrow("status", value)}
      >
        <option value="">{text("anyStatus")}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {text(status)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Asks for a title, since a page needs one for its address. */
function NewPage() {
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const title = String(new FormData(event.currentTarget as HTMLFormElement).get("title")).trim();
    const lang = contentLanguage.value;
    try {
      const { value } = await request<{ id: number }>("POST", `pages/?language=${lang}`, { body: { title } });
      go(`pages/${value.id}?lang=${lang}`);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <form class="inline" onSubmit={(event) => void create(event)}>
      <input name="title" aria-label={text("newPageTitle")} placeholder={text("newPageTitle")} required />
      <button class="primary">{text("newPage")}</button>
    </form>
  );
}
