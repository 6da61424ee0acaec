/** Tokens for names and passwords. */
import { authenticate, issueToken } from "../actions/accounts.ts";
import { invalid, refuseInvalid } from "../errors.ts";
import { isObject, own } from "../model/json.ts";
import { NOT_AN_OBJECT } from "../model/input-errors.ts";
import { json, PRIVATE, type Reply } from "./reply.ts";
import type { Call, Route } from "./route.ts";

/** Bytes a stranger may make us read for a name and a password. */
export const CREDENTIALS_MAX = 64 * 1024;

export const accountRoutes: readonly Route[] = [
  { method: "POST", path: "token-auth", access: "public", handle: postToken },
];

/** The account's token for name and password (contract.md 3.1). */
async function postToken(call: Call): Promise<Reply> {
  const { ctx, address } = call;
  const { username, password } = readCredentials(await call.body(CREDENTIALS_MAX));
  const account = await authenticate(ctx.accounts, username, password, address);
  return json({ token: await issueToken(ctx.accounts, account) }, 200, PRIVATE);
}

/** @throws CmsError `invalid` with what is missing, both at once */
export function readCredentials(body: unknown): { username: string; password: string } {
  if (!isObject(body)) throw invalid({ non_field_errors: [NOT_AN_OBJECT(body)] });
  const errors: Record<string, string[]> = {};
  const read = (field: string): string => {
    const value = own(body, field);
    if (value === undefined) errors[field] = ["This field is required."];
    else if (value === null) errors[field] = ["This field may not be null."];
    else if (typeof value !== "string" && typeof value !== "number") errors[field] = ["Not a valid string."];
    else if (String(value).trim() === "") errors[field] = ["This field may not be blank."];
    return String(value ?? "");
  };
  const credentials = { username: read("username"), password: read("password") };
  refuseInvalid(errors);
  return credentials;
}
