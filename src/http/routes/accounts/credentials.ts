/** Credentials in the bodies of requests. */
import { CmsError, refuseInvalid } from "../../../errors.ts";
import { isObject, own } from "../../../model/input/json.ts";
import { requireObject, REQUIRED, NOT_NULL, NOT_A_STRING, NOT_BLANK } from "../../../model/input/input-errors.ts";
import type { Call } from "../../app/route.ts";

/** In bytes: the longest body with name and password, which anonymous clients can send. */
export const CREDENTIALS_MAX = 64 * 1024;

/** User name, password, and the one-time code of accounts that have them; "" for none. @throws CmsError `invalid` */
export const readCredentials = (body: unknown) => ({
  ...readTexts(body, ["username", "password"]),
  code: codeIn(body),
});

export function codeIn(body: unknown): string {
  const code = isObject(body) ? own(body, "code") : undefined;
  return typeof code === "string" || typeof code === "number" ? String(code) : "";
}

/** @throws CmsError `forbidden` where accounts sign in by providers alone */
export function refusePasswords({ ctx: { config } }: Call): void {
  const [first] = config.AUTH.OIDC;
  if (config.AUTH.ONLY_OIDC)
    throw new CmsError("forbidden", `Accounts sign in here by ${first?.LABEL ?? "AUTH.OIDC"} alone.`);
}

/** Texts that a body must have. @throws CmsError `invalid` with the errors of all */
export function readTexts<Name extends string>(body: unknown, names: readonly Name[]): Readonly<Record<Name, string>> {
  requireObject(body);
  const errors: Record<string, string[]> = {};
  const read = (field: string): string => {
    const value = own(body, field);
    if (value === undefined) errors[field] = [REQUIRED];
    else if (value === null) errors[field] = [NOT_NULL];
    else if (typeof value !== "string" && typeof value !== "number") errors[field] = [NOT_A_STRING];
    else if (String(value).trim() === "") errors[field] = [NOT_BLANK];
    return String(value ?? "");
  };
  const texts = Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
  refuseInvalid(errors);
  return texts;
}
