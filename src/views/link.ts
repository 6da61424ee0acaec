/** The typed link as readers see it: with the URL it leads to today (interface.md, Typed link). */
import { relatedName } from "../model/content-type.ts";
import { isUnsafe, type Link } from "../model/link.ts";
import { textOf, type Page } from "../model/page.ts";
import { findPage } from "../store/page-kinds.ts";
import { mayShow, routerlink, type Payload, type View } from "./view.ts";

/** The reference shape of a page in payloads of others: `id`, `permalink`, `related_name`. */
export const urlNode = (view: View, page: Page): Payload => ({
  id: page.id,
  permalink: textOf(page, view.lang).permalink,
  related_name: relatedName(page.model),
});

/**
 * `url` is null when the target is gone, or hidden from this reader: then nothing tells that there is one. Only an editor
 * sees the id of a page that is gone, to write the link back or to mend it (decisions.md 62).
 * An address in a file that would not be accepted today has no URL either.
 */
export function linkPayload(view: View, link: Link): Payload {
  if (link.link_type === "ST") {
    if (!isUnsafe(link)) return { link_type: "ST", static: link.static, url: link.static };
    // An editor sees what to mend.
    return { link_type: "ST", static: view.surface === "editor" ? link.static : null, url: null };
  }
  const page = link.url_node === null ? undefined : findPage(view.content, link.url_node);
  if (!page && link.url_node !== null && view.surface === "editor") {
    return { link_type: "RE", url_node: { id: link.url_node, permalink: null, related_name: null }, url: null };
  }
  if (!page || !mayShow(view, page)) return { link_type: "RE", url_node: null, url: null };
  return { link_type: "RE", url_node: urlNode(view, page), url: routerlink(view, page) };
}
