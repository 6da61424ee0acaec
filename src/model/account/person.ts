/**
 * Who did something, as content has it: accounts are private state and differ between servers, so content has their names.
 *
 * Servers that sync know a person by the user name.
 */
import { displayName, sameUsername, type Account } from "./account.ts";

export interface Person {
  readonly username: string;
  readonly name: string;
  /** As commits have it: of an account without an address, `<username>@cms.invalid`. */
  readonly email: string;
}

export const personOf = (account: Pick<Account, "username" | "first_name" | "last_name" | "email">): Person => ({
  username: account.username,
  name: displayName(account as Account),
  email: account.email || `${account.username}@cms.invalid`,
});

/** In UTF-16 units: of a text, what follows is not searched for names. */
const SEARCHED_MAX = 10_000;

/** The user names after an `@` in a text; what they name need not exist. */
export function mentionsIn(text: string): readonly string[] {
  const words = text.slice(0, SEARCHED_MAX).split(/[^\p{L}\p{N}@.+_-]/u);
  const names = words.filter((word) => word.startsWith("@")).map((word) => withoutStops(word.slice(1)));
  return [...new Set(names)].filter((name) => name !== "");
}

/** The end of a sentence is none of the name. */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && ".-+".includes(word[end - 1]!)) end--;
  return word.slice(0, end);
}

export const isMentioned = (username: string, text: string): boolean =>
  mentionsIn(text).some((name) => sameUsername(name, username));
