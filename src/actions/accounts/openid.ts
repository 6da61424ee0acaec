/**
 * Signing in by a provider of OpenID Connect: authorisation code with PKCE.
 *
 * State, nonce and verifier are in a sealed value of the browser that began, so an answer that another browser got, or that was
 * asked for at another provider, is worth nothing here. `openid-client` checks issuer, audience, signature, nonce and times.
 */
import type { Configuration } from "openid-client";
import { readSecret } from "../../config/secrets.ts";
import type { OidcProvider } from "../../config/sign-in-settings.ts";
import { CmsError, messageOf } from "../../errors.ts";
import { importModule } from "../../import-module.ts";
import { derived } from "../../memo.ts";
import type { Id } from "../../model/input/id.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { seal, unseal } from "./sealed.ts";
import type { Accounts } from "./accounts.ts";

/** What a sign-in is for. */
export interface OpenIdAim {
  /** Where the browser goes afterwards. */
  readonly next: string;
  /** Whether the person has to prove again who it is, though the provider knows. */
  readonly isProof: boolean;
  /** The account that the identity is to be connected with; null: that of the identity signs in. */
  readonly account: Id | null;
}

export interface OpenIdAnswer extends OpenIdAim {
  readonly claims: JsonObject;
}

/** In seconds: how old a proof may be that was asked for. */
const PROOF_AGE = 300;
const TIMEOUT_SECONDS = 10;

/** Loaded at the first sign-in. */
const openIdClient = () => importModule<typeof import("openid-client")>("openid-client");

const configurations = derived((_provider: OidcProvider): { made?: Promise<Configuration> } => ({}));

/** The provider as it describes itself. @throws CmsError `unavailable` */
async function configurationOf(provider: OidcProvider, root: string): Promise<Configuration> {
  const kept = configurations(provider);
  kept.made ??= discover(provider, root);
  try {
    return await kept.made;
  } catch (cause) {
    delete kept.made;
    if (cause instanceof CmsError) throw cause;
    throw new CmsError("unavailable", `${provider.LABEL} does not answer just now.`, { cause, retryAfter: 10 });
  }
}

async function discover(
  { NAME, ISSUER, CLIENT_ID, CLIENT_SECRET }: OidcProvider,
  root: string,
): Promise<Configuration> {
  const oidc = await openIdClient();
  const secret = CLIENT_SECRET && readSecret(CLIENT_SECRET, `AUTH.OIDC (${NAME})`, root);
  const found = await oidc.discovery(
    new URL(ISSUER),
    CLIENT_ID,
    undefined,
    secret === null ? oidc.None() : oidc.ClientSecretBasic(secret),
    { timeout: TIMEOUT_SECONDS, execute: new URL(ISSUER).protocol === "http:" ? [oidc.allowInsecureRequests] : [] },
  );
  oidc.enableNonRepudiationChecks(found);
  return found;
}

interface Step {
  readonly provider: OidcProvider;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  /** The folder of the site. */
  readonly root: string;
}

/** @returns the address of the provider, and the sealed value for the browser */
export async function beginOpenId(
  { store, env }: Accounts,
  { provider, redirectUri, root }: Step,
  aim: OpenIdAim,
): Promise<{ readonly url: string; readonly sealed: string }> {
  const oidc = await openIdClient();
  const configuration = await configurationOf(provider, root);
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: provider.SCOPES.join(" "),
    ...{ state, nonce, code_challenge: await oidc.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    ...(aim.isProof && { max_age: "0", prompt: "login" }),
  });
  const sealed = seal(await store.secret(), purposeOf(provider), { ...aim, state, nonce, verifier }, env.now());
  return { url: url.href, sealed };
}

/**
 * What the provider says of the person.
 *
 * @param sealed the value of `beginOpenId`, from the cookie of the browser
 * @param query of the address to which the provider sent the browser
 * @throws CmsError `invalid` for an answer that does not belong to the sign-in, or does not hold; `unavailable`
 */
export async function finishOpenId(
  { store, env }: Accounts,
  { provider, redirectUri, root }: Step,
  sealed: string,
  query: string,
): Promise<OpenIdAnswer> {
  const oidc = await openIdClient();
  const kept = unseal(await store.secret(), purposeOf(provider), sealed, env.now());
  if (!kept) throw new CmsError("invalid", "The sign-in took too long, or began in another browser.");
  const configuration = await configurationOf(provider, root);
  try {
    const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}${query}`), {
      ...{
        expectedState: String(kept.state),
        expectedNonce: String(kept.nonce),
        pkceCodeVerifier: String(kept.verifier),
      },
      ...(kept.isProof === true && { maxAge: PROOF_AGE }),
    });
    const claims = tokens.claims()!;
    const isComplete = claims[provider.GROUPS] !== undefined || Object.keys(provider.ROLES).length === 0;
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata();
    const more =
      isComplete || endpoint === undefined
        ? {}
        : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return {
      next: String(kept.next),
      isProof: kept.isProof === true,
      account: typeof kept.account === "number" ? kept.account : null,
      claims: { ...more, ...claims } as JsonObject,
    };
  } catch (cause) {
    throw new CmsError("invalid", `${provider.LABEL} did not sign in: ${messageOf(cause)}`, { cause });
  }
}

const purposeOf = ({ NAME, ISSUER, CLIENT_ID }: OidcProvider): string => `openid ${NAME} ${ISSUER} ${CLIENT_ID}`;
