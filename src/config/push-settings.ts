/** The type of the setting `PUSH.ROLES`. */
import { isObject, objectOf } from "../model/input/json.ts";
import { settingType, type SettingType } from "./setting-types.ts";

const NAME = /^[a-z][a-z0-9_-]{0,49}$/;

/** Names of roles, by the name of somebody. */
export const rolesByName: SettingType<Readonly<Record<string, readonly string[]>>> = settingType(
  { type: "object", additionalProperties: { type: "array", items: { type: "string", pattern: NAME.source } } },
  (value, path, report) => {
    if (!isObject(value)) return report(path, value, "a mapping of names to lists of roles");
    const wrong = Object.entries(value).find(
      ([, roles]) => !Array.isArray(roles) || !roles.every((role) => typeof role === "string" && NAME.test(role)),
    );
    if (wrong) return report(`${path}.${wrong[0]}`, wrong[1], "a list of roles, such as [author]");
    return objectOf(Object.entries(value).map(([name, roles]) => [name, roles as readonly string[]] as const));
  },
);
