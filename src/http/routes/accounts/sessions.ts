/** Signing in and out with cookies. */
import { auditSignIn } from "../../../actions/accounts/auditing.ts";
import { authenticate } from "../../../actions/accounts/sign-in.ts";
import { accountBySession, closeSession, confirmSession } from "../../../actions/accounts/sessions.ts";
import { setPassword } from "../../../actions/accounts/accounts.ts";
import { accountByPasskey, beginPasskeySignIn } from "../../../actions/accounts/passkeys.ts";
import { CmsError, invalid } from "../../../errors.ts";
import type { Account } from "../../../model/account/account.ts";
import { isObject, own, type Json } from "../../../model/input/json.ts";
import { ANY_OBJECT, record, told } from "../../../schema/json-schema.ts";
import { codeIn, CREDENTIALS_MAX, readCredentials, readTexts, refusePasswords } from "./credentials.ts";
import { isOverTls, keptStep, passkeyPlaceOf, sessionReply, stepReply, usedStep } from "./session-reply.ts";
import { SESSION_COOKIE } from "../../request/principal.ts";
import { cookieOf, setCookie } from "../../request/cookies.ts";
import { refuseForeignOrigin, refuseForgery } from "../../request/csrf.ts";
import { json, PRIVATE, type Reply } from "../../request/reply.ts";
import { actionBody, refuseUnknown } from "../../app/resource.ts";
import { accountsBy, get, post, requireUser, type Call, type Route } from "../../app/route.ts";

export const sessionRoutes: readonly Route[] = [
  post("auth/login", "public", logIn, {
    summary: "Open a session",
    description: "Sets the cookies `sessionid` and `csrftoken`.",
    body: "Credentials",
    answer: "Detail",
    refusals: [403, 429],
  }),
  post("auth/passkey/new", "public", beginPasskey, {
    summary: "Begin to sign in by a passkey",
    description:
      "The answer is for `navigator.credentials.get`, in the form of `PublicKeyCredentialRequestOptionsJSON`.",
    answer: ANY_OBJECT,
    refusals: [403],
  }),
  post("auth/passkey", "public", logInByPasskey, {
    summary: "Open a session by a passkey",
    body: record({ response: told("Of `navigator.credentials.get`, as JSON.", ANY_OBJECT) }),
    answer: "Detail",
    refusals: [403, 429],
  }),
  post("auth/confirm", "user", confirm, {
    summary: "Confirm who is at the browser",
    description:
      "For the next quarter of an hour the session may do what is sensitive: new tokens, accounts, means of signing in. Without it these answer 403 with the code `unconfirmed`.",
    body: "Confirmation",
    answer: "Detail",
    refusals: [403, 429],
  }),
  post("auth/password", "user", changePassword, {
    summary: "Change the own password",
    description: "Revokes the token and all sessions of the account, and opens a new session.",
    body: "NewPassword",
    answer: "Detail",
    refusals: [403, 429],
  }),
  post("auth/logout", "public", logOut, { summary: "End the session", answer: "Detail", refusals: [403] }),
  get(
    "auth/logout",
    "public",
    logOutByLink,
    { summary: "End the session by a link", answer: "Detail", refusals: [403] },
    { isAliased: true },
  ),
];

/** Refused from other sites, which could sign a visitor in to an account of theirs without the visitor noticing. */
async function logIn(call: Call): Promise<Reply> {
  const accounts = accountsBy(call);
  refuseForeignOrigin(call.ctx.config, call);
  refusePasswords(call);
  const { username, password, code } = readCredentials(await call.body(CREDENTIALS_MAX));
  const account = await authenticate(accounts, username, password, code);
  auditSignIn(accounts, account, "password");
  return sessionReply(call, account, "Logged in");
}

/** The present password is asked for, and attempts are limited like sign-ins: a browser left open must not be enough to take the account over. */
async function changePassword(call: Call): Promise<Reply> {
  const accounts = accountsBy(call);
  const { id } = requireUser(call);
  const body = await call.body(CREDENTIALS_MAX);
  refuseUnknown(call, body, "current_password", "password", "code");
  const { current_password: current, password } = readTexts(body, ["current_password", "password"]);
  await checkPassword(call, current, codeIn(body), "current_password");
  return sessionReply(call, await setPassword(accounts, id, password), "Password changed");
}

