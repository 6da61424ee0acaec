/** Accounts of a site, each with its own requests. */
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import type { Answer, TestSite } from "../site.ts";

export interface TestPerson {
  /** A request with the account's token. */
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
  /** @returns the body of the answer @throws when the status is not 2xx */
  // oxlint-disable-next-line typescript/no-explicit-any
  api(method: string, path: string, body?: unknown): Promise<any>;
}

/** @param account its values, such as `{ roles: ["author"] }` */
export async function personAt(site: TestSite, username: string, account: object): Promise<TestPerson> {
  const values = { username, email: `${username}@example.org`, first_name: titled(username), ...account };
  const made = await addUser(site.cms.accounts, { password: `open-sesame-${username}`, ...values });
  const headers = { authorization: `Token ${await tokenOf(site.cms.accounts, made)}` };
  const ask: TestPerson["ask"] = (method, path, body) => site.ask(method, `api:${path}`, { body, headers });
  return {
    ask,
    async api(method, path, body) {
      const answer = await ask(method, path, body);
      if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
      return answer.text === "" ? undefined : answer.body;
    },
  };
}

const titled = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1);
