/** The typed link: a reference to a page, or a fixed address. Its URL is computed on reading and never stored. */
import { LINK_TARGET } from "../fields/definition.ts";
import { numericId } from "../input/id.ts";
import { isObject, own, type Json } from "../input/json.ts";
import { named, record, type Keys } from "../input/known-keys.ts";
import type { Id } from "../page/page.ts";
import { DANGEROUS_NAMES, OTHER_SCHEME } from "./schemes.ts";
import { isReferenceName, unresolved, type VisitReference } from "../records/reference-name.ts";

/** `RE` leads to a page, `ST` to a fixed address. */
export type Link =
  | { readonly link_type: "RE"; readonly url_node: Id | null }
  | { readonly link_type: "ST"; readonly static: string | null };

const STORED = ["link_type", "url_node", "static"];
const COMPUTED = ["url", "page", "content_type"];
/** The keys of a link; the read-only ones are computed, here or in the upstream system. */
export const LINK_KEYS: Keys = record(named(...STORED), COMPUTED);
export const LINK_NAMES: readonly string[] = [...STORED, ...COMPUTED];

export const UNSAFE_ADDRESS = `Enter a path of this site, an http or https address with a host, or one of another scheme, such as mailto, tel or sms, but not ${DANGEROUS_NAMES}.`;

// linear: a prefix of fixed alternatives, followed by one run of characters.
const ABSOLUTE = new RegExp(`[Hh][Tt][Tt][Pp][Ss]?:\\/\\/(?=[^/?#])|${OTHER_SCHEME}`);
/** Neither `//host` nor another scheme. */
const RELATIVE = /(?!\/\/|[^/?#]*:)/;
const ADDRESS_TAIL = /[^\s\p{Cc}\p{Cs}\\](?:[^\p{Cc}\p{Cs}\\]*[^\s\p{Cc}\p{Cs}\\])?/u;

/**
 * A fixed address that a link may have: of any scheme but the dangerous ones, relative to this site, or "".
 *
 * Browsers drop white space and control characters at the start and line breaks anywhere, and read `\` as `/`: with any
 * of these, a browser could see another scheme or host than this pattern. The pattern is part of the JSON Schema of a link,
 * so it uses no flag but `u`.
 */
// linear: it is anchored, and its runs are of characters of which every one after the prefix is taken once.
export const SAFE_ADDRESS = new RegExp(`^(?:(?:${ABSOLUTE.source}|${RELATIVE.source})${ADDRESS_TAIL.source})?$`, "u");

export const isSafeAddress = (address: string): boolean => SAFE_ADDRESS.test(address);

/**
 * Reads a link as it is stored or sent: `url_node` as an id, a numeric text or an object with `id`; `link_type`
 * defaults to `ST`. Derived keys such as `url` are ignored, so that a payload can be written back. Does not check that
 * the address is safe, since a file may have any: see `isUnsafe`.
 *
 * @returns undefined when the value is not a link
 */
export function readLink(value: Json | undefined): Link | undefined {
  if (!isObject(value)) return undefined;
  const type = own(value, "link_type") ?? "ST";
  if (type === "RE") {
    const node = own(value, "url_node");
    const id = isObject(node) ? own(node, "id") : node;
    const number = numericId(id);
    if (number !== undefined && number !== null && !Number.isInteger(number)) return undefined;
    return { link_type: "RE", url_node: (number as Id | undefined) ?? null };
  }
  const address = own(value, "static");
  if (type !== "ST" || (address !== undefined && address !== null && typeof address !== "string")) return undefined;
  return { link_type: "ST", static: address ?? null };
}

/** As `readLink`, of a file, where `url_node` may be a permalink. */
export function readStoredLink(value: Json | undefined): Link | undefined {
  const name = isObject(value) && own(value, "link_type") === "RE" ? own(value, "url_node") : undefined;
  return isReferenceName(name) ? { link_type: "RE", url_node: unresolved(name.trim()) } : readLink(value);
}

/** A link with its page visited. */
export function visitLink(link: Link, visit: VisitReference): Link {
  if (link.link_type !== "RE") return link;
  const to = visit(LINK_TARGET, link.url_node, "url_node") as Id | null;
  return to === link.url_node ? link : { ...link, url_node: to };
}

/** Whether a link has an address that must not be served. */
export const isUnsafe = (link: Link): boolean =>
  link.link_type === "ST" && link.static !== null && !isSafeAddress(link.static);
