/** A site of camomilla, from its dump or its interface, as an imported site. */
import { own } from "../../model/input/json.ts";
import type { ImportedRedirect, ImportedSite, Remark, SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import type { DataReading } from "./data.ts";
import { entriesIn, rowLang, type EntryReading } from "./entries.ts";
import { libraryIn, type LibraryReading } from "./library.ts";
import { openOldSite, type OldCamomilla, type OldSiteOptions } from "./old-site.ts";
import { contentOf, menuOf, metaInstancesIn, metaTypesIn, tagOf } from "./records.ts";
import { sourceOfRow, textIn, type CamomillaRows, type Row } from "./rows.ts";
import { accountsIn } from "./users.ts";

export type CamomillaOptions = OldSiteOptions &
  Pick<EntryReading, "locales" | "now" | "format" | "models"> &
  Pick<LibraryReading, "media" | "downloads" | "temporary"> & {
    /** Setting `MEDIA.URL` of this site. */
    readonly mediaUrlHere: string;
  };

export function camomillaSite(rows: CamomillaRows, options: CamomillaOptions): ImportedSite {
  const remarks: Remark[] = [...rows.remarks];
  const site = openOldSite(rows, options);
  const known = new Set(
    [
      rows.pages,
      rows.tags,
      rows.media,
      rows.folders,
      rows.menus,
      rows.contents,
      rows.metaTypes,
      rows.metaInstances,
      rows.users,
    ]
      .flat()
      .map(sourceOfRow),
  );
  const missing = new Map<Row, number>();
  const dataOf = (row: Row): DataReading => ({
    rows,
    site,
    has: (source) => known.has(source),
    onMissing(address) {
      const told = missing.get(row) ?? 0;
      missing.set(row, told + 1);
      if (told < MISSING_TOLD)
        remarks.push({ ...row.place, message: `A text links to ${address}, which is not in the source.` });
    },
  });
  const { formerPaths, redirects } = redirectsIn(rows, site, options, remarks);
  const reading: LibraryReading = {
    ...options,
    rows,
    site,
    remarks,
    dataOf,
    formerPaths,
    mediaUrl: options.mediaUrlHere,
  };
  const library = libraryIn(reading);
  const metaTypes = metaTypesIn(rows.metaTypes);
  return {
    entries: entriesIn(reading),
    tags: rows.tags.map((row) => tagOf(row, reading)),
    media: library.media,
    folders: library.folders,
    menus: rows.menus.map((row) => menuOf(row, reading)),
    contents: rows.contents.map((row) => contentOf(row, reading)),
    metaTypes,
    metaInstances: metaInstancesIn(rows.metaInstances, metaTypes, reading),
    accounts: accountsIn(rows.users, remarks),
    redirects: [...library.redirects, ...redirects, ...prefixRedirects(rows, site, options)],
    remarks,
  };
}

/** Addresses told of one record. */
const MISSING_TOLD = 20;

/** Former addresses of pages, and redirects that are no such. */
function redirectsIn(
  rows: CamomillaRows,
  site: OldCamomilla,
  { locales }: CamomillaOptions,
  remarks: Remark[],
): { readonly formerPaths: Map<string, string[]>; readonly redirects: readonly ImportedRedirect[] } {
  const formerPaths = new Map<string, string[]>();
  const redirects = rows.redirects.flatMap((row): ImportedRedirect[] => {
    const { fields, place } = row;
    const code = textIn(fields, "language_code") || (rows.defaultLang ?? "");
    const [from, to] = [textIn(fields, "from_url"), textIn(fields, "to_url")];
    if (from === "" || to === "") {
      remarks.push({ ...place, message: "A redirect has no address, and is not imported." });
      return [];
    }
    const target = site.pageAt(site.pathOf(code, slashed(to)));
    const isPermanent = own(fields, "permanent") !== false;
    if (target && isPermanent && target.lang === code) {
      const key = `${target.source}\n${code}`;
      formerPaths.set(key, [...(formerPaths.get(key) ?? []), slashed(from)]);
      return [];
    }
    const prefix = (path: string): string => pathHere(code, path, locales);
    const leads = target
      ? sourceLink(target.source, { lang: rowLang(target.lang, locales) })
      : /^https?:\/\//i.test(to)
        ? to
        : prefix(slashed(to));
    return [{ place, from: prefix(slashed(from)), to: leads, status: isPermanent ? 301 : 302 }];
  });
  return { formerPaths, redirects };
}

/** The path in a language of this site. */
const pathHere = (code: string, path: string, locales: CamomillaOptions["locales"]): string => {
  const lang = rowLang(code, locales);
  return lang === locales.default ? path : `/${lang}${path}`;
};

const slashed = (path: string): string => (path.startsWith("/") || /^https?:\/\//i.test(path) ? path : `/${path}`);

/** Pages in the old default language had no prefix; where this site has another, they are elsewhere now. */
function* prefixRedirects(
  rows: CamomillaRows,
  site: OldCamomilla,
  { locales }: CamomillaOptions,
): Generator<ImportedRedirect> {
  const { defaultLang } = rows;
  if (defaultLang === undefined || rowLang(defaultLang, locales) === locales.default) return;
  const lang = rowLang(defaultLang, locales);
  if (!locales.codes.includes(lang)) return;
  const taken = new Set(
    rows.pages.flatMap(({ texts }) =>
      Object.entries(texts).flatMap(([code, text]) =>
        rowLang(code, locales) === locales.default ? textIn(text, "permalink") : [],
      ),
    ),
  );
  for (const row of rows.pages) {
    const permalink = textIn(row.texts[defaultLang] ?? {}, "permalink");
    if (permalink === "" || permalink === "/" || taken.has(permalink)) continue;
    yield { place: row.place, from: site.pathOf(defaultLang, permalink), to: linkTo(sourceOfRow(row), lang) };
  }
}

const linkTo = (source: SourceId, lang: string): string => sourceLink(source, { lang });
