/** Payloads of revisions, which are commits. */
import type { Account } from "../../model/account/account.ts";
import { showInstant } from "../../model/time/instant.ts";
import { readMessage } from "../../model/text/trailers.ts";
import type { FileChange } from "../../store/history/history.ts";
import type { Payload } from "../view.ts";

/**
 * `comment` is the body of the commit message, or else its subject; `user` is the account with the author's address,
 * null for commits by others or by hand.
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

function commentOf(message: string): string {
  const { subject, body } = readMessage(message);
  return body || subject;
}
