/**
 * How the record behind a reference is found, model by model (decisions.md 32).
 *
 * A new sort of record that others may point at is a name in `model/model-names.ts`, a row here, and a row in
 * `views/reference.ts`, which says how it is shown. Accounts are no content: nobody finds them here.
 */
import { LINK_TARGET, type Reference } from "../../../model/fields/definition.ts";
import { findBuiltIn, PAGES_APP, type BuiltInModel } from "../../../model/model-names.ts";
import { modelOf, RECORDS, type DeclaredModel } from "../../../model/records.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Id, type Page } from "../../../model/page.ts";
import type { AnyKind, Entity, Reader } from "../record-type.ts";
import { CONTENTS } from "../records/contents.ts";
import { MEDIA } from "../records/media.ts";
import { MEDIA_FOLDERS } from "../records/media-folders.ts";
import { MENUS } from "../records/menus.ts";
import { META_INSTANCES } from "../records/meta-instances.ts";
import { META_TYPES } from "../records/meta-types.ts";
import { ARTICLES, PAGES } from "../records/pages.ts";
import { declaredTypeOf } from "../records/declared.ts";
import { findPage, pageModels } from "./page-models.ts";

/** Accounts live in the private state; a reader of content has none. */
export const ACCOUNT_MODEL = "auth.User" satisfies BuiltInModel;

/** A page reference takes pages of custom models too, as the list of pages shows them. */
const BUILT_IN: Readonly<Record<Exclude<BuiltInModel, typeof ACCOUNT_MODEL | DeclaredModel>, AnyKind>> = {
  "cms.Page": PAGES,
  "cms.Article": ARTICLES,
  "cms.Media": MEDIA,
  "cms.MediaFolder": MEDIA_FOLDERS,
  "cms.Menu": MENUS,
  "cms.Content": CONTENTS,
  "cms.MetaType": META_TYPES,
  "cms.MetaInstance": META_INSTANCES,
};

const KINDS: ReadonlyMap<string, AnyKind> = new Map([
  ...Object.entries(BUILT_IN),
  ...RECORDS.map((of) => [modelOf(of), declaredTypeOf(of)] as const),
]);

/** The model of a page as references name it. */
export const modelOfPage = ({ model }: Pick<Page, "model">): string =>
  model === PAGE_MODEL ? "cms.Page" : model === ARTICLE_MODEL ? "cms.Article" : PAGES_APP + model;

/** A model this site has, as it is spelled; undefined when there is none of that name. */
export function findModel(reader: Reader, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return (
    findBuiltIn(name) ??
    pageModels(reader)
      .map((model) => modelOfPage({ model }))
      .find((model) => model.toLowerCase() === wanted)
  );
}

/** The record a reference names; undefined when it is gone, was never there, or is an account. */
export function findTarget(reader: Reader, { model, id }: Reference): Entity | undefined {
  if (model === LINK_TARGET) return findPage(reader, id);
  const builtIn = findBuiltIn(model);
  if (builtIn === ACCOUNT_MODEL) return undefined;
  const kind = builtIn && KINDS.get(builtIn);
  if (kind) return reader.find<Entity>(kind, id);
  const page = findPage(reader, id);
  return page && modelOfPage(page).toLowerCase() === model.toLowerCase() ? page : undefined;
}

/**
 * Whether what references name is there.
 *
 * @param accounts ids of those there are; without them a reference to an account is taken at its word
 */
export const hasTarget =
  (reader: Reader, accounts?: ReadonlySet<Id>) =>
  (reference: Reference): boolean =>
    reference.model === ACCOUNT_MODEL
      ? (accounts?.has(reference.id) ?? true)
      : findTarget(reader, reference) !== undefined;
