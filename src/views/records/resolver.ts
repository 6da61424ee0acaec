/** Resolves references and links for one reader. */
import { LINK_TARGET, type Reference, type Resolver } from "../../model/fields/definition.ts";
import type { Content } from "../../model/records/content.ts";
import { readLink } from "../../model/address/link.ts";
import type { Media } from "../../model/media/media.ts";
import type { Page } from "../../model/page/page.ts";
import { findBuiltIn } from "../../model/records/model-names.ts";
import type { Entity } from "../../store/records/record-type.ts";
import { ACCOUNT_MODEL, findTarget } from "../../store/content/indexes/references.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { linkPayload } from "./link.ts";
import { mayShow, type View } from "../view.ts";

/**
 * The resolver for the data of a nested record: links are resolved and references stay ids, so that cyclic references
 * cannot make a payload infinite.
 */
export const nestedResolver = (view: View): Resolver => ({
  reference: (model, id) => (visibleTarget(view, { model, id }) ? id : null),
  link(sent) {
    const link = readLink(sent);
    return link && linkPayload(view, link);
  },
  isPublic: view.surface === "public",
});

/** The target of a reference; undefined when it does not exist, or is hidden from this reader. */
export function visibleTarget(view: View, reference: Reference): Entity | undefined {
  const { model, id } = reference;
  // Without accounts in the view, an editor is shown the id unchecked, so that the payload can be written back.
  if (model === ACCOUNT_MODEL)
    return view.accounts
      ? view.accounts.find((account) => account.id === id)
      : view.surface === "public"
        ? undefined
        : { id };
  const target = findTarget(view.content, reference);
  if (view.surface !== "editor" && findBuiltIn(model) === "cms.Media" && (target as Media | undefined)?.deleted_at)
    return undefined;
  const page = target && (isPageModel(model) ? (target as Page) : ownerOf(view, model, target));
  return page && !mayShow(view, page) ? undefined : target;
}

/** Whether a model is a page model, or that of typed links. */
const isPageModel = (model: string): boolean =>
  model === LINK_TARGET || /^(cms\.page|cms\.article|pages\..*)$/i.test(model);

/** The page that a record belongs to: the record is hidden when the page is. */
function ownerOf(view: View, model: string, target: Entity): Page | undefined {
  const page = model === "cms.Content" ? (target as Content).page : null;
  return page === null ? undefined : findPage(view.content, page);
}
