/**
 * What one may do with accounts: make them, prove to be one, take them back.
 *
 * Passwords are hashed with scrypt, two at a time, so that a storm of sign-ins cannot take the machine. A token is
 * derived from the account and a secret whenever it is needed: nothing that opens the door is stored (decisions.md 30).
 */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { Env } from "../env.ts";
import { CmsError, invalid, notFound, refuseInvalid } from "../errors.ts";
import {
  emailErrors, isTooLong, nameErrors, normalUsername, passwordErrors, usernameErrors, type Account,
} from "../model/account.ts";
import { msOf } from "../model/instant.ts";
import type { Id } from "../model/page.ts";
import { accountStore, type AccountStore } from "../store/accounts.ts";
import { sessionStore, type SessionStore } from "../store/sessions.ts";
import { countAttempts, type Attempts } from "./attempts.ts";

export interface Accounts {
  readonly store: AccountStore;
  readonly sessions: SessionStore;
  readonly attempts: Attempts;
  readonly hasher: Hasher;
  readonly env: Env;
}

/** scrypt's parameters: memory is 128 * N * r bytes. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export interface NewUser {
  readonly username: string;
  readonly password: string;
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly is_staff?: boolean;
  readonly is_superuser?: boolean;
  readonly is_active?: boolean;
  readonly user_permissions?: readonly string[] | null;
}

const COST: HashCost = { N: 2 ** 16, r: 8, p: 1 }; // about 160 ms and 64 MiB
const RUNNING = 2;
const WAITING = 16;

/** @param options.cost lower only for tests: hashes made with it are worth little */
export const openAccounts = (stateDir: string, env: Env, options: { cost?: HashCost } = {}): Accounts => ({
  store: accountStore(stateDir, env),
  sessions: sessionStore(stateDir),
  attempts: countAttempts(),
  hasher: passwordHasher(options.cost ?? COST),
  env,
});

/** @throws CmsError `invalid` with everything wrong by field, or when the name is taken */
export async function addUser(accounts: Accounts, user: NewUser): Promise<Account> {
  const username = normalUsername(user.username);
  refuseMessages({
    username: usernameErrors(username),
    email: emailErrors(user.email ?? ""),
    first_name: nameErrors(user.first_name ?? ""),
    last_name: nameErrors(user.last_name ?? ""),
    password: passwordErrors(user.password, username),
  });
  return accounts.store.add({
    username,
    email: user.email ?? "",
    first_name: user.first_name ?? "",
    last_name: user.last_name ?? "",
    is_staff: user.is_staff ?? false,
    is_superuser: user.is_superuser ?? false,
    is_active: user.is_active ?? true,
    user_permissions: user.user_permissions ?? null,
    password: await accounts.hasher.hash(user.password),
  });
}

/**
 * Also ends the account's token and sessions.
 *
 * @throws CmsError `not_found`, or `invalid` when the password breaks the rules
 */
export async function setPassword(accounts: Accounts, id: Id, password: string): Promise<Account> {
  const account = await accounts.store.find(id);
  if (!account) throw notFound("User");
  refuseMessages({ password: passwordErrors(password, account.username) });
  const hash = await accounts.hasher.hash(password);
  return accounts.store.update(id, (newest) => ({ ...withNewToken(newest), password: hash }));
}

/** @throws CmsError `not_found` */
export const removeUser = (accounts: Accounts, id: Id): Promise<void> => accounts.store.remove(id);

/**
 * The account a name and password belong to, its `last_login` set to now.
 *
 * A wrong password, an unknown name and a disabled account give the same answer after the same work. A hash made with
 * other parameters than today's is replaced on the way.
 *
 * @param address where the attempt comes from; failures count against it and against the name
 * @throws CmsError `invalid` when they do not belong together, `throttled` after too many failures, `unavailable` when
 *   too many are waiting already
 */
export async function authenticate(accounts: Accounts, username: string, password: string, address = ""): Promise<Account> {
  const attempt = accounts.attempts.begin(username, address, msOf(accounts.env.now()));
  try {
    const account = await prove(accounts, username, password);
    attempt.succeed();
    return account;
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "invalid") attempt.withdraw();
    throw error;
  }
}

async function prove({ store, hasher, env }: Accounts, username: string, password: string): Promise<Account> {
  if (isTooLong(password)) throw wrongCredentials();
  const account = await store.findByName(username);
  const matches = await hasher.matches(password, account?.password ?? null);
  if (!account || !matches || !account.is_active) throw wrongCredentials();
  const rehashed = hasher.isCurrent(account.password) ? account.password : await hasher.hash(password);
  return store.update(account.id, (newest) => {
    // Changed or disabled while the hash was computed: what was proven is no longer true.
    if (newest.password !== account.password || !newest.is_active) throw wrongCredentials();
    return { ...newest, password: rehashed, last_login: env.now() };
  });
}

/** The account's token: 40 hexadecimal digits, the same until its version changes. */
export const tokenOf = async (accounts: Accounts, account: Account): Promise<string> =>
  derive(await accounts.store.secret(), account);

