/**
 * Pages and articles on disk: `content/pages/**\/<name>.yaml` (or `.md`), their drafts beside them as
 * `<name>.draft.<lang>.yaml`; articles the same below `content/articles`.
 *
 * Only what differs from its default has a line. A Markdown file's text is `template_data.body` of the default
 * language, an article's `content`.
 */
import { invalid } from "../../errors.ts";
import { readAlias } from "../../model/address/page-permalinks.ts";
import { UNDATED } from "../../model/time/instant.ts";
import { isEmpty, isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";
import { type Lang, type Locales } from "../../model/language/locale.ts";
import {
  ARTICLE_MODEL,
  EMPTY_GLOBALS,
  EMPTY_PAGE,
  EMPTY_TEXT,
  fieldsOf,
  GLOBAL_FIELDS,
  PAGE_MODEL,
  TEXT_FIELDS,
  type Alias,
  type Byline,
  type Page,
  type PageFieldRow,
  type PageSummary,
  type PageText,
} from "../../model/page/page.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import {
  firstHeading,
  hidersOf,
  readFrontMatter,
  writeFrontMatter,
  type FrontMatterForm,
} from "../../model/front-matter/front-matter.ts";
import { fileSlug } from "../../model/address/slug.ts";
import { PERMALINK_MAX } from "../../model/address/generated-permalink.ts";
import { sanitizePermalink } from "../../model/address/permalink.ts";
import type { FileContent } from "../codec/codec.ts";
import { derivedPermalinks } from "./derived/permalinks.ts";
import { freeBase, mainPart, type Base, type Kind, type Nesting, type Part, type UsedPaths } from "./record-type.ts";
import { DRAFT_ORDER, DRAFT_PART, draftData, readDrafts } from "./draft-files.ts";
import { PAGE_SUMMARIES } from "./page-summary.ts";
import { NO_PARENT, visitPage } from "./page-references.ts";
import {
  derivedUuid,
  readFields,
  readId,
  readMoment,
  readTranslations,
  writeFields,
  type FileErrors,
} from "./fields.ts";

/** Above this many records a folder gets a folder for each month, since git rewrites a whole folder a commit. */
const FOLDER_MAX = 500;
const NAME_MAX = 80;
/** In characters, of a title that is taken from a heading. */
const TITLE_MAX = 200;
const MODEL_NAME = /^[a-z][a-z0-9_-]{0,63}$/i;
/** Always written, since an absent identifier is derived. */
const IDENTIFIER = "identifier";

const FILE_ORDER: readonly (readonly string[])[] = [
  [
    "id",
    IDENTIFIER,
    "model",
    ...GLOBAL_FIELDS.map(({ name }) => name).filter((name) => name !== IDENTIFIER),
    "deleted_at",
    "date_created",
    "date_updated_at",
    "aliases",
    "translations",
  ],
  [],
  TEXT_FIELDS.map(({ name }) => name),
];
/** The rows of a model that pass, found once: all models but the article have the same. */
const rowsOf = (isWanted: (row: PageFieldRow) => boolean): ((model: string) => readonly PageFieldRow[]) => {
  const [article, page] = [ARTICLE_MODEL, PAGE_MODEL].map((model) => fieldsOf(GLOBAL_FIELDS, model).filter(isWanted));
  return (model) => (model === ARTICLE_MODEL ? article : page)!;
};
const readGlobals = rowsOf(({ type }) => type !== "account");
const writtenGlobals = rowsOf(({ name }) => name !== IDENTIFIER);

/** A page whose file is in a folder has as its parent the page beside the folder, unless it says which it has. */
const NESTING: Nesting<Page> = {
  isOpen: (summary) => (summary as PageSummary).parent_page === null,
  within: (page, parent) => ({ ...page, parent_page: parent }),
  apart: (page) => ({ ...page, parent_page: NO_PARENT }),
};

/** Plain pages, and those of custom page models. */
export const PAGES: Kind<Page> = pageKind("Page", "content/pages");

/** The built-in article model. */
export const ARTICLES: Kind<Page> = pageKind("Article", "content/articles", ARTICLE_MODEL);

