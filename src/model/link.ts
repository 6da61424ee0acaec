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

export const UNSAFE_ADDRESS = "Enter an http, https, mailto or tel address, or a path of this site.";

const ABSOLUTE = /[Hh][Tt][Tt][Pp][Ss]?:\/\/(?=[^/?#])|[Mm][Aa][Ii][Ll][Tt][Oo]:|[Tt][Ee][Ll]:/;
/** Neither `//host` nor another scheme. */
const RELATIVE = /(?!\/\/|[^/?#]*:)/;
const REST = /[^\s\p{Cc}\p{Cs}\\](?:[^\p{Cc}\p{Cs}\\]*[^\s\p{Cc}\p{Cs}\\])?/u;

/**
 * A fixed address that may stand in a link: http, https, mailto, tel, or relative to this site; perhaps "".
 *
 * Browsers drop white space and control characters at the start and line breaks anywhere, and take `\` for `/`: each of
 * these could make another scheme, or another host, of what is read here. Scripts and documents inside an address
 * (`javascript:`, `data:`) are what other schemes are for. The pattern is part of the JSON Schema of a link, so it needs
 * no flag but `u`.
 */
export const SAFE_ADDRESS = new RegExp(`^(?:(?:${ABSOLUTE.source}|${RELATIVE.source})${REST.source})?$`, "u");

export const isSafeAddress = (address: string): boolean => SAFE_ADDRESS.test(address);

/**
 * A link as it is stored or sent: `url_node` as an id, a numeric text or an object with `id`, `link_type` defaulting to
 * `ST`; derived keys such as `url` are passed over, so that what was read can be written back. Whether an address is
 * safe is asked where it is written and where it is shown: a file may hold any.
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

/** Whether a link holds an address that no reader may be shown. */
export const isUnsafe = (link: Link): boolean =>
  link.link_type === "ST" && link.static !== null && !isSafeAddress(link.static);
