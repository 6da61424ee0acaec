/** The site as it lies in the repository. */
import { constants, type Dirent } from "node:fs";
import { copyFile, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { showInstant, type Instant } from "../../model/instant.ts";
import { canonicalJson } from "../../model/json.ts";
import { isPublic, statusOf } from "../../model/lifecycle.ts";
import { findLang, publicPath, type Lang } from "../../model/locale.ts";
import { currentDerivatives } from "../../model/media.ts";
import type { Id, PageSummary } from "../../model/page.ts";
import { isNoindex } from "../../model/robots.ts";
import { TEMPLATE_QUERIES, publicArticles, publicChildren, type RunQuery } from "../../render/template-queries.ts";
import { renderInput } from "../../render/page.ts";
import type { AnyKind, Entity } from "../../store/content/record-type.ts";
import { MEDIA } from "../../store/content/records/media.ts";
import { REDIRECTS } from "../../store/content/records/redirects.ts";
import { allSummaries, kindOf, PAGE_KINDS, pageOf } from "../../store/content/indexes/page-models.ts";
import { pageIndex, type PageIndex } from "../../store/content/indexes/page-index.ts";
import { keyOfEntry, summaryOf, type Snapshot, type Table } from "../../store/content/snapshot.ts";
import { notingReader } from "../../views/dependencies.ts";
import { textHash } from "../../views/digest.ts";
import { allRedirects } from "../../views/manifest.ts";
import { pagePayload } from "../../views/page.ts";
import { resolveRoute } from "../../views/route.ts";
import type { View } from "../../views/view.ts";
import { sha1 } from "../state/digest.ts";
import { kindsInto, readsInto, RECORD, TABLE, type Dependencies } from "../dependencies.ts";
import type { Made, MediaFile, Source } from "./source.ts";
import type { Dependency, Listing, Word } from "../state/state.ts";

export interface TreeOptions {
  readonly root: string;
  readonly content: Snapshot;
  readonly kinds: readonly AnyKind[];
  readonly config: Config;
  readonly now: Instant;
  /** Asked when the source is asked. */
  epoch(): Promise<string | null>;
  readonly dependencies: Dependencies;
}

/** Shared answers kept at a time; templates ask for few different ones. */
const ANSWERS_KEPT = 64;

export function treeSource({ root, content, kinds, config, now, epoch, dependencies }: TreeOptions): Source {
  const { locales } = config;
  const viewOf =
    (reader: View["content"]) =>
    (lang: Lang): View => ({ content: reader, config, locales, lang, now, surface: "public", origin: "" });
  const plain = byLang(viewOf(content));
  const noting = byLang(viewOf(notingReader(content, readsInto(dependencies))));
  const hashes = new Map(locales.codes.map((lang) => [lang, new Map<Id, string>()]));
  const tablesOf = new Map<string, Set<string>>();
  /** Answers by the numbers of their dependencies. */
  const shared = new Map<number, unknown>();
  const stamps = stampsOf(content, kinds, config, now);
  const index = pageIndex(content);
  let listed: readonly Listing[] | undefined;
  let redirects: Source["redirects"] | undefined;
  const summaryOfPage = ({ id }: Listing): PageSummary => {
    const kind = PAGE_KINDS.find((each) => content.table(each).byId.has(id))!;
    return summaryOf(content.table(kind).byId.get(id)!) as PageSummary;
  };

  const make = (summary: PageSummary, lang: Lang): Made => {
    const page = pageOf(summary);
    dependencies.note(RECORD, "", kindOf(page).name, page.id);
    const payload = pagePayload(noting(lang), page);
    const text = canonicalJson(payload);
    const hash = textHash(text);
    hashes.get(lang)!.set(page.id, hash);
    return { payload, text, hash };
  };
  const hashOf = (page: PageSummary, lang: Lang): string =>
    hashes.get(lang)!.get(page.id) ?? dependencies.aside(() => make(page, lang).hash);

  const ask: RunQuery = (view, question, ...args) => {
    const at = dependencies.note(question, view.lang, ...args);
    return dependencies.aside(() => {
      const answer = (): unknown =>
        (TEMPLATE_QUERIES[question] as (view: View, ...rest: readonly unknown[]) => unknown)(plain(view.lang), ...args);
      if (question === "pages_of" || question === "media" || question === "block" || question === "link")
        return answer();
      if (!shared.has(at)) {
        if (shared.size >= ANSWERS_KEPT) shared.clear();
        const made = answer();
        shared.set(at, Array.isArray(made) ? made : JSON.stringify(made));
      }
      const known = shared.get(at);
      // A template may sort or reverse what it is given; the next page gets it as it was.
      return Array.isArray(known) ? [...(known as unknown[])] : (JSON.parse(known as string) as unknown);
    }) as never;
  };

  /** By the pages in the answer, whose hashes are known or soon needed, instead of by their payloads. */
  const listDigest = (lang: Lang, pages: readonly PageSummary[]): string =>
    pages.length === 0 ? "" : sha1(pages.map((page) => `${page.id} ${hashOf(page, lang)}`).join("\n"));

  return {
    name: "tree",
    server_time: showInstant(now),
    epoch,
    content: () =>
      sha1(
        [
          showInstant(now),
          ...kinds.flatMap((kind) =>
            Array.from(content.table(kind).byBase.values(), (entry) => keyOfEntry(kind, entry)).sort(),
          ),
        ].join("\n"),
      ),
    get pages() {
      return (listed ??= listPages(plain, index));
    },
    get redirects() {
      return (redirects ??= allRedirects(plain(locales.default)));
    },
    ask,
    view: noting,
    hash: async (page) => hashOf(summaryOfPage(page), page.language_code),
    trust: (page, id, hash) => void hashes.get(page.language_code)!.set(id, hash),
    make: async (page) => make(summaryOfPage(page), page.language_code),
    shown: (page, { payload }) => renderInput(noting(page.language_code), pageOf(summaryOfPage(page)), payload),
    facts: (listing) => {
      const { id, robots, date_updated_at: updated } = summaryOfPage(listing);
      return { id, updated: isNoindex(robots) ? "" : updated };
    },
    digest(asked: Dependency) {
      const [question, lang, one, two] = asked;
      if (question === RECORD) return stamps.record(one as string, two as Id);
      if (question === TABLE) return stamps.table(one as string);
      // Most pages have no others below them, and each was asked.
      if (question === "pages_of" && index.childSummaries(one as Id).length === 0) return "";
      return dependencies.aside(() => {
        if (question === "pages_of") return listDigest(lang, publicChildren(plain(lang), one as Id));
        if (question === "articles") return listDigest(lang, publicArticles(plain(lang), one as Id | null));
        const read = tablesOf.get(question) ?? new Set();
        tablesOf.set(question, read);
        const answer = (
          TEMPLATE_QUERIES as unknown as Record<string, (view: View, ...rest: readonly Word[]) => unknown>
        )[question]!({ ...plain(lang), content: notingReader(content, kindsInto(read)) }, ...asked.slice(2));
        return typeof answer === "string" ? answer : answer === null ? "" : sha1(JSON.stringify(answer));
      });
    },
    tablesOf: () => tablesOf,
    async media() {
      const shown = new Set(madeFilesShown(content, config));
      const { RENDITIONS, THUMBNAIL } = config.MEDIA;
      const made = [RENDITIONS.FOLDER, ...(THUMBNAIL.FOLDER === "" ? [] : [THUMBNAIL.FOLDER])];
      // What was made once and is no longer shown may lie here and not elsewhere.
      return (await mediaFiles(join(root, "media"))).filter(
        ({ path }) => shown.has(path) || !made.some((folder) => path.startsWith(`${folder}/`)),
      );
    },
  };
}

/** The thumbnails and renditions that payloads name, by their paths below the media folder. */
export const madeFilesShown = (content: Snapshot, { MEDIA: { RENDITIONS } }: Config): string[] =>
  content.all(MEDIA).flatMap((media) => {
    const made = currentDerivatives(media);
    return [
      ...(made?.thumbnail ? [made.thumbnail] : []),
      ...(RENDITIONS.ENABLE ? (made?.renditions ?? []).map(({ file }) => file) : []),
    ];
  });

/** The pages as the site serves them. */
function listPages(viewOf: (lang: Lang) => View, index: PageIndex): readonly Listing[] {
  const { locales, config, content, now } = viewOf("");
  const summaries = [...allSummaries(content)].sort((a, b) => a.id - b.id);
  const hasRedirects = content.all(REDIRECTS).some(({ rows }) => rows.length > 0);
  return locales.codes.flatMap((lang) =>
    summaries.flatMap((summary) => {
      if (!isPublic(summary, lang, now)) return [];
      const { permalink = null } = summary.translations[lang] ?? {};
      const path =
        permalink === null || index.summaryByPermalink(lang, permalink) !== summary
          ? undefined
          : publicPath(locales, lang, permalink, config.APPEND_SLASH);
      if (path === undefined || !isServed(lang, path, permalink!, summary)) return [];
      return [{ id: summary.id, path, permalink: permalink!, language_code: lang }];
    }),
  );

  function isServed(lang: Lang, path: string, permalink: string, summary: PageSummary): boolean {
    // Without a redirect in the way, and with no second way to read its path, it is what stands there.
    if (
      !hasRedirects &&
      isPlain(permalink) &&
      (lang !== locales.default || findLang(locales, firstOf(permalink)) === undefined)
    )
      return true;
    const route = resolveRoute(viewOf(locales.default), path);
    return route.kind === "page" && route.page === pageOf(summary);
  }
}

const isPlain = (permalink: string): boolean => permalink === "/" || !permalink.endsWith("/");

const firstOf = (permalink: string): string =>
  permalink.slice(1, permalink.indexOf("/", 1) < 0 ? undefined : permalink.indexOf("/", 1));

/**
 * What tells one version of a record from another. Where a record is made of its files alone their names say it all;
 * where others had a say, or time has, that is added.
 */
function stampsOf(content: Snapshot, kinds: readonly AnyKind[], { locales }: Config, now: Instant) {
  const tables = new Map<string, string>();
  // The same records may stand at other addresses when another of them owns a contested one.
  const claimed = Array.from(content.owners, ([key, id]) => `${key} ${id}`).sort();
  const byName = new Map(
    kinds.map((kind) => [
      kind.name,
      {
        kind,
        table: content.table(kind),
        isPage: PAGE_KINDS.some((each) => each === kind),
        known: new Map<Id, string>(),
      },
    ]),
  );
  const stampOf = (
    { kind, table, isPage }: { readonly kind: AnyKind; readonly table: Table; readonly isPage: boolean },
    summary: Entity,
  ): string => {
    const entry = table.byId.get(summary.id)!;
    const isOfFiles = !kind.derives && table.byBase.get(entry.base) === entry;
    const stamp = isOfFiles ? keyOfEntry(kind, entry) : sha1(canonicalJson(entry.record));
    // The state lies where visitors may read it, and the file of a public page may stand in a folder named by a hidden one.
    if (!isPage) return isOfFiles ? sha1(stamp) : stamp;
    let statuses = "";
    for (const lang of locales.codes) statuses += statusOf(summary as unknown as PageSummary, lang, now);
    return sha1(`${stamp} ${statuses}`);
  };
  const record = (name: string, id: Id): string => {
    const of = byName.get(name);
    const known = of?.known.get(id);
    if (!of || known !== undefined) return known ?? "";
    const entry = of.table.byId.get(id);
    const stamp = entry ? stampOf(of, summaryOf(entry)) : "";
    of.known.set(id, stamp);
    return stamp;
  };
  const stampOfTable = (kind: AnyKind): string => {
    const records = content.table(kind).summaries.map(({ id }) => `${id} ${record(kind.name, id)}`);
    return sha1([...records, ...(kind.family ? claimed : [])].join("\n"));
  };
  return {
    record,
    table(name: string): string {
      const kind = byName.get(name)?.kind;
      const stamp = tables.get(name) ?? (kind ? stampOfTable(kind) : "");
      tables.set(name, stamp);
      return stamp;
    },
  };
}

function byLang(make: (lang: Lang) => View): (lang: Lang) => View {
  const views = new Map<Lang, View>();
  return (lang) => {
    const view = views.get(lang) ?? make(lang);
    views.set(lang, view);
    return view;
  };
}

/** A server beside the build may remove a file after it was listed. @returns false when it has */
async function copyIfThere(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (await lstat(from).catch(unlessGone)) throw error;
    return false;
  }
}

function unlessGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}

/** Regular files of the media folder, hidden ones and whatever lies behind a link left out: what the service serves. */
async function mediaFiles(folder: string, below = ""): Promise<MediaFile[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((): Dirent[] => []); // a site without media
  const found = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith("."))
      .map(async (entry): Promise<MediaFile[]> => {
        const path = below === "" ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) return mediaFiles(folder, path);
        if (!entry.isFile()) return [];
        const from = join(folder, path);
        const found = await lstat(from).catch(unlessGone);
        if (!found) return [];
        const { size, mtimeMs } = found;
        // A copy, not a hard link: what is done to the built files must never be done to the originals.
        return [{ path, version: `${size} ${Math.round(mtimeMs)}`, copy: (to) => copyIfThere(from, to) }];
      }),
  );
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
}