/** @param fixedModel the model of all its records; without it, each file names its model */
function pageKind(name: string, dir: string, fixedModel?: string): Kind<Page> {
  return {
    name,
    dir,
    order: (part) => (DRAFT_PART.test(part) ? DRAFT_ORDER : FILE_ORDER),
    split(path) {
      const match = path.startsWith(`${dir}/`) ? /^(.+?)((?:\.draft\.[A-Za-z0-9-]+)?\.ya?ml|\.md)$/.exec(path) : null;
      return match ? { base: match[1]!, part: match[2]! } : undefined;
    },
    fromFiles: (base, files, locales) => readPage(fixedModel, base, files, locales),
    toFiles: (page, main, locales) => writePage(fixedModel, page, main, locales),
    inOwnForm: (part, data, locales) => inOwnForm(fixedModel, part, data, locales),
    untoldHiders(part, data, locales) {
      const form = formOf(fixedModel, part, locales);
      return form ? hidersOf(data, form).filter(({ isPlain }) => !isPlain) : [];
    },
    inFormOf(part, content, current, locales) {
      const form = formOf(fixedModel, part, locales);
      return form ? { ...content, data: writeFrontMatter(content.data, current, form) } : content;
    },
    newBase: (page, used, locales) => newBase(dir, page, used, locales),
    completion: derivedPermalinks,
    summaries: PAGE_SUMMARIES,
    family: "page",
    visitReferences: visitPage,
    ...(fixedModel === undefined ? { nesting: NESTING } : { above: PAGES.dir }),
  };
}

