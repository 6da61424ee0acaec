/** Accounts. They are private state of this machine, in `.git/cms/`, and no write makes a commit. */
import { addUser, removeUser, setPassword, type NewUser } from "../actions/accounts/accounts.ts";
import { issueToken } from "../actions/accounts/sign-in.ts";
import type { Account } from "../model/account/account.ts";
import type { Id } from "../model/page/page.ts";
import { userPayload } from "../views/records/account.ts";
import type { SiteContext } from "./context.ts";
import type { UserPayload } from "./payloads.ts";

export interface Users {
  /** @throws CmsError `invalid` with messages by field, as for a name that is taken */
  create(values: NewUser): Promise<UserPayload>;
  /** @throws CmsError `not_found` */
  get(id: Id): Promise<UserPayload>;
  /** undefined when there is none of the name. */
  findByName(username: string): Promise<UserPayload | undefined>;
  list(): Promise<readonly UserPayload[]>;
  /** Changes the password, which revokes token and sessions. @throws CmsError `invalid`, `not_found` */
  setPassword(id: Id, password: string): Promise<UserPayload>;
  /** The token for the header `Authorization: Token ...`; the same until it is revoked. @throws CmsError `not_found` */
  token(id: Id): Promise<string>;
  /** @throws CmsError `not_found` */
  delete(id: Id): Promise<void>;
}

export function openUsers({ accounts }: SiteContext): Users {
  const show = (account: Account): UserPayload => userPayload(account) as UserPayload;
  return {
    create: async (values) => show(await addUser(accounts, values)),
    get: async (id) => show(await accounts.store.get(id)),
    async findByName(username) {
      const account = await accounts.store.findByName(username);
      return account && show(account);
    },
    list: async () => (await accounts.store.list()).map(show),
    setPassword: async (id, password) => show(await setPassword(accounts, id, password)),
    token: async (id) => issueToken(accounts, await accounts.store.get(id)),
    delete: (id) => removeUser(accounts, id),
  };
}
