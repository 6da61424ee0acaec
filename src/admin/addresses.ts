/** The addresses of all screens, below the editor's own address. `test/browser/screens.test.ts` visits each. */

/** `:id` is a number, `:key` any segment. */
export const ADDRESSES = [
  "",
  "pages",
  "pages/:id",
  "pages/:id/history",
  "articles",
  "articles/:id",
  "articles/:id/history",
  "releases",
  // No release can have this name.
  "releases/_new",
  "releases/:key",
  "tags",
  "tags/new",
  "tags/:id",
  "media",
  "menus",
  "menus/:key",
  "blocks",
  "blocks/new",
  "blocks/:id",
  "types",
  "types/new",
  "types/:id",
  "types/:id/instances",
  "types/:id/instances/new",
  "types/:id/instances/:id",
  "section-types",
  // No type can have this name.
  "section-types/_new",
  "section-types/:key",
  "redirects",
  "accounts",
  "accounts/new",
  "accounts/:id",
  "settings",
  "profile",
] as const;

export type Address = (typeof ADDRESSES)[number];

export interface Match {
  readonly address: Address;
  /** What stands for `:id` and `:key`, in their order. */
  readonly ids: readonly string[];
}

/** @returns undefined for an address without a screen */
export function matchAddress(segments: readonly string[]): Match | undefined {
  for (const address of ADDRESSES) {
    const pattern = address.split("/").filter((part) => part !== "");
    if (pattern.length !== segments.length || !pattern.every((part, at) => isMatch(part, segments[at]!))) continue;
    return { address, ids: segments.filter((_, at) => pattern[at]!.startsWith(":")).map(decoded) };
  }
  return undefined;
}

function isMatch(part: string, segment: string): boolean {
  if (part === ":id") return /^\d+$/.test(segment);
  return part === ":key" || part === segment;
}

/** Addresses can be typed: a wrong percent sign stands for itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