function readPage(
  fixedModel: string | undefined,
  base: Base,
  files: ReadonlyMap<Part, FileContent>,
  locales: Locales,
): Page {
  const main = mainPart(files.keys());
  if (main === undefined) throw invalid({}, "This draft stands alone: there is no page of that name beside it.");
  const { data: stated, body } = files.get(main)!;
  const data = inOwnForm(fixedModel, main, stated, locales);
  const errors: FileErrors = {};
  const model = fixedModel ?? readModel(data, errors);
  const globals = readFields(readGlobals(model), data, errors, locales);
  const translations = readTexts(model, data, body, locales, errors);
  const stamps = Object.values(translations)
    .flatMap((text) => text.published_at ?? [])
    .sort();
  const created = readMoment(data, "date_created", errors, locales) ?? stamps[0] ?? UNDATED;
  const page: Page = {
    ...EMPTY_PAGE,
    ...globals,
    ...(own(data, "parent_page") === null && isInFolder(base) && { parent_page: NO_PARENT }),
    identifier: globals.identifier === undefined ? derivedUuid(base) : (globals.identifier as string | null),
    id: readId(data, base, errors),
    model,
    author: readByline(data, errors),
    deleted_at: readMoment(data, "deleted_at", errors, locales),
    date_created: created,
    date_updated_at: readMoment(data, "date_updated_at", errors, locales) ?? created,
    aliases: readAliases(data, locales, errors),
    translations,
    drafts: readDrafts(files, locales),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return page;
}

/** How the front matter of a file is read; undefined where it has the keys of a YAML file. */
function formOf(fixedModel: string | undefined, part: Part, locales: Locales): FrontMatterForm | undefined {
  const { frontMatter, default: lang, timeZone: zone } = locales;
  const ownKeys = [...(FILE_ORDER[0] ?? []), "author"];
  return frontMatter && part === ".md"
    ? { ...frontMatter, lang, zone, ownKeys, hasTags: fixedModel === ARTICLE_MODEL }
    : undefined;
}

function inOwnForm(fixedModel: string | undefined, part: Part, data: JsonObject, locales: Locales): JsonObject {
  const form = formOf(fixedModel, part, locales);
  return form ? readFrontMatter(data, form) : data;
}

/** Whether a file is in a folder that a page may be beside: in `content/pages/bread/`, not in `content/pages/`. */
const isInFolder = (base: Base): boolean => base.split("/").length > 3;

function readModel(data: JsonObject, errors: FileErrors): string {
  const model = own(data, "model") ?? PAGE_MODEL;
  if (typeof model === "string" && MODEL_NAME.test(model) && model !== ARTICLE_MODEL) return model;
  errors.model = ["The name of a file below content/page-models is expected; without this line it is a plain page."];
  return PAGE_MODEL;
}

function readByline(data: JsonObject, errors: FileErrors): Byline | null {
  const value = own(data, "author");
  if (value === undefined || value === null) return null;
  const text = (key: string): string =>
    isObject(value) && typeof value[key] === "string" ? (value[key] as string) : "";
  if (isObject(value) && typeof value.id === "number" && text("username") !== "") {
    return { id: value.id, username: text("username"), first_name: text("first_name"), last_name: text("last_name") };
  }
  errors.author = ["A mapping with id and username is expected; first_name and last_name beside them."];
  return null;
}

const NO_TEXTS = "Here the fields of the language are expected (title: ...).";

function readTexts(
  model: string,
  data: JsonObject,
  body: string | undefined,
  locales: Locales,
  errors: FileErrors,
): Record<Lang, PageText> {
  const rows = fieldsOf(TEXT_FIELDS, model);
  const read = (texts: JsonObject, found: FileErrors): PageText => {
    const text = { ...EMPTY_TEXT, ...readFields(rows, texts, found, locales) };
    return { ...text, permalink: text.permalink === null ? null : sanitizePermalink(text.permalink) };
  };
  const translations = readTranslations(data, errors, locales, read, NO_TEXTS);
  if (body === undefined) return translations;
  const stated = translations[locales.default] ?? EMPTY_TEXT;
  const heading = stated.title === null ? firstHeading(body)?.slice(0, TITLE_MAX) : undefined;
  const text = heading === undefined ? stated : { ...stated, title: heading };
  if (model === ARTICLE_MODEL)
    return { ...translations, [locales.default]: { ...text, content: body.replace(/^\n|\n$/g, "") } };
  const fields = isObject(text.template_data) ? text.template_data : {};
  return { ...translations, [locales.default]: { ...text, template_data: { ...fields, body } } };
}

function readAliases(data: JsonObject, locales: Locales, errors: FileErrors): Alias[] {
  const rows = own(data, "aliases");
  if (rows === undefined || rows === null) return [];
  if (!Array.isArray(rows)) {
    errors.aliases = ["A list of former permalinks is expected, each with language and from."];
    return [];
  }
  const tooLong: FileErrors = {};
  const aliases = rows.flatMap((row: Json, at): Alias[] => {
    if (isObject(row) && typeof row.from === "string" && row.from.length > PERMALINK_MAX) {
      tooLong[at] = { from: [`Ensure this field has no more than ${PERMALINK_MAX} characters.`] };
      return [];
    }
    const alias = readAlias(row, locales);
    return alias ? [alias] : [];
  });
  if (Object.keys(tooLong).length > 0) errors.aliases = tooLong;
  return aliases;
}

function writePage(fixedModel: string | undefined, page: Page, main: Part, locales: Locales): Map<Part, FileContent> {
  const asMarkdown = main === ".md";
  const texts = Object.entries(page.translations).sort(
    ([a], [b]) => locales.codes.indexOf(a) - locales.codes.indexOf(b),
  );
  let body: string | undefined;
  const translations = texts.flatMap(([lang, text]): [string, Json][] => {
    let stored = text;
    if (asMarkdown && page.model === ARTICLE_MODEL && lang === locales.default) {
      // A line break at either end of a body is not part of the content.
      body = text.content === "" ? "" : `${text.content.startsWith("\n") ? "\n" : ""}${text.content}\n`;
      stored = { ...text, content: "" };
    } else if (
      asMarkdown &&
      lang === locales.default &&
      isObject(text.template_data) &&
      typeof text.template_data.body === "string"
    ) {
      body = text.template_data.body;
      stored = {
        ...text,
        template_data: Object.fromEntries(Object.entries(text.template_data).filter(([key]) => key !== "body")),
      };
    }
    const fields = writeFields(fieldsOf(TEXT_FIELDS, page.model), stored, EMPTY_TEXT);
    return isEmpty(fields) ? [] : [[lang, fields]];
  });
  const hasNoParent = page.parent_page === NO_PARENT;
  // An explicit null must be written, since an absent identifier is derived.
  const data: Record<string, Json> = { id: page.id, identifier: page.identifier };
  if (fixedModel === undefined && page.model !== PAGE_MODEL) data.model = page.model;
  const stated = hasNoParent ? { ...page, parent_page: undefined } : page;
  Object.assign(data, writeFields(writtenGlobals(page.model), stated, EMPTY_GLOBALS));
  if (hasNoParent) data[PARENT_FIELD] = null;
  if (page.deleted_at) data.deleted_at = page.deleted_at;
  data.date_created = page.date_created;
  data.date_updated_at = page.date_updated_at;
  if (page.aliases.length > 0) data.aliases = page.aliases.map(({ language, from }) => ({ language, from }));
  if (translations.length > 0) data.translations = Object.fromEntries(translations);
  const files = new Map<Part, FileContent>([[main, asMarkdown ? { data, body: body ?? "" } : { data }]]);
  for (const [lang, draft] of Object.entries(page.drafts))
    files.set(`.draft.${lang}.yaml`, { data: draftData(lang, draft) });
  return files;
}

/** Below the parent page's folder, named after the title; a month's folder once a folder is full. */
function newBase(dir: string, page: Page, used: UsedPaths, locales: Locales): Base {
  const folder = page.parent_page === null ? dir : (used.baseOf(page.parent_page) ?? dir);
  const titles = [locales.default, ...locales.codes].map((lang) => page.translations[lang]?.title ?? "");
  const name = titles.map((title) => fileSlug(title, NAME_MAX)).find((slug) => slug !== "");
  const month = used.count(folder) >= FOLDER_MAX ? `${folder}/${page.date_created.slice(0, 7)}` : folder;
  // A page beside a folder becomes the parent of the pages in it that name none.
  const isTaken = (base: Base): boolean => used.taken(base) || used.count(base) > 0;
  return freeBase(month, name ?? `page-${page.id}`, { ...used, taken: isTaken });
}
