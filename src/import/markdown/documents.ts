/** The files of content of a source, read and placed. */
import { setImmediate } from "node:timers/promises";
import { isList, mergeJson, own, type JsonObject } from "../../model/input/json.ts";
import { foreignMoment, offsetsOf, shownMoment, type Offsets } from "../../model/front-matter/foreign-moment.ts";
import { instantOf, msOf, type Instant } from "../../model/time/instant.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { TimeZone } from "../../model/time/time-zone.ts";
import { GENERATORS, hiddenBy, type Generator } from "../../model/front-matter/foreign-visibility.ts";
import { firstHeading } from "../../model/front-matter/front-matter.ts";
import type { Remark } from "../imported-site.ts";
import { langIn, withoutLang, type Address, type ContentPlace, type Dialect } from "./generators/dialect.ts";
import { textOfFile } from "./document-text.ts";
import { DATES, UPDATES, readEntryFields, type EntryFields } from "./fields.ts";
import { fieldText } from "./field-values.ts";
import { splitFile, type SplitFile } from "./front-matter.ts";
import { shownText, type TemplateLanguage } from "./template-tags.ts";
import { isMarkdown, basePart, readText, stemOf, type SourcePath, type SourceTree } from "./source-tree.ts";

/** A file of content. */
export interface Document extends ContentPlace {
  readonly path: SourcePath;
  readonly lang: Lang;
  readonly title: string;
  readonly data: JsonObject;
  readonly fields: EntryFields;
  readonly body: string;
  /** 1-based line of the file at which `body` begins. */
  readonly bodyLine: number;
  /** Path at which it was served, with its language where it had one: `/it/posts/a/`. */
  readonly served: string;
  /** The same without the language: `/posts/a/`. */
  readonly address: string;
  /** Since when it is public; undefined: it is a draft. */
  readonly published: Instant | "undated" | undefined;
  readonly offsets: Offsets;
  /** Where it leads, if it does nothing else: it is a redirect. */
  readonly redirectTo: string | undefined;
  /** Whether it is a page of a template: it has a title and an address, and code instead of a text. */
  readonly isTemplate: boolean;
}

const NO_PAGE = "It was no page of the old site: it is not imported.";

/** How many files are read in one turn of the event loop. */
const AT_ONCE = 32;

export async function readDocuments(
  tree: SourceTree,
  reading: Reading,
  onStep: (done: number, of: number, label: string) => void,
): Promise<Document[]> {
  const { dialect, remark } = reading;
  const files = tree.paths.flatMap((path) => {
    const place = dialect.placeOf(path);
    if (place) return [{ path, place, isTemplate: false }];
    if (dialect.isTemplatePage?.(path)) return [{ path, place: templatePlace(path, dialect), isTemplate: true }];
    const message = messageOnOther(path, dialect);
    if (message !== undefined) remark({ file: path, message });
    return [];
  });
  const documents: Document[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const part = files.slice(at, at + AT_ONCE);
    onStep(at, files.length, part[0]!.path);
    for (const { path, place, isTemplate } of part) {
      // A small file is read in a fifth of the time that a round trip to the thread pool takes.
      const { text, guessed } = readText(tree, path);
      if (guessed !== undefined)
        remark({ file: path, message: `This is not UTF-8: it was read as ${guessed}. Check its letters.` });
      const split = splitFile(text, path, generatorOf(dialect));
      for (const each of (split.trouble ? undefined : dialect.textsIn?.(path, split)) ?? [split]) {
        const file = { path, place: "lang" in each ? { ...place, lang: each.lang } : place, text, split: each };
        const document = documentOf(file, isTemplate, reading);
        if (document) documents.push(document);
      }
    }
    await setImmediate();
  }
  return documents;
}

/** What is told of a file that no page is made of; undefined for one that belongs to the look of a site, or is a picture or file. */
function messageOnOther(path: SourcePath, dialect: Dialect): string | undefined {
  if (isMarkdown(path)) return NO_PAGE;
  if (OTHER_MARKUP.test(path)) return "It is no Markdown: it is not imported.";
  const address = /\.x?html?$/i.test(path) ? dialect.fileAddress(path) : undefined;
  return address && `It was served at ${address} as it is: it is not imported. Copy it into static/.`;
}

const OTHER_MARKUP = /\.(?:org|adoc|asciidoc|ad|rst|pandoc|pdc|rmd|textile)$/i;

