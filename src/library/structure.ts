/** Tags, menus and content blocks. */
import { createContent, deleteContents, getOrCreateContent, updateContent } from "../actions/contents.ts";
import { createMenu, deleteMenu, findMenu, updateMenu } from "../actions/menus.ts";
import { createRecord, deleteRecords, updateRecord } from "../actions/records.ts";
import type { Content } from "../model/content.ts";
import type { Menu } from "../model/menu.ts";
import type { Id } from "../model/page.ts";
import type { DeclaredRecord, RecordDeclaration } from "../model/record.ts";
import { CONTENTS } from "../store/content/records/contents.ts";
import { MENUS } from "../store/content/records/menus.ts";
import { declaredTypeOf } from "../store/content/records/declared.ts";
import { CONTENT_LIST, contentPayload } from "../views/content.ts";
import { MENU_LIST, menuPayload } from "../views/menu.ts";
import { recordList, recordPayload } from "../views/record.ts";
import type { Payload, View } from "../views/view.ts";
import type { SiteContext } from "./context.ts";
import type { ContentInput, MenuInput, TagInput } from "./inputs.ts";
import { authorOf, langOf, viewOf, type ReadOptions, type WriteOptions } from "./options.ts";
import type { ContentPayload, MenuPayload, TagPayload } from "./payloads.ts";
import { readers, writtenPayload, type Readers, type RecordSpec } from "./records.ts";

/**
 * Reads and writes of one kind of record; each write is one commit.
 *
 * Every method with an id throws CmsError `not_found`, every write `invalid` with messages by field, `stale` for an old
 * `options.version`, and `unavailable` while the repository cannot be written.
 */
export interface Records<Input, P> extends Readers<P> {
  create(values: Input, options: WriteOptions): Promise<P>;
  /** Changes the values that are given. */
  update(id: Id, values: Input, options: WriteOptions): Promise<P>;
  delete(id: Id, options: WriteOptions): Promise<void>;
}

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

/** Records of a declared kind. @typeParam P what `recordPayload` returns for the declaration */
export function openRecords<Input, P extends Payload>(ctx: SiteContext, of: RecordDeclaration): Records<Input, P> {
  const kind = declaredTypeOf(of);
  const show = (view: View, record: DeclaredRecord): Payload => recordPayload(view, of, record);
  const spec: RecordSpec<DeclaredRecord> = { kind, queryable: recordList(of), show };
  return {
    ...readers<DeclaredRecord, P>(ctx, spec),
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createRecord(ctx, options.by, of, values, langOf(ctx, options.lang)), options),
    async update(id, values, options) {
      const by = authorOf(options, kind, id);
      const changed = await updateRecord(ctx, by, of, id, values, langOf(ctx, options.lang));
      return writtenPayload(ctx, spec, changed, options);
    },
    async delete(id, options) {
      ctx.store.current.get(kind, id);
      await deleteRecords(ctx, authorOf(options, kind, id), of, [id]);
    },
  };
}

export function openMenus(ctx: SiteContext): Menus {
  const spec: RecordSpec<Menu> = { kind: MENUS, queryable: MENU_LIST, show: (view, menu) => menuPayload(view, menu) };
  return {
    ...readers(ctx, spec),
    async getByKey(key, options) {
      const view = viewOf(ctx, "editor", options);
      return menuPayload(view, findMenu(view.content, key)) as MenuPayload;
    },
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createMenu(ctx, options.by, values, langOf(ctx, options.lang)), options),
    async update(id, values, options) {
      const by = authorOf(options, MENUS, id);
      return writtenPayload(ctx, spec, await updateMenu(ctx, by, id, values, langOf(ctx, options.lang)), options);
    },
    async delete(id, options) {
      await deleteMenu(ctx, authorOf(options, MENUS, id), id);
    },
  };
}

export function openContents(ctx: SiteContext): Contents {
  const spec: RecordSpec<Content> = { kind: CONTENTS, queryable: CONTENT_LIST, show: contentPayload };
  return {
    ...readers(ctx, spec),
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createContent(ctx, options.by, values, langOf(ctx, options.lang)), options),
    getOrCreate: async (values, options) =>
      writtenPayload(ctx, spec, await getOrCreateContent(ctx, options.by, values, langOf(ctx, options.lang)), options),
    async update(id, values, options) {
      const by = authorOf(options, CONTENTS, id);
      return writtenPayload(ctx, spec, await updateContent(ctx, by, id, values, langOf(ctx, options.lang)), options);
    },
    async delete(id, options) {
      ctx.store.current.get(CONTENTS, id);
      await deleteContents(ctx, authorOf(options, CONTENTS, id), [id]);
    },
  };
}
