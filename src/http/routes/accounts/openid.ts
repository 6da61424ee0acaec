/** Signing in by providers of OpenID Connect: the browser goes there and comes back. */
import { audit, auditSignIn } from "../../../actions/accounts/auditing.ts";
import { accountOfIdentity, connectIdentity } from "../../../actions/accounts/identities.ts";
import { beginOpenId, finishOpenId, type OpenIdAim, type OpenIdAnswer } from "../../../actions/accounts/openid.ts";
import { accountBySession } from "../../../actions/accounts/sessions.ts";
import type { OidcProvider } from "../../../config/sign-in-settings.ts";
import { CmsError, messageOf, notFound } from "../../../errors.ts";
import { API_ROOT } from "../../../model/address/possible-names.ts";
import type { JsonObject } from "../../../model/input/json.ts";
import { instantOf, UNDATED, type Instant } from "../../../model/time/instant.ts";
import { FLAG, listOf, record, TEXT, text, told } from "../../../schema/json-schema.ts";
import { actionBody } from "../../app/resource.ts";
import { accountsBy, get, inSession, post, requireUser, type Call, type Route } from "../../app/route.ts";
import { cookieOf } from "../../request/cookies.ts";
import { SESSION_COOKIE } from "../../request/principal.ts";
import { json, PRIVATE, redirect, type Reply } from "../../request/reply.ts";
import { sessionCookies, stepCookie, usedStep } from "./session-reply.ts";

const NEXT = {
  name: "next",
  description: "An address of the editor, to which the browser goes afterwards.",
  schema: TEXT,
};

export const openIdRoutes: readonly Route[] = inSession([
  get("auth/means", "public", means, {
    summary: "List how accounts sign in",
    answer: record({
      passwords: told("Whether by name and password.", FLAG),
      providers: told("Of `AUTH.OIDC`.", listOf(record({ name: text("company"), label: TEXT }))),
    }),
  }),
  get("auth/oidc/:provider", "public", begin, {
    summary: "Sign in by a provider",
    description: "Leads the browser to the provider, which leads it back.",
    status: 302,
    query: [NEXT, { name: "proof", description: "Whether the provider has to ask the person again.", schema: FLAG }],
  }),
  get("auth/oidc/:provider/callback", "public", finish, {
    summary: "Where a provider leads the browser back to",
    status: 302,
  }),
  post("auth/oidc/:provider", "user", connect, {
    summary: "Connect the own account with an identity",
    description: "The answer has the address of the provider, to which the browser has to go.",
    body: record({ next: TEXT }, { optional: ["next"] }),
    isBodyOptional: true,
    answer: record({ url: TEXT }),
  }),
]);

/** In seconds: who is no longer known to the provider is out after a day. */
const PROVIDED_SESSION_SECONDS = 24 * 3600;

function means({ ctx: { config } }: Call): Reply {
  const providers = config.AUTH.OIDC.map(({ NAME: name, LABEL: label }) => ({ name, label }));
  return json({ passwords: !config.AUTH.ONLY_OIDC, providers }, 200, PRIVATE);
}

async function begin(call: Call): Promise<Reply> {
  const { searchParams: query } = call.url;
  const { url, cookie } = await leave(call, {
    next: nextOf(call, query.get("next") ?? ""),
    isProof: query.has("proof"),
    account: null,
  });
  return { ...redirect(url, 302, PRIVATE), cookies: [cookie] };
}

async function connect(call: Call): Promise<Reply> {
  const { next } = await actionBody(call, "next");
  providerOf(call);
  const aim = { next: nextOf(call, String(next ?? "")), isProof: false, account: requireUser(call).id };
  const { url, cookie } = await leave(call, aim);
  return { ...json({ url }, 200, PRIVATE), cookies: [cookie] };
}

async function leave(call: Call, aim: OpenIdAim): Promise<{ readonly url: string; readonly cookie: string }> {
  const provider = providerOf(call);
  const { url, sealed } = await beginOpenId(call.ctx.accounts, stepOf(call, provider), aim);
  return { url, cookie: stepCookie(call, cookieName(provider), sealed) };
}

