/** Menus: a tree of titled links for each language. */
import { NOT_A_STRING } from "../input/input-errors.ts";
import { isObject, own, type Json, type JsonObject } from "../input/json.ts";
import { anything, listOf, named, record, type Keys } from "../input/known-keys.ts";
import {
  isUnsafe,
  LINK_KEYS,
  readLink,
  readStoredLink,
  UNSAFE_ADDRESS,
  visitLink,
  type Link,
} from "../address/link.ts";
import type { Lang } from "../language/locale.ts";
import type { Id } from "../page/page.ts";
import type { VisitReference } from "./reference-name.ts";

/** Optional keys are absent unless they were sent, so that a payload can be written back unchanged. */
export interface MenuNode {
  readonly id?: Json;
  readonly title?: string | null;
  readonly link: Link;
  readonly meta?: JsonObject;
  readonly nodes?: readonly MenuNode[];
}

export interface Menu {
  readonly id: Id;
  /** Unique; templates and front ends refer to it. */
  readonly key: string;
  readonly enabled: boolean;
  readonly nodes: { readonly [lang: Lang]: readonly MenuNode[] };
}

export const MENU_KEY_MAX = 200;
/** Levels; limits the recursion on untrusted input. */
const DEPTH_MAX = 20;

/** The keys of a list of nodes; `meta` and `id` are free-form. */
export const NODE_KEYS: Keys = (nodes, left) => LIST(nodes, left);
const LIST: Keys = listOf(record({ ...named("id", "title"), link: LINK_KEYS, meta: anything, nodes: NODE_KEYS }));

/** Errors by position, `{}` for a valid node. */
type NodeErrors = readonly { readonly [field: string]: readonly string[] | NodeErrors }[];

type ReadNodes = { readonly nodes: MenuNode[] } | { readonly errors: string | NodeErrors };

/**
 * Reads nodes from input. Derived keys such as a link's `url` are ignored.
 *
 * @returns `errors`: a text when the value is not a list, else by position
 */
export const readNodes = (value: Json | undefined): ReadNodes =>
  readLevel(value, 0, { readLink, accepts: (link) => !isUnsafe(link) });

/**
 * Reads nodes from a file, where a link may have any address (`linkPayload` hides it, and `cms check` reports it), and
 * the permalink of a page instead of its id.
 */
export const readStoredNodes = (value: Json | undefined): ReadNodes =>
  readLevel(value, 0, { readLink: readStoredLink, accepts: () => true });

/** How links are read. */
interface LinkReading {
  readLink(value: Json | undefined): Link | undefined;
  accepts(link: Link): boolean;
}

function readLevel(value: Json | undefined, depth: number, reading: LinkReading): ReadNodes {
  if (!Array.isArray(value)) return { errors: "Expected a list of items but got another type." };
  if (depth > DEPTH_MAX) return { errors: `Menus nest at most ${DEPTH_MAX} levels.` };
  const read = value.map((node: Json) => readNode(node, depth, reading));
  if (read.every((each) => "node" in each)) return { nodes: read.map(({ node }) => node) };
  return { errors: read.map((each) => ("errors" in each ? each.errors : {})) };
}

type ReadNode = { readonly node: MenuNode } | { readonly errors: NodeErrors[number] };

function readNode(value: Json, depth: number, reading: LinkReading): ReadNode {
  if (!isObject(value)) return { errors: { non_field_errors: ["Invalid data. Expected a dictionary."] } };
  const errors: Record<string, readonly string[] | NodeErrors> = {};
  const sent = own(value, "link");
  const link = reading.readLink(sent);
  if (sent === undefined || sent === null) errors.link = ["Field required"];
  else if (!link) errors.link = ["A link is expected: link_type RE with url_node, or ST with static."];
  else if (!reading.accepts(link)) errors.link = [UNSAFE_ADDRESS];
  const title = own(value, "title");
  if (title !== undefined && title !== null && typeof title !== "string") errors.title = [NOT_A_STRING];
  const meta = own(value, "meta");
  if (meta !== undefined && meta !== null && !isObject(meta)) errors.meta = ["Invalid data. Expected a dictionary."];
  const below = own(value, "nodes");
  const inner = below === undefined || below === null ? undefined : readLevel(below, depth + 1, reading);
  if (inner && "errors" in inner) errors.nodes = typeof inner.errors === "string" ? [inner.errors] : inner.errors;
  if (!link || Object.keys(errors).length > 0) return { errors };
  const id = own(value, "id");
  const node: MenuNode = {
    ...(id !== undefined && id !== null && { id }),
    ...(title !== undefined && { title: title as string | null }),
    link,
    ...(isObject(meta) && { meta }),
    ...(inner && "nodes" in inner && { nodes: inner.nodes }),
  };
  return { node };
}

/** Nodes with the page of each link visited; the same list when none changes. */
export function visitNodes(nodes: readonly MenuNode[], visit: VisitReference): readonly MenuNode[] {
  const visited = nodes.map((node) => {
    const link = visitLink(node.link, visit);
    const below = node.nodes && visitNodes(node.nodes, visit);
    return link === node.link && below === node.nodes ? node : { ...node, link, ...(below && { nodes: below }) };
  });
  return visited.every((node, at) => node === nodes[at]) ? nodes : visited;
}

/** The ids of all pages that a menu links to, in all languages. */
export function menuTargets(menu: Menu): Id[] {
  const found: Id[] = [];
  const open: MenuNode[] = Object.values(menu.nodes).flat();
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.link.link_type === "RE" && node.link.url_node !== null) found.push(node.link.url_node);
    open.push(...(node.nodes ?? []));
  }
  return found;
}
