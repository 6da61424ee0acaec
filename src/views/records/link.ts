/** Payloads of typed links, with their current URL. */
import { relatedName } from "../../model/page/content-type.ts";
import { isUnsafe, type Link } from "../../model/address/link.ts";
import { permalinkIn, type PageSummary } from "../../model/page/page.ts";
import { findPageSummary } from "../../store/content/indexes/pages-by-model.ts";
import { mayShow, routerlink, type Payload, type View } from "../view.ts";

/** A page as a reference in other payloads: `id`, `permalink`, `related_name`. */
export const urlNode = (view: View, page: PageSummary): Payload => ({
  id: page.id,
  permalink: permalinkIn(page, view.lang),
  related_name: relatedName(page.model),
});

/**
 * `url` is null when the target does not exist, or is hidden from this reader, who cannot tell the two apart. Only an
 * editor is shown the id of a page that does not exist, to write the link back or to correct it. An
 * unsafe address, which only a file can have, has no URL either.
 */
export function linkPayload(view: View, link: Link): Payload {
  if (link.link_type === "ST") {
    if (!isUnsafe(link)) return { link_type: "ST", static: link.static, url: link.static };
    // An editor is shown the address, to correct it.
    return { link_type: "ST", static: view.surface === "editor" ? link.static : null, url: null };
  }
  const page = link.url_node === null ? undefined : findPageSummary(view.content, link.url_node);
  if (!page && link.url_node !== null && view.surface === "editor") {
    return { link_type: "RE", url_node: { id: link.url_node, permalink: null, related_name: null }, url: null };
  }
  if (!page || !mayShow(view, page)) return { link_type: "RE", url_node: null, url: null };
  return { link_type: "RE", url_node: urlNode(view, page), url: routerlink(view, page) };
}
