/** What every verb works on, handed down from `openCms`. */
import type { Accounts } from "./accounts.ts";
import type { Config } from "../config.ts";
import type { Env } from "../env.ts";
import type { Images } from "../model/image.ts";
import type { UnknownFields } from "../model/known-keys.ts";
import type { Locales } from "../model/locale.ts";
import type { History } from "../store/history.ts";
import type { Signature } from "../store/repo.ts";
import type { Store } from "../store/store.ts";

export interface Context {
  readonly config: Config;
  readonly locales: Locales;
  readonly store: Store;
  readonly history: History;
  readonly accounts: Accounts;
  readonly images: Images;
  readonly env: Env;
  /** What becomes of keys of a write that mean nothing (setting `API.UNKNOWN_FIELDS`; decisions.md 47). */
  readonly unknownFields: UnknownFields;
  /** Whether there is a template of this name below `templates/` just now (decisions.md 52). */
  hasTemplate(name: string): boolean;
}

/** Author of commits nobody in particular asked for, such as a sweep of due drafts. */
export const SERVICE: Signature = { name: "git-cms", email: "service@cms.invalid" };