/** A failure is told by the editor's sign-in: the browser has left the page that could show it. */
async function finish(call: Call): Promise<Reply> {
  const provider = providerOf(call);
  const { config, env } = call.ctx;
  const used = usedStep(call, cookieName(provider));
  try {
    const answer = await answerOf(call, provider);
    const cookies = await signedIn(call, provider, answer);
    return { ...redirect(answer.next, 302, PRIVATE), cookies: [used, ...cookies] };
  } catch (error) {
    if (!(error instanceof CmsError) || !config.ADMIN.ENABLE) throw error;
    env.log.warn(`A sign-in by ${provider.NAME} failed: ${messageOf(error)}`);
    const told = error.code === "forbidden" ? "refused" : "failed";
    if (told === "failed") audit(accountsBy(call), { event: "sign-in-refused", detail: `by ${provider.NAME}` });
    return { ...redirect(`${config.ADMIN.PATH}?sign-in=${told}`, 302, PRIVATE), cookies: [used] };
  }
}

async function answerOf(call: Call, provider: OidcProvider): Promise<OpenIdAnswer> {
  const sealed = cookieOf(call.headers, cookieName(provider));
  if (sealed === undefined) throw new CmsError("invalid", "The sign-in did not begin in this browser.");
  return finishOpenId(call.ctx.accounts, stepOf(call, provider), sealed, `?${call.url.searchParams}`);
}

/** @returns the cookies of the session; none where the browser has one of the account that was connected */
async function signedIn(call: Call, provider: OidcProvider, answer: OpenIdAnswer): Promise<readonly string[]> {
  const { account: connected, claims } = answer;
  const accounts = accountsBy(call);
  if (connected !== null) {
    const session = cookieOf(call.headers, SESSION_COOKIE);
    const present = session === undefined ? undefined : await accountBySession(accounts, session);
    if (present?.id !== connected) throw new CmsError("forbidden", "Another account is signed in now.");
    await connectIdentity(accounts, provider, claims, connected);
    return [];
  }
  const account = await accountOfIdentity(accounts, provider, claims);
  auditSignIn(accounts, account, provider.NAME);
  return sessionCookies(call, account, {
    seconds: PROVIDED_SESSION_SECONDS,
    confirmedAt: provedAt(claims, call.now),
  });
}

/** A provider that knows the browser asks nobody: only the time that it tells is one of a proof. */
function provedAt({ auth_time: at }: JsonObject, now: Instant): Instant {
  if (typeof at !== "number" || !(at > 0 && at < 1e11)) return UNDATED;
  const proved = instantOf(at * 1000);
  return proved < now ? proved : now;
}

function providerOf({ ctx, params }: Call): OidcProvider {
  const found = ctx.config.AUTH.OIDC.find(({ NAME }) => NAME === params.provider);
  if (!found) throw notFound("Provider");
  return found;
}

/** Each provider has a cookie and an address to come back to of its own: none can answer in the place of another. */
const cookieName = ({ NAME }: OidcProvider): string => `cms_oidc_${NAME}`;

const stepOf = (call: Call, provider: OidcProvider) => ({
  provider,
  redirectUri: `${call.origin}${API_ROOT}/auth/oidc/${provider.NAME}/callback/`,
  root: call.ctx.store.repo.root,
});

/** An address below the editor, or the editor: nobody is led elsewhere by a link to a sign-in. */
function nextOf({ ctx: { config } }: Call, wanted: string): string {
  const { PATH } = config.ADMIN;
  const next = wanted.startsWith(`${config.BASE_PATH}/`) ? wanted.slice(config.BASE_PATH.length) : wanted;
  const isOfEditor = next.startsWith(PATH) && /^[\w/?=&.~%-]*$/.test(next) && !/\/\/|\.\./.test(next);
  return isOfEditor && next.length <= 1000 ? next : PATH;
}
