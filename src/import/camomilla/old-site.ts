/** Addresses of a site of camomilla: which of them lead to a page or a file of it. */
import { extensionOf } from "../../model/media/media-type.ts";
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { permalinkOf } from "../../model/address/permalink.ts";
import { replaceAddresses } from "../texts/html-tags.ts";
import type { SourceId } from "../imported-site.ts";
import { oldSite, type OldAddress } from "../sources/old-addresses.ts";
import { sourceLink } from "../texts/source-links.ts";
import { sourceOfRow, textIn, type CamomillaRows, type Row } from "./rows.ts";

export interface OldCamomilla {
  /** The address that a text has in place of another; undefined for one that stays. */
  rewrite(address: string): string | undefined;
  /** A text of HTML, or a mere address, with its addresses replaced. @param onMissing called with those of the site that lead nowhere */
  rewriteText(text: string, onMissing: (address: string) => void): string;
  /** The page at a path; with its language. */
  pageAt(path: string): { readonly source: SourceId; readonly lang: string } | undefined;
  /** The path of a file on its own site, decoded: `/media/photo.jpg`; undefined for one on another host. */
  pathOfFile(row: Row): string | undefined;
  /** The path that a page had in a language, without a final slash. */
  pathOf(lang: string, permalink: string): string;
}

export interface OldSiteOptions {
  /** Absolute addresses at which the site was served, the service and the front end. */
  readonly homes: readonly string[];
  /** Where files of a dump were: `/media/`, or an absolute address. */
  readonly mediaUrl: string;
}

/** In place of the host of a dump, which does not say it. */
const NO_HOME = "http://old.invalid";

export function openOldSite(rows: CamomillaRows, { homes, mediaUrl }: OldSiteOptions): OldCamomilla {
  const sites = (homes.length > 0 ? homes : [NO_HOME]).map(oldSite);
  const locate = (address: string): OldAddress | undefined => {
    for (const site of sites) {
      const at = site.locate(address);
      if (at) return at;
    }
    return undefined;
  };
  const languages = new Map(rows.languages.map((lang) => [lang.toLowerCase(), lang]));
  const pages = new Map<string, { source: SourceId; lang: string }>();
  for (const row of rows.pages)
    for (const [lang, text] of Object.entries(row.texts)) {
      const permalink = textIn(text, "permalink");
      if (permalink !== "") pages.set(`${lang}\n${bare(permalink)}`, { source: sourceOfRow(row), lang });
    }
  const pageAt: OldCamomilla["pageAt"] = (path) => {
    const [, first = "", rest = ""] = /^\/([^/]*)(.*)$/s.exec(path) ?? [];
    const prefix = languages.get(first.toLowerCase());
    const lang = prefix ?? rows.defaultLang ?? "";
    return pages.get(`${lang}\n${bare(prefix === undefined ? path : rest)}`);
  };
  const urlOfFile = (file: string): string => (/^https?:\/\//i.test(file) ? file : joined(mediaUrl, file));
  const files = new Map<string, SourceId>();
  for (const row of rows.media)
    for (const file of filesOf(row.fields)) {
      const url = urlOfFile(file);
      const path = locate(url)?.path;
      if (path !== undefined) files.set(path, sourceOfRow(row));
      files.set(url, sourceOfRow(row));
    }
  const find = (address: string): string | "missing" | undefined => {
    const at = locate(address);
    const file = files.get(address.replace(/[?#].*$/s, "")) ?? (at && files.get(at.path));
    if (file !== undefined) return sourceLink(file);
    if (!at) return undefined;
    const page = pageAt(at.path);
    const query = at.query.size > 0 ? `?${at.query}` : "";
    if (page) return sourceLink(page.source, { lang: page.lang || undefined, tail: query + at.fragment });
    return extensionOf(at.path) === "" && !/^https?:/i.test(address) ? undefined : "missing";
  };
  const rewrite = (address: string): string | undefined => {
    const found = find(address);
    return found === "missing" ? undefined : found;
  };
  return {
    rewrite,
    pageAt,
    rewriteText(text, onMissing) {
      const replace = (address: string): string | undefined => {
        const found = find(address);
        if (found === "missing") onMissing(address);
        return found === "missing" ? undefined : found;
      };
      if (text.includes("<")) return replaceAddresses(text, replace);
      return text.length <= ADDRESS_MAX && /^(?:https?:\/\/|\/)\S*$/i.test(text) ? (rewrite(text) ?? text) : text;
    },
    pathOfFile: (row) => locate(urlOfFile(textIn(row.fields, "file")))?.path,
    pathOf: (lang, permalink) => (lang === rows.defaultLang || lang === "" ? "" : `/${lang}`) + bare(permalink),
  };
}

/** In characters. */
const ADDRESS_MAX = 2000;

const bare = permalinkOf;

const joined = (base: string, path: string): string => `${base.replace(/\/$/, "")}/${path.replace(/^\//, "")}`;

/** The file of an item, and those that were made of it: in texts they stand for it. */
function filesOf(fields: JsonObject): string[] {
  const renditions = own(fields, "renditions");
  const made = Object.values(isObject(renditions) ? renditions : {}).map((each) =>
    isObject(each) ? textIn(each, "path") || textIn(each, "url") : "",
  );
  return [textIn(fields, "file"), textIn(fields, "thumbnail"), ...made].filter((file) => file !== "");
}
