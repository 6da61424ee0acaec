/**
 * Finds the targets of references, with one row for each model.
 *
 * A new kind of target needs a name in `model/records/model-names.ts`, a row here, and a row in `views/records/reference.ts` for its
 * payload. Accounts are not content, so they are not found here.
 */
import { LINK_TARGET, type FieldTarget, type Reference } from "../../../model/fields/definition.ts";
import { findBuiltIn, PAGES_APP, type BuiltInModel } from "../../../model/records/model-names.ts";
import { modelOf, RECORDS, type DeclaredModel } from "../../../model/records/records.ts";
import type { MetaInstance } from "../../../model/records/meta.ts";
import { ARTICLE_MODEL, PAGE_MODEL, type Id, type Page, type PageSummary } from "../../../model/page/page.ts";
import type { AnyKind, Entity, Reader } from "../../records/record-type.ts";
import { CONTENTS } from "../../records/contents.ts";
import { MEDIA } from "../../records/media/media.ts";
import { MEDIA_FOLDERS } from "../../records/media/media-folders.ts";
import { MENUS } from "../../records/menus.ts";
import { META_INSTANCES } from "../../records/meta-instances.ts";
import { META_TYPES } from "../../records/meta-types.ts";
import { ARTICLES, PAGES } from "../../records/pages.ts";
import { declaredTypeOf } from "../../records/declared.ts";
import { findTypeByKey, typeOf } from "./meta-index.ts";
import { addressesAbove, addressesOf, allSummaries, findPage, PAGE_KINDS, pageModels } from "./pages-by-model.ts";

/** Accounts are private state; a reader of content has none. */
export const ACCOUNT_MODEL = "auth.User" satisfies BuiltInModel;

/** A reference to `cms.Page` also accepts pages of custom models, as the list of pages has them. */
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

/** The name of the model of a page in references. */
export const modelOfPage = ({ model }: Pick<Page, "model">): string =>
  model === PAGE_MODEL ? "cms.Page" : model === ARTICLE_MODEL ? "cms.Article" : PAGES_APP + model;

/** The canonical name of a model of this site; undefined when there is none. */
export function findModel(reader: Reader, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return (
    findBuiltIn(name) ??
    pageModels(reader)
      .map((model) => modelOfPage({ model }))
      .find((model) => model.toLowerCase() === wanted)
  );
}

/** The kinds that have the records of a model; none for accounts. */
export function kindsOfModel(model: string): readonly AnyKind[] {
  const kind = KINDS.get(findBuiltIn(model) ?? "");
  if (kind) return [kind];
  return model === LINK_TARGET ? PAGE_KINDS : model.toLowerCase().startsWith(PAGES_APP) ? [PAGES] : [];
}

/** The target of a reference; undefined when it does not exist, or is an account. */
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
 * Returns a test whether the target of a reference exists.
 *
 * @param accounts ids of all accounts; without them every reference to an account is accepted
 */
export const hasTarget =
  (reader: Reader, accounts?: ReadonlySet<Id>) =>
  (reference: Reference): boolean =>
    reference.model === ACCOUNT_MODEL
      ? (accounts?.has(reference.id) ?? true)
      : isWithin(reader, findTarget(reader, reference), reference);

/** Whether a record is what the target of a reference must be. */
function isWithin(reader: Reader, record: Entity | undefined, { target }: Reference): boolean {
  if (!record || !target) return record !== undefined;
  const { below, meta_type: key } = target;
  if (key !== undefined && typeOf(reader, record as MetaInstance)?.key !== key) return false;
  return below === undefined || addressesAbove(reader, record as Page).includes(below);
}

/** What in the target of a field the site does not have; undefined for nothing. */
export function missingIn(reader: Reader, { below, meta_type: key }: FieldTarget): string | undefined {
  if (key !== undefined && !findTypeByKey(reader, key)) return `There is no meta type with the key "${key}".`;
  const isPage = (page: PageSummary): boolean => addressesOf(page).includes(below!);
  return below === undefined || allSummaries(reader).some(isPage) ? undefined : `There is no page at "${below}".`;
}
