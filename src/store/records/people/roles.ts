/** The roles of a site: the file `content/roles.yaml`, a mapping of roles by their names. */
import { derived } from "../../../memo.ts";
import { own, type JsonObject } from "../../../model/input/json.ts";
import { BUILT_IN, readRoles, type Role, type Roles } from "../../../model/access/role.ts";
import { derivedId, oneFileKind } from "../fields.ts";
import type { Snapshot } from "../../snapshot.ts";
import type { Entity } from "../record-type.ts";

export interface RoleTable extends Entity {
  readonly roles: Readonly<Record<string, Role>>;
}

const BASE = "content/roles";
export const ROLES_FILE = `${BASE}.yaml`;

/** The id of the one table of a site. */
export const ROLES_ID = derivedId(BASE);

export const ROLES = oneFileKind<RoleTable>({
  name: "Role",
  dir: ROLES_FILE,
  order: () => [["roles"], [], ["label", "rules"], [], ["may", "models", "below", "languages", "fields", "when"]],
  split: (path) => (path === ROLES_FILE ? { base: BASE, part: ".yaml" } : undefined),
  read: (data, { errors, locales }) => ({
    id: ROLES_ID,
    roles: Object.fromEntries(readRoles(own(data, "roles"), errors, locales)),
  }),
  write: ({ roles }) => ({ roles: roles as unknown as JsonObject }),
  newBase: () => BASE,
});

/**
 * The roles of the content: those of its file, and the built-in ones. While the file does not load and no version of it did, there
 * are none, since the file may have taken rights away from the built-in ones.
 */
export function rolesIn(content: Snapshot): Roles {
  const table = content.find(ROLES, ROLES_ID);
  if (table) return rolesOfTable(table);
  return content.problems.some(({ path }) => path === ROLES_FILE) ? NO_ROLES : BUILT_IN;
}

const NO_ROLES: Roles = new Map();
const rolesOfTable = derived(({ roles }: RoleTable): Roles => new Map([...BUILT_IN, ...Object.entries(roles)]));
