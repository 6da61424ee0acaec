/** What actions work on, passed down from `openCms`. */
import type { Accounts } from "./accounts/accounts.ts";
import type { Presence } from "./accounts/presence.ts";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import type { Images } from "../model/media/image-results.ts";
import type { UnknownFields } from "../model/input/known-keys.ts";
import type { Locales } from "../model/language/locale.ts";
import type { FindListError } from "../store/check/lists.ts";
import type { Autosaves } from "../store/private/autosaves.ts";
import type { CommittedFiles } from "../store/fork/committed-files.ts";
import type { History } from "../store/history/history.ts";
import type { Signature } from "../store/repo.ts";
import type { Store } from "../store/write/store.ts";

export interface Context {
  readonly config: Config;
  readonly locales: Locales;
  readonly store: Store;
  /** The newest content: in a site of other content, too, rights are those of now. */
  readonly live: { readonly store: Store; readonly locales: Locales };
  readonly history: History;
  readonly accounts: Accounts;
  readonly images: Images;
  readonly autosaves: Autosaves;
  readonly presence: Presence;
  readonly env: Env;
  /** Where a site at a commit has its files that are no records from, instead of the working tree. */
  readonly committedFiles?: CommittedFiles;
  /** The policy for unknown keys of a write (setting `API.UNKNOWN_FIELDS`). */
  readonly unknownFields: UnknownFields;
  /** Whether new pages may have the places of files below `static/`, as in an import. */
  readonly keepsAddresses?: true;
  /** Whether pages may name this template: it exists now below `templates/`, or another program renders the pages. */
  hasTemplate(name: string): boolean;
  /** Why what a page lists cannot be found. */
  readonly listError: FindListError;
}

/** Author of commits that the service makes by itself, such as publishing due drafts. */
export const SERVICE: Signature = { name: "git-cms", email: "service@cms.invalid" };
