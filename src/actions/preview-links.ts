/**
 * Preview links: made, found by the token in their address, revoked.
 *
 * The signature is derived from the link and the secret of the accounts whenever it is needed, as tokens are.
 * It covers everything that the link says, so that a record that was changed opens nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { CmsError, notFound } from "../errors.ts";
import type { Account } from "../model/account/account.ts";
import type { Instant } from "../model/time/instant.ts";
import type { PreviewLink } from "../model/page/preview-link.ts";
import { isViewNarrowed, withRights } from "../model/access/role-rights.ts";
import { rolesIn } from "../store/records/people/roles.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Context } from "./context.ts";

/** 96 bits: ids of links are not guessed, but are no secret either. */
const ID_BYTES = 12;

type LinkContext = Pick<Context, "accounts" | "live">;

type NewLink = Omit<PreviewLink, "id" | "created_at" | "account" | "token_version">;

/** @throws CmsError `conflict` when there are too many links */
export async function addPreviewLink(ctx: LinkContext, by: Account, link: NewLink): Promise<PreviewLink> {
  const { accounts } = ctx;
  const created = accounts.env.now();
  const made: PreviewLink = {
    ...link,
    id: randomBytes(ID_BYTES).toString("base64url"),
    created_at: created,
    account: by.id,
    token_version: by.token_version,
  };
  const holds = await openHolding(ctx, created);
  if (!(await accounts.previewLinks.add(made, holds)))
    throw new CmsError("conflict", "There are too many preview links: revoke those that are not needed.");
  accounts.env.log.info(`Preview link ${made.id} was made by ${by.username}, until ${made.expires_at}`);
  return made;
}

/** The links that hold now, newest first. */
export async function listPreviewLinks(ctx: LinkContext): Promise<readonly PreviewLink[]> {
  const { accounts } = ctx;
  const holds = await openHolding(ctx, accounts.env.now());
  return (await accounts.previewLinks.list()).filter(holds).reverse();
}

/** @throws CmsError `not_found` */
export async function revokePreviewLink(accounts: Accounts, by: Account, id: string): Promise<void> {
  if (!(await accounts.previewLinks.remove(id))) throw notFound("PreviewLink");
  accounts.env.log.info(`Preview link ${id} was revoked by ${by.username}`);
}

/** What an address has: `<id>.<signature>`. */
export const tokenOfLink = async (accounts: Accounts, link: PreviewLink): Promise<string> =>
  `${link.id}.${signatureOf(await accounts.store.secret(), link)}`;

/**
 * The link with a token; undefined where it does not hold: unknown, revoked, expired, of another signature, or of an account
 * without the rights that it had. Which of these it is takes the same time and is not told.
 */
export async function findPreviewLink(ctx: LinkContext, token: string): Promise<PreviewLink | undefined> {
  const { accounts } = ctx;
  const at = token.indexOf(".");
  const [id, signature] = [token.slice(0, Math.max(at, 0)), token.slice(at + 1)];
  const found = (await accounts.previewLinks.list()).find((link) => link.id === id);
  const wanted = signatureOf(await accounts.store.secret(), found ?? NO_LINK);
  const isSigned = isEqual(signature, wanted);
  const holds = await openHolding(ctx, accounts.env.now());
  return found && isSigned && holds(found) ? found : undefined;
}

/** Whether links hold at a moment, with the accounts as they are now. */
async function openHolding({ accounts, live }: LinkContext, now: Instant): Promise<(link: PreviewLink) => boolean> {
  const roles = rolesIn(live.store.current);
  const makers = new Map((await accounts.store.list()).map((account) => [account.id, withRights(account, roles)]));
  return ({ account: id, token_version, expires_at }) => {
    const account = makers.get(id);
    return (
      account !== undefined &&
      account.is_active &&
      (account.is_staff || account.is_superuser) &&
      !isViewNarrowed(account, roles) &&
      account.token_version === token_version &&
      expires_at > now
    );
  };
}

const NO_LINK = {} as PreviewLink;

function signatureOf(secret: Buffer, link: PreviewLink): string {
  const { id, page, language, path, context, value, created_at, expires_at, account, token_version } = link;
  const said = [
    "preview-link",
    id,
    page,
    language,
    path,
    context,
    value,
    created_at,
    expires_at,
    account,
    token_version,
  ];
  return createHmac("sha256", secret).update(JSON.stringify(said)).digest("base64url");
}

function isEqual(sent: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
