/** Tags, menus and content blocks. */
import { createContent, deleteContents, getOrCreateContent, updateContent } from "../actions/contents.ts";
import { createMenu, deleteMenu, findMenu, updateMenu } from "../actions/menus.ts";
import { createTag, deleteTags, updateTag } from "../actions/tags.ts";
import type { Content } from "../model/content.ts";
import type { Menu } from "../model/menu.ts";
import type { Id } from "../model/page.ts";
import type { Tag } from "../model/tag.ts";
import { CONTENTS } from "../store/content/records/contents.ts";
import { MENUS } from "../store/content/records/menus.ts";
import { TAGS } from "../store/content/records/tags.ts";
import { CONTENT_LIST, contentPayload } from "../views/content.ts";
import { MENU_LIST, menuPayload } from "../views/menu.ts";
import { TAG_LIST, tagPayload } from "../views/tag.ts";
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

export function openTags(ctx: SiteContext): Tags {
  const spec: RecordSpec<Tag> = { kind: TAGS, queryable: TAG_LIST, show: tagPayload };
  return {
    ...readers(ctx, spec),
    create: async (values, options) =>
      writtenPayload(ctx, spec, await createTag(ctx, options.by, values, langOf(ctx, options.lang)), options),
    async update(id, values, options) {
      const by = authorOf(options, TAGS, id);
      return writtenPayload(ctx, spec, await updateTag(ctx, by, id, values, langOf(ctx, options.lang)), options);
    },
    async delete(id, options) {
      ctx.store.current.get(TAGS, id);
      await deleteTags(ctx, authorOf(options, TAGS, id), [id]);
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
