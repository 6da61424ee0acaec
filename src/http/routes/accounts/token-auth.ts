/** The token of an account, for its name and password. */
import { auditSignIn } from "../../../actions/accounts/auditing.ts";
import { authenticate, issueToken } from "../../../actions/accounts/sign-in.ts";
import { accountsBy, post, type Call, type Route } from "../../app/route.ts";
import { json, PRIVATE, type Reply } from "../../request/reply.ts";
import { CREDENTIALS_MAX, readCredentials, refusePasswords } from "./credentials.ts";

export const tokenRoutes: readonly Route[] = [
  post("token-auth", "public", postToken, {
    summary: "Get a token",
    description: "The same one until it is revoked.",
    body: "Credentials",
    answer: "Token",
    refusals: [403, 429],
  }),
];

/** The account's token for name and password. */
async function postToken(call: Call): Promise<Reply> {
  refusePasswords(call);
  const accounts = accountsBy(call);
  const { username, password, code } = readCredentials(await call.body(CREDENTIALS_MAX));
  const account = await authenticate(accounts, username, password, code);
  auditSignIn(accounts, account, "token");
  return json({ token: await issueToken(accounts, account) }, 200, PRIVATE);
}
