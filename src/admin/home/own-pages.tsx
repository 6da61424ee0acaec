/** The pages to go on with: those that the account changed last, and those at the top of the site. */
import { get } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { NewPageBelow } from "../pages/new-page.tsx";
import { nameOfRow, readLevel, readRows, type PageRow } from "../pages/list/page-row.ts";
import { hrefOf } from "../router.ts";
import { displayName, session } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { useLoaded } from "../ui/loaded.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Change } from "./site-overview.tsx";

/** Commits among which those of the account are looked for. */
const LATEST = 30;
const OWN_SHOWN = 5;
const TOP_SHOWN = 12;

export function OwnPages() {
  const lang = contentLanguage.value;
  const found = useLoaded(() => Promise.all([findOwn(lang), readLevel(null, lang)]));
  if (!found) return null;
  const [own, top] = found;
  return (
    <>
      {own.length > 0 && <Rows title={text("changedByMe")} rows={own} lang={lang} />}
      <Rows title={text("pages")} rows={top.slice(0, TOP_SHOWN)} lang={lang} isAll />
    </>
  );
}

interface RowsProps {
  readonly title: string;
  readonly rows: readonly PageRow[];
  readonly lang: string;
  readonly isAll?: boolean;
}

const Rows = ({ title, rows, lang, isAll = false }: RowsProps) => (
  <section class="card" aria-label={title}>
    <h2>{title}</h2>
    <ul class="links pages-links">
      {rows.map((row) => (
        <li key={row.id}>
          <a href={hrefOf(`pages/${row.id}?lang=${lang}`)}>{nameOfRow(row)}</a>
          <span class="address">{isAll ? row.permalink : showMoment(row.date_updated_at)}</span>
          {row.has_draft && row.status !== "DRF" ? (
            <span class="badge">{text("pendingDraft")}</span>
          ) : (
            <StatusBadge status={row.status} />
          )}
          <NewPageBelow above={{ id: row.id, title: nameOfRow(row) }} />
        </li>
      ))}
    </ul>
    {isAll && <a href={hrefOf("pages")}>{text("allPages")}</a>}
  </section>
);

/** In the order in which they were changed. */
async function findOwn(lang: string): Promise<readonly PageRow[]> {
  const { value } = session;
  const name = "user" in value ? displayName(value.user) : "";
  const changes = await get<readonly Change[]>(`changes/?items=${LATEST}`);
  const own = changes.filter(({ author, file_count: files }) => author === name && files <= FILES_MAX);
  const changed = own.flatMap(({ files }) =>
    files.flatMap(({ record }) => (record?.model === "Page" ? [record.id] : [])),
  );
  const ids = [...new Set(changed)].slice(0, OWN_SHOWN);
  if (ids.length === 0) return [];
  const query = new URLSearchParams({ language: lang, fltr: `id__in=[${ids}]` });
  query.append("fltr", "alive=true");
  const { items } = await readRows(String(query), 1);
  return ids.flatMap((id) => items.find((row) => row.id === id) ?? []);
}

/** A commit of more files, such as that of a move, is no work on a text. */
const FILES_MAX = 3;