/** Pages of templates are where their paths say, below the folder of the pages. */
function templatePlace(path: SourcePath, { pagesFolder }: Dialect): ContentPlace {
  const rest =
    pagesFolder === undefined ? path.replace(/^src\/(?:pages\/)?|^content\//, "") : path.slice(pagesFolder.length);
  const folders = rest.split("/").slice(0, -1);
  const stem = stemOf(rest);
  const isIndex = stem === "index";
  const place = { lang: undefined, langFolder: "", langSuffix: "", key: `template/${rest}`, folders };
  return { ...place, isIndex, slug: isIndex ? "" : stem };
}

export interface Reading {
  readonly dialect: Dialect;
  readonly zone: TimeZone;
  /** What is later is not public yet. */
  readonly now: Instant;
  readonly remark: (remark: Remark) => void;
}

/** A file, or what one has in a language. */
interface ReadFile {
  readonly path: SourcePath;
  readonly place: ContentPlace;
  readonly text: string;
  readonly split: SplitFile;
}

function documentOf(file: ReadFile, isTemplate: boolean, reading: Reading): Document | undefined {
  const { path, place, text, split } = file;
  const { dialect, zone, remark } = reading;
  if (!split.hasFrontMatter && !dialect.takesPlainFiles && dialect.takesPlainFile?.(place) !== true) {
    const message = messageOnOther(path, dialect);
    if (message !== undefined) remark({ file: path, message });
    return undefined;
  }
  const leaveOut = (message: string): undefined => void (isTemplate && remark({ file: path, line: 1, message }));
  if (isTemplate && !split.hasFrontMatter && dialect.name !== "astro")
    return leaveOut("It is a template without front matter: it is not imported.");
  const stated = isTemplate && dialect.name === "astro" ? {} : split.data;
  const read = dialect.withKnownKeys?.(stated, path) ?? stated;
  const defaults = dialect.defaultsFor?.(path);
  const data = defaults ? merged(defaults, read) : read;
  if (isTemplate && (own(data, "pagination") !== undefined || own(data, "layout") === "feed"))
    return leaveOut("It is a template that makes pages or a feed: it is not imported.");
  const fields = readEntryFields(data, zone, place.date);
  const title =
    fields.texts.title ?? (isTemplate ? undefined : firstHeading(split.body)) ?? (titleFromName(place, path) || "Home");
  for (const [field, message] of fields.remarks) remark({ file: path, line: lineOfField(text, field), message });
  const { langs, defaultLang, basePath } = dialect.config;
  const named = fieldText(own(data, "lang") ?? own(data, "language") ?? own(data, "locale"));
  const known = place.lang ?? (named === undefined ? undefined : langIn(named, langs));
  const localDate = localDateOf(fields.date, data, reading);
  // The keys of a literal before those of a spread object: V8 adds them in a twentieth of the time.
  const located = { path, data, title, localDate, ...place, lang: known ?? defaultLang };
  const address = dialect.addressOf(located);
  const served = withoutBase(address.path, basePath);
  // A page whose own address begins with a language is in that language.
  const lang = known ?? langIn(served.split("/")[1]!, langs) ?? defaultLang;
  if (address.remark !== undefined)
    remark({ file: path, line: lineOfField(text, "permalink"), message: address.remark });
  if (isTemplate && isFile(served)) return leaveOut(`It is a template that makes ${served}: it is not imported.`);
  if (isTemplate)
    remark({ file: path, line: 1, message: "It is a template: only its title and its address are imported." });
  const redirectTo = redirectOf(data, dialect);
  const templates = isTemplate ? undefined : dialect.templatesIn?.(data);
  if (redirectTo !== undefined)
    remark({
      file: path,
      line: lineOfField(text, "redirect_to"),
      message: `It leads to ${redirectTo}: it is a redirect.`,
    });
  return {
    path,
    title,
    data,
    fields,
    offsets: offsetsOf([place.date, ...[...DATES, ...UPDATES].map((name) => own(data, name))], zone),
    published: publishedOf({ ...file, own: read, data, fields, address, templates }, reading),
    served,
    address: address.unprefixed ?? withoutLang(served, lang),
    isTemplate,
    redirectTo,
    ...(isTemplate ? { body: "", bodyLine: 1 } : textOfFile(path, split, templates, reading)),
    ...place,
    lang,
  };
}

/** Hugo shows a date in addresses as it is written, the others in the zone of the site. */
function localDateOf(
  published: Instant | undefined,
  data: JsonObject,
  { dialect, zone }: Reading,
): Instant | undefined {
  const [written = null] = (dialect.addressDates ?? []).flatMap((name) => {
    const value = own(data, name);
    return value === undefined || foreignMoment(value, zone) === undefined ? [] : [value];
  });
  const date = written === null ? published : foreignMoment(written, zone);
  return date && (shownMoment(written) ?? instantOf(msOf(date) + zone.offsetAt(msOf(date)) * 60_000));
}

/** `redirect_to` of the plugin jekyll-redirect-from; a list has one. */
function redirectOf(data: JsonObject, { name }: Dialect): string | undefined {
  const value = own(data, "redirect_to");
  const [first] = isList(value) ? value : [value];
  const to = fieldText(first);
  return name !== "jekyll" || to === undefined || !/^(?:\/|https?:)/i.test(to) ? undefined : to;
}

/** Decap does not say which generator it stands beside. */
const generatorOf = ({ name }: Dialect): Generator => GENERATORS.find((each) => each === name) ?? "plain";

interface Judged extends ReadFile {
  /** The front matter of the file alone. */
  readonly own: JsonObject;
  readonly data: JsonObject;
  readonly fields: EntryFields;
  readonly address: Address;
  readonly templates: TemplateLanguage | undefined;
}

/** Every reason for which a document is no public page is told. */
function publishedOf(
  { path, text, place, split, own: stated, data, fields, address, templates }: Judged,
  { dialect, zone, now, remark }: Reading,
): Document["published"] {
  const { trouble } = split;
  const reasons = hiddenBy(data, { generator: generatorOf(dialect), dates: DATES, zone, now });
  if (trouble) remark({ file: path, ...trouble });
  if (place.hidden !== undefined) remark({ file: path, line: 1, message: place.hidden });
  for (const { key, message, isPlain } of reasons)
    if ((!isPlain || own(stated, key) === undefined) && (address.remark === undefined || key !== "permalink"))
      remark({ file: path, line: lineOfField(text, key), message: `${key}: ${message}` });
  const condition = templates && shownText(split.body, templates).condition;
  if (condition)
    remark({
      file: path,
      line: split.bodyLine + condition.line,
      message: `What it shows depends on ${condition.tag}, which is not run: it is a draft.`,
    });
  if (trouble || place.hidden !== undefined || reasons.length > 0 || address.isHidden || condition) return undefined;
  const { date } = fields;
  if (date === undefined || date <= now) return date ?? "undated";
  if (dialect.showsFuture?.(place)) return "undated";
  remark({
    file: path,
    line: lineOfField(text, "date"),
    message: `Its date is in the future: it is scheduled for ${date}.`,
  });
  return date;
}

/** Values of lists add up, as the tags that a folder and a file have. */
const merged = (defaults: JsonObject, data: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(mergeJson(defaults, data) as JsonObject).map(([key, value]) => {
      const [above, below] = [own(defaults, key), own(data, key)];
      if (key !== "tags" || above === undefined || below === undefined) return [key, value];
      return [key, [...(isList(above) ? above : [above]), ...(isList(below) ? below : [below])]];
    }),
  );

const withoutBase = (path: string, base: string): string =>
  base !== "" && path.startsWith(`${base}/`) ? path.slice(base.length) : path;

/** `/feed.xml` and the like are made, not written. */
const isFile = (address: string): boolean => /\.(?:xml|txt|json|js|css|webmanifest)\/?$/i.test(address);

/** `my-first-post` -> `My first post`. */
export const titleFromName = ({ slug, folders }: Pick<ContentPlace, "slug" | "folders">, path: SourcePath): string => {
  const name = (slug || folders.at(-1) || (isMarkdown(path) ? "" : stemOf(basePart(path))))
    .replace(/[-_]+/g, " ")
    .trim();
  return name === "index" ? "" : name.charAt(0).toUpperCase() + name.slice(1);
};

/** The line of a field at the top of front matter; 1 where it is not found. */
function lineOfField(text: string, field: string): number {
  const at = text
    .split("\n", 200)
    .findIndex((line) => line.startsWith(field) || line.trimStart().startsWith(`"${field}"`));
  return at < 0 ? 1 : at + 1;
}

/** A post by its place, or a document with a date in a section; every other one is a page. */
export const isArticle = (document: Document): boolean =>
  !document.isIndex &&
  !document.isTemplate &&
  (document.isPost === true || (document.fields.date !== undefined && document.folders.length > 0));
