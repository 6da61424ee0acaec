/** Releases as they are served. */
import { showInstant } from "../../model/time/instant.ts";
import { nameOf } from "../../model/page/page.ts";
import { stateOf, type Release, type ReleaseItem } from "../../model/page/release.ts";
import type { Queryable } from "../../model/lists/query.ts";
import { findPage } from "../../store/content/indexes/pages-by-model.ts";
import { ownFields } from "../lists/list-field.ts";
import type { Payload, View } from "../view.ts";

export const releasePayload = (view: View, release: Release): Payload => ({
  id: release.id,
  name: release.name,
  comment: release.comment,
  state: stateOf(release),
  publish_at: showInstant(release.publish_at),
  published_at: showInstant(release.published_at),
  items: release.items.map((item) => itemPayload(view, item)),
});

/** With the name of the page; null where there is no such page. */
export function itemPayload(
  view: Pick<View, "content" | "locales">,
  { page: id, language, action }: ReleaseItem,
): Payload {
  const page = findPage(view.content, id);
  return { page: id, language, action, title: page ? nameOf(page, view.locales) : null };
}

export const RELEASE_LIST: Queryable<Release, View> = {
  fields: ownFields<Release>({
    id: "integer",
    name: "text",
    comment: "text",
    publish_at: "instant",
    published_at: "instant",
  }),
  search: ["name", "comment"],
  order: ["name"],
};
