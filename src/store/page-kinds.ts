/** The page models, and the kind that keeps each: what is asked of "a page", whichever its model. */
import { notFound } from "../errors.ts";
import type { Id, Page } from "../model/page.ts";
import type { Kind, Reader } from "./kind.ts";
import { PAGES } from "./kinds/pages.ts";

/** Every kind whose records are pages: served by the routers, with permalinks of one space. */
export const PAGE_KINDS: readonly Kind<Page>[] = [PAGES];

export interface ContentType {
  /** Stable, so that clients may keep it (decisions.md 7). */
  readonly id: number;
  readonly app_label: string;
  readonly model: string;
}

/** Every page model, with its names for people. */
export const CONTENT_TYPES: readonly (ContentType & { readonly name: string; readonly plural: string })[] = [
  { id: 1, app_label: "cms", model: "page", name: "page", plural: "pages" },
];

/** The kind that keeps a page's model. */
export const kindOf = (_page: Page): Kind<Page> => PAGES;

export const contentTypeOf = (_page: Page): ContentType => ({ id: 1, app_label: "cms", model: "page" });

/** The pages of every model. */
export const allPages = (reader: Reader): readonly Page[] => reader.all(PAGES);

/** A page of any model; ids are unique across them (decisions.md 7). */
export const findPage = (reader: Reader, id: Id): Page | undefined => {
  for (const kind of PAGE_KINDS) {
    const page = reader.find(kind, id);
    if (page) return page;
  }
  return undefined;
};

/** @throws CmsError `not_found` */
export function getPage(reader: Reader, id: Id): Page {
  const page = findPage(reader, id);
  if (!page) throw notFound("Page");
  return page;
}
