/** Pages that name what is not there, or claim what another page has. */
import { closesCircle, settlePermalinks } from "../../model/addresses.ts";
import { readData, unknownIn } from "../../model/schema.ts";
import { isObject } from "../../model/json.ts";
import { langSuffix, type Locales } from "../../model/locale.ts";
import { readPageChange } from "../../model/page-input.ts";
import { ARTICLE_MODEL, nameOf, PAGE_MODEL, textOf, type Page } from "../../model/page.ts";
import { CmsError } from "../../errors.ts";
import type { Reader } from "../kind.ts";
import { MEDIA } from "../kinds/media.ts";
import { findPageModel } from "../kinds/page-models.ts";
import { TAGS } from "../kinds/tags.ts";
import { flattenErrors } from "../load.ts";
import { hasTarget } from "../models.ts";
import { allPages, findPage, kindOf } from "../page-kinds.ts";
import { pageIndex } from "../page-index.ts";
import type { Finding } from "./finding.ts";

export function* pageFindings(content: Reader, locales: Locales): Generator<Finding> {
  for (const page of allPages(content)) {
    const found = [...references(content, page), ...permalinks(content, page, locales), ...typedData(content, page, locales), ...drafts(page, locales)];
    for (const { path, message } of found) yield { kind: kindOf(page), id: page.id, path, message };
  }
}

type Found = Pick<Finding, "path" | "message">;

function* references(content: Reader, page: Page): Generator<Found> {
  const { parent_page: parent, og_image: image, highlight_image: highlight } = page;
  if (parent !== null && !findPage(content, parent)) yield { path: ["parent_page"], message: `There is no page ${parent}: the page stands at the top instead.` };
  else if (parent !== null && closesCircle(page.id, parent, (id) => findPage(content, id))) yield { path: ["parent_page"], message: "The page is below itself." };
  if (image !== null && !content.find(MEDIA, image)) yield { path: ["og_image"], message: `There is no media item ${image}.` };
  if (highlight !== null && !content.find(MEDIA, highlight)) yield { path: ["highlight_image"], message: `There is no media item ${highlight}.` };
  for (const [at, tag] of page.tags.entries()) if (!content.find(TAGS, tag)) yield { path: ["tags", at], message: `There is no tag ${tag}.` };
  if (page.model !== PAGE_MODEL && page.model !== ARTICLE_MODEL && !findPageModel(content, page.model)) {
    yield { path: ["model"], message: `There is no content/page-models/${page.model}.yaml: the page is served as a plain one.` };
  }
}

function* permalinks(content: Reader, page: Page, locales: Locales): Generator<Found> {
  const index = pageIndex(content);
  const saved = settlePermalinks(page, page, { locales, page: (id) => findPage(content, id), ownerOf: (lang, permalink) => index.byPermalink(lang, permalink)?.id, uuid: () => "" });
  for (const lang of locales.codes) {
    const { permalink, autopermalink } = textOf(page, lang);
    const next = textOf(saved.page, lang).permalink;
    if (!autopermalink || permalink === null || permalink === next || next === null || next.endsWith("/")) continue;
    yield { path: ["translations", lang, "permalink"], message: `The next save makes it ${next}, as the title has it. To keep ${permalink}, add "autopermalink: false".` };
  }
  for (const [at, { language, from }] of page.aliases.entries()) {
    const owner = index.byPermalink(language, from);
    if (owner) yield { path: ["aliases", at], message: `${from} is the permalink of "${nameOf(owner, locales)}" (page ${owner.id}) in ${language}: this redirect never happens.` };
  }
}

/** Data of a custom page model that its schema does not know, or would refuse today. */
function* typedData(content: Reader, page: Page, locales: Locales): Generator<Found> {
  const model = findPageModel(content, page.model);
  if (!model) return;
  for (const [lang, text] of Object.entries(page.translations)) {
    const data = text.template_data;
    if (isObject(data) && Object.keys(data).length === 0) continue;
    const above = ["translations", lang, "template_data"];
    const read = readData(model.schema, data, { locales, exists: hasTarget(content), mode: "stored" });
    if ("errors" in read) for (const { path, message } of flattenErrors({ data: read.errors })) yield { path: [...above, ...path.slice(1)], message };
    if (!isObject(data)) continue;
    for (const path of unknownIn(model.schema, data, locales)) yield { path: [...above, ...path], message: `The page model "${model.name}" knows nothing of "${path.at(-1)}".` };
  }
}

/** Drafts that publishing would refuse. */
function* drafts(page: Page, locales: Locales): Generator<Found> {
  for (const [lang, draft] of Object.entries(page.drafts)) {
    try {
      readPageChange(draft.payload, locales, lang, page.model);
    } catch (error) {
      if (!(error instanceof CmsError)) throw error;
      for (const { path, message } of flattenErrors(error.fields)) yield { path: [], message: `Its draft in ${langSuffix(lang)} cannot be published: ${path.join(".")}: ${message}` };
    }
  }
}
