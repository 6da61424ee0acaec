/** What named tokens are kept from at the door, whatever their account may. */
import { CmsError } from "../../errors.ts";
import type { Principal } from "../../model/access/role-rights.ts";
import type { Route } from "./route.ts";

/**
 * First segments of what a narrowed token may ask for: content, of which its rules tell it the part, and what is the same
 * for everyone. A new route is not for narrowed tokens unless it is named here.
 */
const FOR_NARROWED = new Set([
  ...["pages", "articles", "models", "tags", "menus", "contents", "redirects", "releases", "threads", "reviews"],
  ...["media", "media-folder", "media-folders", "meta-types", "meta-instances", "block-types"],
  ...["page-models", "page-tree", "templates", "search", "roles", "pages-router-preview"],
]);

/**
 * @param user of a named token, which is narrowed or not
 * @throws CmsError `forbidden`
 */
export function refuseToNamedToken(
  { path, access, method, isSensitive }: Pick<Route, "path" | "access" | "method" | "isSensitive">,
  { narrowedBy }: Principal,
): void {
  const isOfAccount = path.startsWith("auth/") || (path.startsWith("users/current/") && method !== "GET");
  if (isSensitive || isOfAccount) throw refused("Named tokens may not do what is sensitive.");
  if (!narrowedBy || access === "public") return;
  const isOwnAccount = method === "GET" && path === "users/current";
  if (!isOwnAccount && !FOR_NARROWED.has(path.split("/", 1)[0]!)) throw refused("This token is not for that.");
  const isReading = narrowedBy.every(({ may }) => may.every((action) => action === "view"));
  if (isReading && method !== "GET") throw refused("This token may only read.");
}

const refused = (message: string): CmsError => new CmsError("forbidden", message);
