/** Declared records such as tags, menus and content blocks. */
import { createContent, deleteContents, getOrCreateContent, updateContent } from "../actions/records/contents.ts";
import { createMenu, deleteMenu, findMenu, updateMenu } from "../actions/records/menus.ts";
import { createRecord, deleteRecords, updateRecord } from "../actions/records/records.ts";
import type { Content } from "../model/records/content.ts";
import type { Menu } from "../model/records/menu.ts";
import type { DeclaredRecord, RecordDeclaration } from "../model/records/record.ts";
import { TAG } from "../model/records/tag.ts";
import { CONTENTS } from "../store/records/contents.ts";
import { MENUS } from "../store/records/menus.ts";
import { declaredTypeOf } from "../store/records/declared.ts";
import { CONTENT_LIST, contentPayload } from "../views/records/content.ts";
import { MENU_LIST, menuPayload } from "../views/records/menu.ts";
import { recordList, recordPayload } from "../views/records/record.ts";
import type { SiteContext } from "./context.ts";
import type { ContentInput, MenuInput, TagInput } from "./inputs.ts";
import { langOf, viewOf, type ReadOptions, type WriteOptions } from "./options.ts";
import type { ContentPayload, MenuPayload, TagPayload } from "./payloads.ts";
import { openRecords, writtenPayload, type Records, type WritableSpec } from "./records.ts";

/** Deleting a tag removes it from articles and drafts. */
export type Tags = Records<TagInput, TagPayload>;

export interface Menus extends Records<MenuInput, MenuPayload> {
  /** @throws CmsError `not_found` */
  getByKey(key: string, options?: ReadOptions): Promise<MenuPayload>;
}

export interface Contents extends Records<ContentInput, ContentPayload> {
  /** The block with this identifier on this page, created if there is none. */
  getOrCreate(values: ContentInput, options: WriteOptions): Promise<ContentPayload>;
}

export const declaredSpec = (of: RecordDeclaration): WritableSpec<DeclaredRecord> => ({
  kind: declaredTypeOf(of),
  queryable: recordList(of),
  show: (view, record) => recordPayload(view, of, record),
  create: (ctx, by, values, lang) => createRecord(ctx, by, of, values, lang),
  update: (ctx, by, id, values, { lang }) => updateRecord({ ...ctx, of }, by, id, values, lang),
  remove: (ctx, by, id) => deleteRecords(ctx, by, of, [id]),
  removeMany: (ctx, by, ids) => deleteRecords(ctx, by, of, ids),
});

export const MENU_SPEC: WritableSpec<Menu> = {
  kind: MENUS,
  queryable: MENU_LIST,
  show: (view, menu) => menuPayload(view, menu),
  create: createMenu,
  update: updateMenu,
  remove: deleteMenu,
};

export const CONTENT_SPEC: WritableSpec<Content> = {
  kind: CONTENTS,
  queryable: CONTENT_LIST,
  show: contentPayload,
  create: createContent,
  update: updateContent,
  remove: (ctx, by, id) => deleteContents(ctx, by, [id]),
  removeMany: deleteContents,
};

export const openTags = (ctx: SiteContext): Tags => openRecords(ctx, declaredSpec(TAG));

export const openMenus = (ctx: SiteContext): Menus => ({
  ...openRecords<MenuInput, MenuPayload, Menu>(ctx, MENU_SPEC),
  async getByKey(key, options) {
    const view = viewOf(ctx, "editor", options);
    return menuPayload(view, findMenu(view.content, key)) as MenuPayload;
  },
});

export const openContents = (ctx: SiteContext): Contents => ({
  ...openRecords<ContentInput, ContentPayload, Content>(ctx, CONTENT_SPEC),
  async getOrCreate(values, options) {
    const found = await getOrCreateContent(ctx, options.by, values, langOf(ctx, options.lang));
    return writtenPayload(ctx, CONTENT_SPEC, found, options);
  },
});
