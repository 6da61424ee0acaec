/** A browser for tests: signs in, keeps cookies, and sends the CSRF header as scripts would. */
import { addUser, type NewUser } from "../../../../src/actions/accounts/accounts.ts";
import type { Answer, AskOptions, TestSite } from "../../../site.ts";

export const PASSWORD = "correct horse";

export interface Browser {
  readonly cookies: Map<string, string>;
  /** With its cookies, and the CSRF header on writes. */
  ask(method: string, path: string, options?: AskOptions): Promise<Answer>;
}

/** Signs in, creating the account if needed. */
export async function signIn(site: TestSite, username: string, account: Partial<NewUser> = {}): Promise<Browser> {
  const { accounts } = site.cms;
  if (!(await accounts.store.findByName(username)))
    await addUser(accounts, { username, password: PASSWORD, ...account });
  const browser = browserOf(site);
  const answer = await browser.ask("POST", "api:auth/login/", {
    body: { username, password: account.password ?? PASSWORD },
  });
  if (answer.status !== 200) throw new Error(`${username} was not let in: ${answer.status} ${answer.text}`);
  return browser;
}

export function browserOf(site: TestSite): Browser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async ask(method, path, options = {}) {
      const isWrite = !["GET", "HEAD", "OPTIONS"].includes(method);
      const csrf = cookies.get("csrftoken");
      const answer = await site.ask(method, path, {
        ...options,
        headers: {
          ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") }),
          ...(isWrite && csrf !== undefined && { "x-csrftoken": csrf }),
          ...options.headers,
        },
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
        if (/max-age=0\b/i.test(cookie)) cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      return answer;
    },
  };
}
