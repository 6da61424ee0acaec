/** `accounts.json`: the accounts, and the secret from which their tokens are derived. */
import { randomBytes } from "node:crypto";
import type { Env } from "../../env.ts";
import { CmsError, invalid, notFound, setup } from "../../errors.ts";
import { sameUsername, type Account, type Identity } from "../../model/account/account.ts";
import { identityIn, isSameIdentity } from "../../model/account/identity.ts";
import { parseInstant } from "../../model/time/instant.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/page/page.ts";
import { privateFile } from "./private-file.ts";

export type NewAccount = Omit<Account, "id" | "date_joined" | "last_login" | "token_version" | "has_token">;

export interface AccountStore {
  /** In order of creation. An account is the same object until the file changes. */
  list(): Promise<readonly Account[]>;
  find(id: Id): Promise<Account | undefined>;
  /** @throws CmsError `not_found` */
  get(id: Id): Promise<Account>;
  /** Ignores case. */
  findByName(username: string): Promise<Account | undefined>;
  /** @throws CmsError `invalid` when the name is taken, `conflict` when the identity is */
  add(account: NewAccount): Promise<Account>;
  /**
   * Adds and changes accounts by their ids, in one write.
   *
   * @param changes get the newest state, undefined where there is none; they return undefined to leave it so
   * @throws CmsError `invalid` when another account has one of the names
   */
  putAll(changes: ReadonlyMap<Id, (newest: Account | undefined) => Account | undefined>): Promise<void>;
  /**
   * @param change gets the newest state of the account; the id cannot be changed
   * @throws CmsError `not_found`, or `invalid` when the new name is taken
   */
  update(id: Id, change: (account: Account) => Account): Promise<Account>;
  /**
   * @param permit gets the newest state and throws to keep the account
   * @throws CmsError `not_found`
   */
  remove(id: Id, permit?: (account: Account) => void): Promise<Account>;
  /** 32 random bytes, generated at the first call and stored. */
  secret(): Promise<Buffer>;
}

interface State {
  /** base64url */
  readonly secret: string | null;
  readonly accounts: readonly Account[];
}

/** In the folder of the private state. */
export const ACCOUNTS_FILE = "accounts.json";

export function accountStore(stateDir: string, env: Env): AccountStore {
  const file = privateFile<State>({
    dir: stateDir,
    name: ACCOUNTS_FILE,
    empty: { secret: null, accounts: [] },
    parse: stateOf,
  });

  return {
    list: async () => (await file.read()).accounts,
    find: async (id) => (await file.read()).accounts.find((account) => account.id === id),
    get: async (id) => getAccount(await file.read(), id),
    findByName: async (username) =>
      (await file.read()).accounts.find((account) => sameUsername(account.username, username)),

    add: (fields) =>
      file.update((state) => {
        refuseTakenName(state, fields.username);
        refuseTakenIdentity(state, fields.identity);
        const id = freeId(state, env);
        const account: Account = {
          ...fields,
          id,
          token_version: 1,
          has_token: false,
          date_joined: env.now(),
          last_login: null,
        };
        return [{ ...state, accounts: [...state.accounts, account] }, account];
      }),

    putAll: (changes) =>
      file.update((state) => {
        const byId = new Map(state.accounts.map((account) => [account.id, account]));
        for (const [id, change] of changes) {
          const after = change(byId.get(id));
          if (after) byId.set(id, { ...after, id });
        }
        const accounts = [...byId.values()];
        for (const { id, username } of accounts)
          if (changes.has(id))
            refuseTakenName({ ...state, accounts: accounts.filter((other) => other.id !== id) }, username);
        return [{ ...state, accounts }, undefined];
      }),

    update: (id, change) =>
      file.update((state) => {
        const before = getAccount(state, id);
        const after = { ...change(before), id };
        if (!sameUsername(after.username, before.username)) refuseTakenName(state, after.username);
        if (after.identity !== before.identity) refuseTakenIdentity(state, after.identity);
        const accounts = state.accounts.map((account) => (account.id === id ? after : account));
        return [{ ...state, accounts }, after];
      }),

    remove: (id, permit) =>
      file.update((state) => {
        const removed = getAccount(state, id);
        permit?.(removed);
        return [{ ...state, accounts: state.accounts.filter((account) => account !== removed) }, removed];
      }),

    async secret() {
      const secret =
        (await file.read()).secret ??
        (await file.update((state) => {
          if (state.secret !== null) return [state, state.secret];
          const generated = randomBytes(32).toString("base64url");
          return [{ ...state, secret: generated }, generated];
        }));
      return Buffer.from(secret, "base64url");
    },
  };
}

function getAccount(state: State, id: Id): Account {
  const account = state.accounts.find((one) => one.id === id);
  if (!account) throw notFound("User");
  return account;
}

function refuseTakenName(state: State, username: string): void {
  if (state.accounts.some((account) => sameUsername(account.username, username))) {
    throw invalid({ username: ["A user with that username already exists."] });
  }
}

/** Two browsers may sign a person in for the first time at once. */
function refuseTakenIdentity(state: State, identity: Identity | undefined): void {
  if (identity && state.accounts.some((account) => isSameIdentity(account.identity, identity)))
    throw new CmsError("conflict", "Another account is connected with this identity.");
}

function freeId(state: State, env: Env): Id {
  for (;;) {
    const id = env.randomId();
    if (!state.accounts.some((account) => account.id === id)) return id;
  }
}

function stateOf(raw: unknown): State {
  const { secret, accounts } = isObject(raw) ? raw : {};
  const isValidSecret = secret === null || (typeof secret === "string" && secret.length >= 43);
  if (!isValidSecret || !Array.isArray(accounts))
    throw setup(
      `${ACCOUNTS_FILE} in the private state is damaged: restore it from a backup, or remove it to start anew.`,
    );
  return { secret, accounts: accounts.map(accountOf) };
}

/** Key by key, so that unknown properties of the file are dropped. */
function accountOf(raw: unknown, index: number): Account {
  const entry: JsonObject = isObject(raw) ? raw : {};
  const { id, username, token_version, user_permissions } = entry;
  const identity = identityIn(entry.identity);
  const joined = parseInstant(entry.date_joined);
  if (!isCount(id) || !isCount(token_version) || typeof username !== "string" || !joined) {
    throw setup(
      `${ACCOUNTS_FILE} in the private state is damaged at entry ${index}: repair it, or restore it from a backup.`,
    );
  }
  return {
    id,
    username,
    email: textOf(entry.email),
    first_name: textOf(entry.first_name),
    last_name: textOf(entry.last_name),
    is_staff: entry.is_staff === true,
    is_superuser: entry.is_superuser === true,
    is_active: entry.is_active === true,
    // An invalid list means no permissions: damage must not add rights.
    user_permissions:
      user_permissions === null ? null : Array.isArray(user_permissions) ? user_permissions.map(String) : [],
    roles: rolesOf(entry.roles),
    password: typeof entry.password === "string" ? entry.password : null,
    token_version,
    has_token: entry.has_token === true,
    date_joined: joined,
    last_login: parseInstant(entry.last_login) ?? null,
    ...(identity && { identity }),
  };
}

/** Damage must not take the roles of an account away, which restrict it: it leaves one that allows nothing. */
const rolesOf = (value: unknown): readonly string[] =>
  value === undefined ? [] : Array.isArray(value) ? value.map(String) : [""];

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
