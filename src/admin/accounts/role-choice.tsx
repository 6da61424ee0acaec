/** The roles of an account: a box for each role of the site. */
import { get } from "../api.ts";
import { Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import type { TextKey } from "../texts/en.ts";
import { useLoaded } from "../ui/loaded.ts";

export interface SiteRole {
  readonly name: string;
  readonly label: string;
  readonly is_built_in: boolean;
}

const BUILT_IN: Readonly<Record<string, TextKey>> = {
  reader: "reader",
  author: "roleAuthor",
  editor: "roleEditor",
  administrator: "roleAdministrator",
};

/** What a role is called: a built-in one in the language of the editor. */
export function roleLabel({ name, label, is_built_in: isBuiltIn }: SiteRole): string {
  const key = isBuiltIn ? BUILT_IN[name] : undefined;
  return key ? text(key) : label;
}

interface RoleChoiceProps {
  readonly chosen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

export function RoleChoice({ chosen, onChange }: RoleChoiceProps) {
  const known = useLoaded(() => get<readonly SiteRole[]>("roles/")) ?? [];
  // A role that is not there any more is still one that the account has.
  const gone = chosen.filter((name) => !known.some((role) => role.name === name));
  const roles = [...known, ...gone.map((name) => ({ name, label: name, is_built_in: false }))];
  return (
    <fieldset data-field="roles">
      <legend>{text("roles")}</legend>
      <p class="hint">{text(chosen.length > 0 ? "rolesDecide" : "noRoles")}</p>
      {roles.map((role) => (
        <label key={role.name} class="flag">
          <input
            type="checkbox"
            checked={chosen.includes(role.name)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...chosen, role.name] : chosen.filter((name) => name !== role.name))
            }
          />
          {roleLabel(role)}
        </label>
      ))}
      <Messages path="roles" />
    </fieldset>
  );
}
