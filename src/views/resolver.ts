/** What references and links lead to, for one reader. */
import { LINK_TARGET, type Reference, type Resolver } from "../model/fields/definition.ts";
import type { Content } from "../model/content.ts";
import { readLink } from "../model/link.ts";
import type { Page } from "../model/page.ts";
import type { Entity } from "../store/kind.ts";
import { ACCOUNT_MODEL, findTarget } from "../store/models.ts";
import { findPage } from "../store/page-kinds.ts";
import { linkPayload } from "./link.ts";
import { mayShow, type View } from "./view.ts";

/**
 * For data of a record that is itself shown inside another: its links lead somewhere, its references stay ids, so that
 * nothing goes in circles and every payload ends.
 */
export const nestedResolver = (view: View): Resolver => ({
  reference: (model, id) => (visibleTarget(view, { model, id }) ? id : null),
  link: (link) => linkPayload(view, readLink(link)!),
});

/** The record a reference names; undefined when it is gone, or this reader must not know of it. */
export function visibleTarget(view: View, reference: Reference): Entity | undefined {
  const { model, id } = reference;
  // Who was not given the accounts cannot tell whether one is there: an editor keeps its id, to write it back.
  if (model === ACCOUNT_MODEL) return view.accounts ? view.accounts.find((account) => account.id === id) : view.surface === "public" ? undefined : { id };
  const target = findTarget(view.content, reference);
  const page = target && (isPageModel(model) ? (target as Page) : ownerOf(view, model, target));
  return page && !mayShow(view, page) ? undefined : target;
}

/** Pages of any model; links lead to those as well. */
export const isPageModel = (model: string): boolean => model === LINK_TARGET || /^(cms\.page|cms\.article|pages\..*)$/i.test(model);

/** The page a record is part of, and hidden with. */
function ownerOf(view: View, model: string, target: Entity): Page | undefined {
  const page = model === "cms.Content" ? (target as Content).page : null;
  return page === null ? undefined : findPage(view.content, page);
}