/** The same, noted as given out. */
export async function giveToken(accounts: Accounts, account: Account): Promise<string> {
  const noted = account.has_token ? account : await accounts.store.update(account.id, (newest) => ({ ...newest, has_token: true }));
  return tokenOf(accounts, noted);
}

/** The active account whose token this is. Takes as long for any token of the right form, whoever's it is. */
export function accountByToken(accounts: Accounts, token: string): Promise<Account | undefined> {
  return openedBy(accounts, token, (account) => (account.is_active ? account : undefined));
}

/**
 * Whether this was the token of an account that is disabled now (decisions.md 66). Disabling raises the version of an
 * account's token, so that enabling it again does not bring the old one back: the one before is what is known of it.
 */
export async function isTokenOfDisabled(accounts: Accounts, token: string): Promise<boolean> {
  const before = (account: Account): Account => ({ ...account, token_version: account.token_version - 1 });
  for (const version of [(account: Account) => account, before]) {
    const account = await openedBy(accounts, token, (each) => (each.is_active ? undefined : version(each)));
    if (account) return true;
  }
  return false;
}

/** @param version the account as it was when its token counted; undefined where none of its tokens does */
async function openedBy(
  accounts: Accounts,
  token: string,
  version: (account: Account) => Account | undefined,
): Promise<Account | undefined> {
  if (!/^[0-9a-f]{40}$/.test(token)) return undefined;
  const given = Buffer.from(token);
  const secret = await accounts.store.secret();
  let found: Account | undefined;
  for (const account of await accounts.store.list()) {
    const counted = version(account);
    const isSame = timingSafeEqual(Buffer.from(derive(secret, counted ?? account)), given);
    if (isSame && counted) found = counted;
  }
  return found;
}

/** Makes the token given out so far worthless, and ends the sessions with it. @throws CmsError `not_found` */
export const rotateToken = (accounts: Accounts, id: Id): Promise<Account> => accounts.store.update(id, withNewToken);

/** The account with nothing given out. */
export const withNewToken = (account: Account): Account => ({ ...account, token_version: account.token_version + 1, has_token: false });

const derive = (secret: Buffer, { id, token_version }: Account): string =>
  createHmac("sha256", secret).update(`${id}:${token_version}`).digest("hex").slice(0, 40);

const wrongCredentials = (): CmsError =>
  invalid({ non_field_errors: ["Unable to log in with provided credentials."] });

function refuseMessages(errors: { readonly [field: string]: readonly string[] }): void {
  refuseInvalid(Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0)));
}

export interface Hasher {
  /** `scrypt$N$r$p$salt$hash`, the last two base64url. */
  hash(password: string): Promise<string>;
  /** Null, or a hash that cannot be read, costs as much as any other and never matches. */
  matches(password: string, stored: string | null): Promise<boolean>;
  /** Whether a stored hash has today's parameters. */
  isCurrent(stored: string | null): boolean;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;

function passwordHasher(cost: HashCost): Hasher {
  const inTurn = turns(RUNNING, WAITING);
  const nobody: StoredHash = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return writeHash({ cost, salt, hash: await inTurn(() => derivedKey(password, salt, cost)) });
    },
    async matches(password, stored) {
      const target = readHash(stored) ?? nobody;
      return timingSafeEqual(await inTurn(() => derivedKey(password, target.salt, target.cost)), target.hash);
    },
    isCurrent(stored) {
      const used = readHash(stored)?.cost;
      return used !== undefined && used.N === cost.N && used.r === cost.r && used.p === cost.p;
    },
  };
}

interface StoredHash {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const writeHash = ({ cost: { N, r, p }, salt, hash }: StoredHash): string =>
  ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");

function readHash(stored: string | null): StoredHash | undefined {
  const match = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored ?? "");
  if (!match) return undefined;
  const [N, r, p] = match.slice(1, 4).map(Number) as [number, number, number];
  const [salt, hash] = match.slice(4).map((part) => Buffer.from(part, "base64url")) as [Buffer, Buffer];
  const usable = N > 1 && N <= 2 ** 20 && (N & (N - 1)) === 0 && r > 0 && r <= 32 && p > 0 && hash.length === HASH_BYTES;
  return usable ? { cost: { N, r, p }, salt, hash } : undefined;
}

function derivedKey(password: string, salt: Buffer, { N, r, p }: HashCost): Promise<Buffer> {
  const maxmem = 256 * N * r; // Node's own limit is half of what N = 2^16 needs
  // One keyboard sends a letter and its accent as one character, another as two.
  const text = password.normalize("NFKC");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, HASH_BYTES, { N, r, p, maxmem }, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/**
 * Lets so many run at a time, and so many more wait, first come first served.
 *
 * @throws CmsError `unavailable`, from the function it gives, when that many are waiting
 */
function turns(running: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let busy = 0;
  return async (work) => {
    if (busy >= running) {
      if (queue.length >= waiting) throw new CmsError("unavailable", "Too many sign-ins at once.", { retryAfter: 2 });
      await new Promise<void>((resolve) => queue.push(resolve)); // whoever ends hands its place over
    } else busy++;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else busy--;
    }
  };
}
