/** One-time codes of accounts: turned on and off, asked for at sign-ins; and the recovery codes for a lost telephone. */
import { createHash, randomBytes } from "node:crypto";
import { invalid } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import { base32Of, SECRET_BYTES, secretOf, stepOfCode } from "../../model/account/one-time-code.ts";
import { REQUIRED } from "../../model/input/input-errors.ts";
import type { OneTimeCodes, Proofs } from "../../store/private/proofs.ts";
import type { Accounts } from "./accounts.ts";
import { audit } from "./auditing.ts";

const RECOVERY_CODES = 10;
const RECOVERY = /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/;

/** A secret for an app, which is not stored yet. @param site its name in the app */
export function newCodeSecret({ username }: Account, site: string): { readonly secret: string; readonly uri: string } {
  const secret = base32Of(randomBytes(SECRET_BYTES));
  const label = encodeURIComponent(`${site}:${username}`);
  return { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(site)}` };
}

/**
 * Turns codes on, or gives the account another secret.
 *
 * @param code of the app, which proves that it has the secret
 * @returns the recovery codes, which are not known again later @throws CmsError `invalid`
 */
export async function turnOnCodes(
  accounts: Accounts,
  account: Account,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<readonly string[]> {
  const bytes = secretOf(secret);
  if (!bytes) throw invalid({ secret: ["A secret of users/current/codes/new/ is expected."] });
  const last_step = stepOfCode(bytes, code.replaceAll(" ", ""), accounts.env.now(), 0);
  if (last_step === undefined) throw wrongCode();
  const recovery = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const made: OneTimeCodes = { account: account.id, secret, last_step, recovery: recovery.map(hashOf) };
  await accounts.proofs.update((proofs) => [
    { ...proofs, codes: [...proofs.codes.filter((each) => each.account !== account.id), made] },
    undefined,
  ]);
  audit(accounts, { event: "codes-on", about: account });
  return recovery;
}

export async function turnOffCodes(accounts: Accounts, account: Account): Promise<void> {
  const wereOn = await accounts.proofs.update((proofs) => {
    const codes = proofs.codes.filter((each) => each.account !== account.id);
    return codes.length === proofs.codes.length ? [proofs, false] : [{ ...proofs, codes }, true];
  });
  if (wereOn) audit(accounts, { event: "codes-off", about: account });
}

/** @returns undefined where the account has none */
export const codesOf = async ({ proofs }: Accounts, { id }: Account): Promise<OneTimeCodes | undefined> =>
  (await proofs.read()).codes.find(({ account }) => account === id);

/**
 * Takes a code of the app, or a recovery code, where the account has turned codes on.
 *
 * @throws CmsError `invalid` with the key `code`, for a missing one, a wrong one, and one that was used
 */
export async function takeCode(accounts: Accounts, account: Account, code: string): Promise<void> {
  if (!(await codesOf(accounts, account))) return;
  const plain = code.trim().toLowerCase().replaceAll(" ", "");
  if (plain === "") throw invalid({ code: [REQUIRED] });
  const isTaken = await accounts.proofs.update((proofs): [Proofs, boolean | "recovery"] => {
    const own = proofs.codes.find((each) => each.account === account.id);
    if (!own) return [proofs, true];
    const replaced = (next: OneTimeCodes): Proofs => ({
      ...proofs,
      codes: proofs.codes.map((each) => (each === own ? next : each)),
    });
    const secret = secretOf(own.secret);
    const step = secret && stepOfCode(secret, plain, accounts.env.now(), own.last_step);
    if (step !== undefined) return [replaced({ ...own, last_step: step }), true];
    if (!RECOVERY.test(plain) || !own.recovery.includes(hashOf(plain))) return [proofs, false];
    return [replaced({ ...own, recovery: own.recovery.filter((hash) => hash !== hashOf(plain)) }), "recovery"];
  });
  if (isTaken === "recovery") audit(accounts, { event: "recovery-code-used", about: account });
  if (isTaken === false) throw wrongCode();
}

const wrongCode = () => invalid({ code: ["This code does not hold."] });

/** 80 bits. */
const newRecoveryCode = (): string =>
  base32Of(randomBytes(10))
    .toLowerCase()
    .replace(/.{4}(?=.)/g, "$&-");

const hashOf = (code: string): string => createHash("sha256").update(code).digest("base64url");
