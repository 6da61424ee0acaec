/** The named tokens of the own account. */
import { addNamedToken, listNamedTokens, removeNamedToken } from "../../../actions/accounts/named-tokens.ts";
import { readNamedToken, type NamedToken } from "../../../model/account/named-token.ts";
import { showInstant } from "../../../model/time/instant.ts";
import { listOf, ref } from "../../../schema/json-schema.ts";
import { json, noContent, type Reply } from "../../request/reply.ts";
import { accountsBy, del, get, post, requireUser, sensitive, type Call } from "../../app/route.ts";

export const ownTokenRoutes = sensitive([
  get("users/current/tokens", "user", list, {
    summary: "List the named tokens of the own account",
    answer: listOf(ref("NamedToken")),
  }),
  post("users/current/tokens", "user", add, {
    summary: "Make a named token",
    description:
      "For programs. The answer has the token, which is shown nowhere else. With rules it may what the account may **and** one of the rules says; " +
      "no named token may do what is sensitive, such as to make another one.",
    body: "NewNamedToken",
    answer: "MadeToken",
    status: 201,
    refusals: [409],
  }),
  del("users/current/tokens/:token", "user", remove, { summary: "Revoke a named token of the own account" }),
]);

async function list(call: Call): Promise<Reply> {
  return json((await listNamedTokens(call.ctx.accounts, requireUser(call))).map(payload));
}

async function add(call: Call): Promise<Reply> {
  const { locales, unknownFields } = call.ctx;
  const wanted = readNamedToken(await call.body(), { now: call.now, locales, unknownFields });
  const made = await addNamedToken(accountsBy(call), requireUser(call), wanted);
  return json({ ...payload(made), token: made.token }, 201);
}

async function remove(call: Call): Promise<Reply> {
  await removeNamedToken(accountsBy(call), requireUser(call), call.params.token ?? "");
  return noContent();
}

const payload = ({ id, name, created_at, expires_at, last_used_at, rules }: NamedToken) => ({
  ...{ id, name, rules },
  created_at: showInstant(created_at),
  expires_at: showInstant(expires_at),
  last_used_at: showInstant(last_used_at),
});
