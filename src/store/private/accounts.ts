/** The accounts, and the secret their tokens are derived under: one private file, `accounts.json`. */
import { randomBytes } from "node:crypto";
import type { Env } from "../../env.ts";
import { invalid, notFound, setup } from "../../errors.ts";
import { sameUsername, type Account } from "../../model/account.ts";
import { parseInstant } from "../../model/instant.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import type { Id } from "../../model/page.ts";
import { privateFile } from "./private-state.ts";

export type NewAccount = Omit<Account, "id" | "date_joined" | "last_login" | "token_version" | "has_token">;

export interface AccountStore {
  /** In the order they joined. An account is the very same object until the file changes. */
  list(): Promise<readonly Account[]>;
  find(id: Id): Promise<Account | undefined>;
  /** @throws CmsError `not_found` */
  get(id: Id): Promise<Account>;
  /** Whatever the case of the name. */
  findByName(username: string): Promise<Account | undefined>;
  /** @throws CmsError `invalid` when the name is taken */
  add(account: NewAccount): Promise<Account>;
  /**
   * @param change sees the newest state of the account; the id stays whatever it says
   * @throws CmsError `not_found`, or `invalid` when the new name is taken
   */
  update(id: Id, change: (account: Account) => Account): Promise<Account>;
  /**
   * @param permit sees the newest state and may throw: then it stays
   * @throws CmsError `not_found`
   */
  remove(id: Id, permit?: (account: Account) => void): Promise<void>;
  /** 32 random bytes, made when first asked for and the same ever after. */
  secret(): Promise<Buffer>;
}

interface State {
  /** base64url */
  readonly secret: string | null;
  readonly accounts: readonly Account[];
}

const NAME = "accounts.json";

export function accountStore(stateDir: string, env: Env): AccountStore {
  const file = privateFile<State>({ dir: stateDir, name: NAME, empty: { secret: null, accounts: [] }, parse: stateOf });

  return {
    list: async () => (await file.read()).accounts,
    find: async (id) => (await file.read()).accounts.find((account) => account.id === id),
    get: async (id) => getAccount(await file.read(), id),
    findByName: async (username) =>
      (await file.read()).accounts.find((account) => sameUsername(account.username, username)),

    add: (fields) =>
      file.update((state) => {
        refuseTakenName(state, fields.username);
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

    update: (id, change) =>
      file.update((state) => {
        const before = getAccount(state, id);
        const after = { ...change(before), id };
        if (!sameUsername(after.username, before.username)) refuseTakenName(state, after.username);
        const accounts = state.accounts.map((account) => (account.id === id ? after : account));
        return [{ ...state, accounts }, after];
      }),

    remove: (id, permit) =>
      file.update((state) => {
        const gone = getAccount(state, id);
        permit?.(gone);
        return [{ ...state, accounts: state.accounts.filter((account) => account !== gone) }, undefined];
      }),

    async secret() {
      const secret =
        (await file.read()).secret ??
        (await file.update((state) => {
          const made = state.secret ?? randomBytes(32).toString("base64url");
          return [made === state.secret ? state : { ...state, secret: made }, made];
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

function freeId(state: State, env: Env): Id {
  for (;;) {
    const id = env.randomId();
    if (!state.accounts.some((account) => account.id === id)) return id;
  }
}

function stateOf(raw: unknown): State {
  const { secret, accounts } = isObject(raw) ? raw : {};
  const sound = (secret === null || (typeof secret === "string" && secret.length >= 43)) && Array.isArray(accounts);
  if (!sound)
    throw setup(`${NAME} in the private state is damaged: bring it back from a backup, or remove it to start anew.`);
  return { secret, accounts: accounts.map(accountOf) };
}

/** Key by key, so that the file cannot bring in a property nobody knows of. */
function accountOf(raw: unknown, index: number): Account {
  const entry: JsonObject = isObject(raw) ? raw : {};
  const { id, username, token_version, user_permissions } = entry;
  const joined = parseInstant(entry.date_joined);
  if (!isCount(id) || !isCount(token_version) || typeof username !== "string" || !joined) {
    throw setup(`${NAME} in the private state is damaged at entry ${index}: mend it, or bring it back from a backup.`);
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
    // A list that cannot be read narrows to nothing: rights must not grow by damage.
    user_permissions:
      user_permissions === null ? null : Array.isArray(user_permissions) ? user_permissions.map(String) : [],
    password: typeof entry.password === "string" ? entry.password : null,
    token_version,
    has_token: entry.has_token === true,
    date_joined: joined,
    last_login: parseInstant(entry.last_login) ?? null,
  };
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31;
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