async function beginPasskey(call: Call): Promise<Reply> {
  refusePasswords(call);
  await actionBody(call);
  const { options, sealed } = await beginPasskeySignIn(call.ctx.accounts, passkeyPlaceOf(call));
  return stepReply(call, options, PASSKEY_COOKIE, sealed);
}

async function logInByPasskey(call: Call): Promise<Reply> {
  refuseForeignOrigin(call.ctx.config, call);
  const { response = null } = await actionBody(call, "response");
  const account = await passkeyOwner(call, response);
  auditSignIn(accountsBy(call), account, "passkey");
  const { cookies = [], ...reply } = await sessionReply(call, account, "Logged in");
  return { ...reply, cookies: [usedStep(call, PASSKEY_COOKIE), ...cookies] };
}

/** Failures count against the address of the client, as those of passwords do. */
async function passkeyOwner(call: Call, response: Json): Promise<Account> {
  refusePasswords(call);
  const accounts = accountsBy(call);
  const attempt = accounts.attempts.begin(`passkey ${call.address}`, call.address, accounts.env.elapsed());
  const owner = await accountByPasskey(accounts, passkeyPlaceOf(call), {
    response,
    sealed: keptStep(call, PASSKEY_COOKIE),
  });
  attempt.withdraw();
  return owner;
}

const PASSKEY_COOKIE = "cms_passkey_sign_in";

async function confirm(call: Call): Promise<Reply> {
  const body = await call.body(CREDENTIALS_MAX);
  refuseUnknown(call, body, "password", "code", "response");
  const response = isObject(body) ? own(body, "response") : undefined;
  if (response === undefined)
    await checkPassword(call, readTexts(body, ["password"]).password, codeIn(body), "password");
  else if ((await passkeyOwner(call, response)).id !== requireUser(call).id)
    throw invalid({ response: ["This passkey is of another account."] });
  if (call.session !== undefined) await confirmSession(call.ctx.accounts, call.session);
  return json({ detail: "Confirmed" }, 200, PRIVATE);
}

/** @param field that has the password, for the error */
async function checkPassword(call: Call, password: string, code: string, field: string): Promise<void> {
  refusePasswords(call);
  await authenticate(accountsBy(call), requireUser(call).username, password, code).catch((error: unknown) => {
    throw error instanceof CmsError && error.code === "invalid" && !error.fields.code
      ? invalid({ [field]: ["This is not the present password."] })
      : error;
  });
}

/** Ends the session of the cookie, if there is one. @throws CmsError `forbidden` from another site */
async function logOut(call: Call): Promise<Reply> {
  const { accounts, config } = call.ctx;
  // A request from another site has no cookie, but the answer would remove the cookie of the browser.
  refuseForeignOrigin(config, call);
  const id = cookieOf(call.headers, SESSION_COOKIE);
  if (id !== undefined && (await accountBySession(accounts, id))) await refuseForgery(accounts, config, call, id);
  return endSession(call, id);
}

/**
 * Clients of the upstream system sign out with a link.
 *
 * @throws CmsError `forbidden` when the browser says that the link is on another site
 */
async function logOutByLink(call: Call): Promise<Reply> {
  if (!["none", "same-origin"].includes(call.headers.get("sec-fetch-site") ?? "none"))
    throw new CmsError("forbidden", "CSRF Failed: Another site may not sign its visitor out.");
  return endSession(call, cookieOf(call.headers, SESSION_COOKIE));
}

async function endSession(call: Call, id: string | undefined): Promise<Reply> {
  if (id !== undefined) await closeSession(call.ctx.accounts, id);
  return {
    ...json({ detail: "Logged out" }, 200, PRIVATE),
    cookies: [setCookie(SESSION_COOKIE, "", { seconds: 0, secure: isOverTls(call), httpOnly: true })],
  };
}
