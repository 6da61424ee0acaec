/**
 * Access at the door: whether an account may call a route. Its row (`http/routes/*`,
 * `http/public/routers.ts`) says which accounts may; roles are asked about each record (`model/access/role-rights.ts`).
 */
import { CmsError } from "../../errors.ts";
import { hasPermission } from "../../model/account/permission.ts";
import type { Account } from "../../model/account/account.ts";
import { requireUser, type Access, type Matched } from "./route.ts";

/**
 * Who may send OPTIONS: callers who may read the path; if it has no GET, any account, or staff if
 * only staff may write.
 */
export function accessToOptions({ byMethod }: Pick<Matched, "byMethod">): Access {
  const { access } = byMethod.get("GET") ?? [...byMethod.values()][0]!;
  return typeof access === "string" ? access : access.staff ? { staff: true } : "user";
}

/** @throws CmsError `unauthenticated` without a required account, `forbidden` if its permissions do not suffice */
export function authorize(access: Access, account: Account | undefined): void {
  if (access === "public") return;
  const user = requireUser({ user: account });
  if (access === "user" || user.is_superuser) return;
  const allowed =
    access !== "superuser" &&
    (!access.staff || user.is_staff) &&
    (access.any === undefined || access.any.some((permission) => hasPermission(user, permission)));
  if (!allowed) throw new CmsError("forbidden", "You do not have permission to perform this action.");
}
