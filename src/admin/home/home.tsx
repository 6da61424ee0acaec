/** Where the work is: the pages of the site, and what waits: conflicts, unsaved texts, drafts, scheduled changes, missing translations, problems. */
import type { ComponentChild } from "preact";
import { get } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { NewPageButton } from "../pages/new-page.tsx";
import { hrefOf } from "../router.ts";
import { findMentions, findReviews } from "../review/review-links.ts";
import { isStaff, mayEdit } from "../session.ts";
import { languages } from "../site.ts";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { Calendar } from "./calendar.tsx";
import { Conflicts } from "./conflicts.tsx";
import { PageLinks, type PageLink } from "./page-links.tsx";
import { OwnPages } from "./own-pages.tsx";
import { LatestChanges, Problems } from "./site-overview.tsx";
import { useLoaded } from "../ui/loaded.ts";

interface FoundPage {
  readonly id: number;
  readonly title: string | null;
  readonly draft_scheduled_for: string | null;
  readonly published_at: string | null;
}

/** Pages of one language that a filter lets through; the first of them. */
interface FoundPages {
  readonly count: number;
  readonly pages: readonly PageLink[];
}

const SHOWN = 10;

/** @param momentOf of a page whose change is planned */
async function findPages(
  filter: string,
  lang: string,
  momentOf: (page: FoundPage) => string | null = () => null,
): Promise<FoundPages> {
  const query = new URLSearchParams({ language: lang, items: String(SHOWN) });
  query.set("fields", "id,title,draft_scheduled_for,published_at");
  query.append("fltr", "alive=true");
  query.append("fltr", filter);
  const answer = await get<{ items: readonly FoundPage[]; paginator: { count: number } }>(`pages/?${query}`);
  const pages = answer.items.map((page) => ({ id: page.id, title: page.title, lang, moment: momentOf(page) }));
  return { count: answer.paginator.count, pages };
}

/** The same for every language. */
async function inLanguages(find: (lang: string) => Promise<FoundPages>): Promise<FoundPages> {
  const found = await Promise.all(languages.value.map(({ id }) => find(id)));
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    pages: found.flatMap(({ pages }) => pages),
  };
}

async function findReleases(): Promise<FoundPages> {
  const query = new URLSearchParams({ items: String(SHOWN), order: "publish_at", fltr: "publish_at__isnull=false" });
  const { items, paginator } = await get<{
    items: readonly { id: number; name: string; publish_at: string }[];
    paginator: { count: number };
  }>(`releases/?${query}`);
  const pages = items.map(({ id, name, publish_at: moment }) => ({
    ...{ id, title: name, lang: "", moment },
    screen: { path: `releases/${name}`, kind: text("release") },
  }));
  return { count: paginator.count, pages };
}

/** In the order of their moments. */
async function findScheduled(): Promise<FoundPages> {
  const [releases, drafts, planned] = await Promise.all([
    findReleases(),
    inLanguages((lang) => findPages("has_scheduled_draft=true", lang, (page) => page.draft_scheduled_for)),
    inLanguages((lang) => findPages("status=PLA", lang, (page) => page.published_at)),
  ]);
  const pages = [...releases.pages, ...drafts.pages, ...planned.pages].sort((a, b) =>
    (a.moment ?? "").localeCompare(b.moment ?? ""),
  );
  return { count: releases.count + drafts.count + planned.count, pages };
}

async function findUnsaved(): Promise<FoundPages> {
  const all = await get<readonly { page: number; title: string; language: string }[]>("autosaves/");
  const pages = all.map(({ page, title, language }) => ({ id: page, title, lang: language, moment: null }));
  return { count: all.length, pages };
}

export function Home() {
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("home")} />
        <div class="tools">
          <NewPageButton />
        </div>
      </div>
      {isStaff() && <Conflicts />}
      <div class="home">
        <div>
          {mayEdit("pages") && <OwnPages />}
          {isStaff() && <LatestChanges />}
        </div>
        <div>
          {isStaff() && <Problems />}
          {mayEdit("pages") && <Waiting />}
          {isStaff() && <SyncState />}
        </div>
      </div>
    </>
  );
}

interface WaitingPages {
  readonly title: string;
  readonly find: () => Promise<FoundPages>;
  /** By default as a list. */
  readonly show?: (props: { pages: readonly PageLink[] }) => ComponentChild;
}

/** What others want of the account. */
const OF_OTHERS = [
  { title: "askedOfYou", find: () => findReviews("asked") },
  { title: "mentionsOfYou", find: findMentions },
  { title: "yourProposals", find: () => findReviews("own") },
] as const;

/** What there is none of is not shown. */
function Waiting() {
  const kinds: readonly WaitingPages[] = [
    ...(isStaff() ? OF_OTHERS : []).map(({ title, find }) => ({ title: text(title), find })),
    { title: text("unsavedTexts"), find: findUnsaved },
    { title: text("scheduledChanges"), find: findScheduled, show: Calendar },
    { title: text("pendingDrafts"), find: () => inLanguages((lang) => findPages("has_draft=true", lang)) },
    ...languages.value.map(({ id, name }) => ({
      title: text("untranslated", { language: name }),
      find: () => findPages("title__isnull=true", id),
    })),
  ];
  const found = useLoaded(() => Promise.all(kinds.map(({ find }) => find())));
  if (!found) return null;
  const waiting = kinds.flatMap((kind, at) => (found[at]!.count > 0 ? [{ ...kind, ...found[at]! }] : []));
  if (waiting.length === 0)
    return (
      <section class="card" aria-label={text("waiting")}>
        <h2>{text("waiting")}</h2>
        <p class="hint">{text("nothingWaits")}</p>
      </section>
    );
  return (
    <>
      {waiting.map(({ title, count, pages, show: Pages = PageLinks }) => (
        <section key={title} class="card" aria-label={title}>
          <h2>
            {title} <span class="badge">{count}</span>
          </h2>
          <Pages pages={pages} />
          {count > pages.length && <a href={hrefOf("pages")}>{text("allPages")}</a>}
        </section>
      ))}
    </>
  );
}

interface Sync {
  readonly remote: string | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly last_success: string | null;
  readonly last_error: { readonly message: string } | null;
}

/** Absent on a server that does not synchronise. */
function SyncState() {
  const sync = useLoaded(() => get<Sync | null>("sync/"));
  if (!sync) return null;
  return (
    <section class="card later" aria-label={text("sync")}>
      <h2>{text("sync")}</h2>
      <p>
        {sync.remote}: {text("aheadBehind", { ahead: sync.ahead ?? "?", behind: sync.behind ?? "?" })}
      </p>
      {sync.last_success && <p class="hint">{text("lastSync", { moment: showMoment(sync.last_success) })}</p>}
      {sync.last_error && <p role="alert">{sync.last_error.message}</p>}
    </section>
  );
}
