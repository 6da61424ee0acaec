/** The permissions of an account: a row for each kind of record, a column for each verb. */
import type { Permission } from "../../model/account/permission.ts";
import { get } from "../api.ts";
import { Messages } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { useLoaded } from "../ui/loaded.ts";
import { modelName } from "./model-names.ts";

interface PermissionTableProps {
  readonly chosen: readonly number[];
  readonly isStaff: boolean;
  readonly onChange: (ids: readonly number[]) => void;
}

const VERBS = { view: "mayView", add: "mayAdd", change: "mayChange", delete: "mayDelete" } as const;

export function PermissionTable({ chosen, isStaff, onChange }: PermissionTableProps) {
  const all = useLoaded(() => get<readonly Permission[]>("permissions/")) ?? [];
  const models = [...new Set(all.map(({ content_type: { model } }) => model))];
  return (
    <fieldset>
      <legend>{text("permissions")}</legend>
      <p class="hint">{text(chosen.length > 0 ? "onlyThese" : isStaff ? "allContent" : "nothingPermitted")}</p>
      <table class="permissions">
        <thead>
          <tr>
            <td />
            {Object.values(VERBS).map((key) => (
              <th key={key} scope="col">
                {text(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model}>
              <th scope="row">{modelName(model)}</th>
              {Object.entries(VERBS).map(([verb, key]) => {
                const permission = all.find(({ codename }) => codename === `${verb}_${model}`);
                return (
                  <td key={verb}>
                    {permission && (
                      <input
                        type="checkbox"
                        aria-label={text("permission", { verb: text(key), model: modelName(model) })}
                        checked={chosen.includes(permission.id)}
                        onChange={({ currentTarget: { checked } }) =>
                          onChange(
                            checked
                              ? [...chosen, permission.id].sort((a, b) => a - b)
                              : chosen.filter((id) => id !== permission.id),
                          )
                        }
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <Messages path="user_permissions" />
    </fieldset>
  );
}
