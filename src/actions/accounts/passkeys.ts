/**
 * Passkeys (WebAuthn): keys of a device or a password manager, which sign in without name and password.
 *
 * A passkey proves who it is twice: it is there, and it has asked its owner. It works on the host that it was made for alone,
 * which the browser sees to: no other site can use it. `@simplewebauthn/server` checks signature, origin, host and counter.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { CmsError, invalid, messageOf, notFound } from "../../errors.ts";
import { importModule } from "../../import-module.ts";
import { displayName, type Account } from "../../model/account/account.ts";
import type { Passkey } from "../../store/private/proofs.ts";
import type { Accounts } from "./accounts.ts";
import { audit } from "./auditing.ts";
import { seal, unseal } from "./sealed.ts";

const webauthn = () => importModule<typeof import("@simplewebauthn/server")>("@simplewebauthn/server");

/** Where the browser is: scheme, host and port. */
interface Place {
  readonly origin: string;
}

interface Begun<Options> {
  readonly options: Options;
  /** For the browser, with which it finishes. */
  readonly sealed: string;
}

const PER_ACCOUNT = 20;
const hostOf = ({ origin }: Place): string => new URL(origin).hostname;

export async function beginPasskey(
  accounts: Accounts,
  account: Account,
  place: Place,
  site: string,
): Promise<Begun<PublicKeyCredentialCreationOptionsJSON>> {
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    ...{ rpName: site, rpID: hostOf(place), userName: account.username, userDisplayName: displayName(account) },
    userID: new TextEncoder().encode(String(account.id)),
    excludeCredentials: (await passkeysOf(accounts, account)).map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { options, sealed: await sealed(accounts, `passkey of ${account.id}`, options.challenge) };
}

/** @throws CmsError `invalid` for a response that does not hold, `conflict` for too many */
export async function addPasskey(
  accounts: Accounts,
  account: Account,
  place: Place,
  { name, response, sealed: kept }: { readonly name: string; readonly response: unknown; readonly sealed: string },
): Promise<Passkey> {
  const { verifyRegistrationResponse } = await webauthn();
  const expectedChallenge = await challengeIn(accounts, `passkey of ${account.id}`, kept);
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      ...{
        expectedChallenge,
        expectedOrigin: place.origin,
        expectedRPID: hostOf(place),
        requireUserVerification: true,
      },
    }),
  );
  const { id, publicKey, counter, transports = [] } = registrationInfo!.credential;
  const made: Passkey = {
    ...{ id, account: account.id, public_key: Buffer.from(publicKey).toString("base64url"), counter },
    ...{ transports, host: hostOf(place), name, created_at: accounts.env.now(), last_used_at: null },
  };
  await accounts.proofs.update((proofs) => {
    const { passkeys } = proofs;
    if (passkeys.some((each) => each.id === id)) throw invalid({ response: ["This passkey is known already."] });
    if (passkeys.filter((each) => each.account === account.id).length >= PER_ACCOUNT)
      throw new CmsError("conflict", `An account has at most ${PER_ACCOUNT} passkeys.`);
    return [{ ...proofs, passkeys: [...passkeys, made] }, undefined];
  });
  audit(accounts, { event: "passkey-added", about: account, detail: name });
  return made;
}

/** Oldest first. */
export const passkeysOf = async ({ proofs }: Accounts, { id }: Account): Promise<readonly Passkey[]> =>
  (await proofs.read()).passkeys.filter(({ account }) => account === id);

/** @throws CmsError `not_found` */
export async function removePasskey(accounts: Accounts, account: Account, id: string): Promise<void> {
  const removed = await accounts.proofs.update((proofs) => {
    const found = proofs.passkeys.find((each) => each.account === account.id && each.id === id);
    const passkeys = proofs.passkeys.filter((each) => each !== found);
    return found ? [{ ...proofs, passkeys }, found] : [proofs, undefined];
  });
  if (!removed) throw notFound("Passkey");
  audit(accounts, { event: "passkey-removed", about: account, detail: removed.name });
}

/** Names nobody: which passkeys there are is seen by their owner alone, in the browser. */
export async function beginPasskeySignIn(
  accounts: Accounts,
  place: Place,
): Promise<Begun<PublicKeyCredentialRequestOptionsJSON>> {
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({ rpID: hostOf(place), userVerification: "required" });
  return { options, sealed: await sealed(accounts, "passkey sign-in", options.challenge) };
}

/** @returns the active account that a passkey is of @throws CmsError `invalid` */
export async function accountByPasskey(
  accounts: Accounts,
  place: Place,
  { response, sealed: kept }: { readonly response: unknown; readonly sealed: string },
): Promise<Account> {
  const { verifyAuthenticationResponse } = await webauthn();
  const expectedChallenge = await challengeIn(accounts, "passkey sign-in", kept);
  const sent = response as AuthenticationResponseJSON | null;
  const passkey = (await accounts.proofs.read()).passkeys.find(({ id }) => id === sent?.id);
  const account = passkey && (await accounts.store.find(passkey.account));
  if (!passkey || !account?.is_active || passkey.host !== hostOf(place)) throw refused(accounts, account);
  const { authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response: sent!,
      ...{ expectedChallenge, expectedOrigin: place.origin, expectedRPID: passkey.host, requireUserVerification: true },
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, "base64url")),
        counter: passkey.counter,
      },
    }),
  ).catch(() => Promise.reject(refused(accounts, account)));
  if (!accounts.spent.spend(expectedChallenge)) throw refused(accounts, account);
  const used = { counter: authenticationInfo.newCounter, last_used_at: accounts.env.now() };
  await accounts.proofs.update((proofs) => [
    { ...proofs, passkeys: proofs.passkeys.map((each) => (each.id === passkey.id ? { ...each, ...used } : each)) },
    undefined,
  ]);
  return accounts.store.update(account.id, (newest) => {
    if (!newest.is_active) throw refused(accounts, newest);
    return { ...newest, last_login: accounts.env.now() };
  });
}

const sealed = async ({ store, env }: Accounts, purpose: string, challenge: string): Promise<string> =>
  seal(await store.secret(), purpose, { challenge }, env.now());

/** @throws CmsError `invalid` */
async function challengeIn({ store, env }: Accounts, purpose: string, kept: string): Promise<string> {
  const challenge = unseal(await store.secret(), purpose, kept, env.now())?.challenge;
  if (typeof challenge === "string") return challenge;
  throw invalid({ response: ["This took too long, or began in another browser."] });
}

/** The package throws for what is malformed, and answers false for what is forged. */
async function verified<T extends { readonly verified: boolean }>(verify: () => Promise<T>): Promise<T> {
  const outcome = await verify().catch((error: unknown) => messageOf(error));
  if (typeof outcome === "string" || !outcome.verified)
    throw invalid({ response: [`The passkey does not hold${typeof outcome === "string" ? `: ${outcome}` : "."}`] });
  return outcome;
}

/** The same for an unknown passkey and a wrong answer. */
function refused(accounts: Accounts, about: Account | undefined): CmsError {
  audit(accounts, { event: "sign-in-refused", ...(about && { about }), detail: "passkey" });
  return invalid({ response: ["This passkey does not sign in here."] });
}
