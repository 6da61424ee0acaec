/** The typed link: a stored reference to a page, or a fixed address; its URL is computed on reading, never stored. */
import { isObject, own, type Json } from "./json.ts";
import { named, record, type Keys } from "./known-keys.ts";
import type { Id } from "./page.ts";

/** `RE` leads to a page, `ST` to a fixed address (contract.md 14). */
export type Link =
  | { readonly link_type: "RE"; readonly url_node: Id | null }
  | { readonly link_type: "ST"; readonly static: string | null };

/** The keys of a link; the read-only ones are computed, here or in the upstream system (contract.md 14). */
export const LINK_KEYS: Keys = record(named("link_type", "url_node", "static"), ["url", "page", "content_type"]);

/**
 * A link as it is stored or sent: `url_node` as an id, a numeric text or an object with `id`, `link_type` defaulting to
 * `ST`; derived keys such as `url` are passed over, so that what was read can be written back.
 *
 * @returns undefined when it is no link
 */
export function readLink(value: Json | undefined): Link | undefined {
  if (!isObject(value)) return undefined;
  const type = own(value, "link_type") ?? "ST";
  if (type === "RE") {
    const node = own(value, "url_node");
    const id = isObject(node) ? own(node, "id") : node;
    const number = typeof id === "string" && /^\d{1,10}$/.test(id) ? Number(id) : id;
    if (number !== undefined && number !== null && !Number.isInteger(number)) return undefined;
    return { link_type: "RE", url_node: (number as Id | undefined) ?? null };
  }
  const address = own(value, "static");
  if (type !== "ST" || (address !== undefined && address !== null && typeof address !== "string")) return undefined;
  return { link_type: "ST", static: address ?? null };
}
