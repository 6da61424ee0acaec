/** Pages with missing references, contested permalinks, or data and drafts that no longer fit. */
import { createsCycle, unnumberedPermalink, settlePermalinks } from "../../model/address/page-permalinks.ts";
import { readData, unknownIn, unknownMessage } from "../../model/records/schema.ts";
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { langSuffix, type Lang, type Locales } from "../../model/language/locale.ts";
import { addressError } from "../../model/address/possible-names.ts";
import { hasLongSegment } from "../../model/address/permalink.ts";
import { SEGMENT_BYTES_MAX } from "../../model/address/slug.ts";
import { readPageChange } from "../../model/page/page-input.ts";
import { modelLabel } from "../../model/records/model-names.ts";
import { PARENT_FIELD } from "../../model/page/page-model.ts";
import { ARTICLE_MODEL, globalsOf, nameOf, PAGE_MODEL, textOf, type Id, type Page } from "../../model/page/page.ts";
import { CmsError, flattenErrors } from "../../errors.ts";
import type { Reader } from "../records/record-type.ts";
import { findPageModel } from "../records/page-models.ts";
import { allPages, findPage, findParent, kindOf } from "../content/indexes/pages-by-model.ts";
import { findTarget } from "../content/indexes/references.ts";
import { pageIndex } from "../content/indexes/page-index.ts";
import type { Snapshot } from "../snapshot.ts";
import type { KeyPath } from "../codec/codec.ts";
import type { Finding } from "./finding.ts";
import { danglingIn, type FoundLink } from "./links.ts";
import { dataErrors } from "./meta.ts";

export function* pageFindings(content: Snapshot, locales: Locales): Generator<Finding> {
  for (const page of allPages(content)) {
    const found = [
      ["missing-reference", references(content, page)],
      ["permalink", permalinks(content, page, locales)],
      ["permalink", derivedPermalinks(content, page, locales)],
      ["invalid-data", typedData(content, page, locales)],
      ["draft", drafts(page, locales)],
    ] as const;
    for (const [rule, findings] of found)
      for (const each of findings) yield { kind: kindOf(page), id: page.id, rule, ...each };
  }
}

function* references(content: Reader, page: Page): Generator<FoundLink> {
  const { parent_page: parent } = page;
  if (parent !== null && !findPage(content, parent))
    yield {
      path: ["parent_page"],
      severity: "warning",
      message: `There is no page ${parent}: the page is at the top level instead.`,
    };
  else if (parent !== null && !findParent(content, parent, page))
    yield {
      path: ["parent_page"],
      message: `Page ${parent} is an article, which no page may be below: the page is at the top level instead.`,
    };
  else if (parent !== null && createsCycle(page.id, parent, (id) => findPage(content, id)))
    yield { path: ["parent_page"], message: "The page is its own ancestor." };
  for (const [{ name, target: model }, value] of globalsOf(page)) {
    if (model === undefined || name === PARENT_FIELD) continue;
    for (const [at, id] of [value].flat().entries())
      if (typeof id === "number" && !findTarget(content, { model, id }))
        yield {
          path: Array.isArray(value) ? [name, at] : [name],
          severity: "warning",
          message: `There is no ${modelLabel(model)} ${id}.`,
        };
  }
  if (page.model !== PAGE_MODEL && page.model !== ARTICLE_MODEL && !findPageModel(content, page.model)) {
    yield {
      path: ["model"],
      message: `There is no content/page-models/${page.model}.yaml: the page is served as a plain one.`,
    };
  }
}

