/** Payloads of revisions, which are commits. */
import type { Account } from "../model/account.ts";
import { showInstant } from "../model/instant.ts";
import type { FileChange } from "../store/history/history.ts";
import type { Payload } from "./view.ts";

/**
 * `comment` is the body of the commit message, or else its subject; `user` is the account with the author's address,
 * null for commits by others or by hand (contract.md 7.9, decisions.md 12).
 */
export function revisionPayload(accounts: readonly Account[]): (change: FileChange) => Payload {
  const byEmail = new Map(
    accounts.map(({ username, email }) => [(email || `${username}@cms.invalid`).toLowerCase(), username]),
  );
  return ({ commit, at, author, message }) => ({
    id: commit,
    revision_id: commit,
    date_created: showInstant(at),
    comment: commentOf(message),
    user: byEmail.get(author.email.toLowerCase()) ?? null,
    author: author.name,
  });
}

/** The message without its trailers: its body, or its subject where there is no body. */
function commentOf(message: string): string {
  const [subject = "", ...paragraphs] = message.trim().split(/\n\s*\n/);
  const body = paragraphs.filter(
    (text, at) => at < paragraphs.length - 1 || !/^(?:[A-Za-z][\w-]*: .*(?:\n|$))+$/.test(text),
  );
  return body.join("\n\n").trim() || subject.trim();
}