function* permalinks(content: Reader, page: Page, locales: Locales): Generator<FoundLink> {
  const index = pageIndex(content);
  for (const lang of locales.codes) {
    const { permalink } = textOf(page, lang);
    const impossible = permalink === null ? undefined : addressError(locales, lang, permalink);
    if (impossible !== undefined)
      yield { path: ["translations", lang, "permalink"], message: `${impossible} No page is shown at ${permalink}.` };
    else if (permalink !== null && hasLongSegment(permalink)) {
      const message = `A part of this path has more than ${SEGMENT_BYTES_MAX} bytes: some systems may have no folder for it.`;
      yield { path: ["translations", lang, "permalink"], message };
    }
  }
  const saved = settlePermalinks(page, page, {
    locales,
    now: page.date_updated_at,
    page: (id) => findPage(content, id),
    ownerOf: (lang, permalink) => index.byPermalink(lang, permalink)?.id,
    uuid: () => "",
  });
  for (const lang of locales.codes) {
    const { permalink, autopermalink } = textOf(page, lang);
    const next = textOf(saved.page, lang).permalink;
    if (!autopermalink || permalink === null || permalink === next || next === null || next.endsWith("/")) continue;
    const keep = `To keep ${permalink}, add "autopermalink: false".`;
    yield {
      path: ["translations", lang, "permalink"],
      severity: "warning",
      message: `A save through the API would change this permalink to ${next}, which follows the title. ${keep}`,
    };
  }
  for (const [at, { language, from }] of page.aliases.entries()) {
    const owner = index.byPermalink(language, from);
    if (owner && owner.id !== page.id)
      yield {
        path: ["aliases", at],
        message: `${from} is the permalink of "${nameOf(owner, locales)}" (page ${owner.id}) in ${language}: this redirect is never used.`,
      };
  }
}

/** Derived permalinks with a number, because the plain one is taken or reserved. */
function* derivedPermalinks(content: Snapshot, page: Page, locales: Locales): Generator<FoundLink> {
  const { byBase, byId } = content.table(kindOf(page));
  const written = byBase.get(byId.get(page.id)?.base ?? "")?.record as Page | undefined;
  if (!written || written === page) return;
  const index = pageIndex(content);
  const site = { locales, page: (id: Id) => findPage(content, id) };
  for (const lang of locales.codes) {
    if (textOf(written, lang).permalink !== null) continue;
    const { permalink } = textOf(page, lang);
    const plain = unnumberedPermalink(page, lang, site);
    if (permalink === null || plain === undefined || plain === permalink) continue;
    const owner = index.byPermalink(lang, plain);
    const reason = owner ? `belongs to "${nameOf(owner, locales)}" (page ${owner.id})` : "is reserved";
    const advice = 'Give it another title, or a permalink with "autopermalink: false".';
    yield {
      path: ["translations", lang],
      severity: "warning",
      message: `${plain} ${reason}, so this page is at ${permalink}. ${advice}`,
    };
  }
}

/** Data of custom page models that is unknown to their schema or invalid. */
function* typedData(content: Reader, page: Page, locales: Locales): Generator<FoundLink> {
  const model = findPageModel(content, page.model);
  if (!model) return;
  for (const [lang, text] of Object.entries(page.translations)) {
    const data = text.template_data;
    if (isObject(data) && Object.keys(data).length === 0) continue;
    const above = ["translations", lang, "template_data"];
    const read = readData(model.schema, data, { locales, mode: "stored" });
    if ("errors" in read)
      for (const { path, message } of dataErrors(model.schema, data, read.errors))
        yield { path: [...above, ...path], message };
    else yield* danglingIn(content, model.schema, read.data, above);
    if (!isObject(data)) continue;
    for (const unknown of unknownIn(model.schema, data, locales))
      yield { path: [...above, ...unknown.path], message: unknownMessage(unknown, `The page model "${model.name}"`) };
  }
}

/** Drafts that publishing would refuse. */
function* drafts(page: Page, locales: Locales): Generator<FoundLink> {
  for (const [lang, draft] of Object.entries(page.drafts)) {
    try {
      readPageChange(draft.payload, locales, lang, page.model);
    } catch (error) {
      if (!(error instanceof CmsError)) throw error;
      for (const { path, message } of flattenErrors(error.fields))
        yield {
          draft: lang,
          path: ["payload", ...pathInPayload(draft.payload, path, lang)],
          message: `The draft cannot be published: ${message}`,
        };
    }
  }
}

/** The key path as the file has it. @param path as in an error, where the first key may end with the language */
function pathInPayload(payload: JsonObject, path: KeyPath, lang: Lang): KeyPath {
  const [first, ...rest] = path;
  const suffix = `_${langSuffix(lang)}`;
  if (typeof first !== "string" || own(payload, first) !== undefined || !first.endsWith(suffix)) return path;
  return [first.slice(0, -suffix.length), ...rest];
}
