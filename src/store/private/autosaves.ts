/**
 * What accounts typed into pages and did not save yet: one private file for each account, page and language,
 * with the values of each tab: two tabs do not overwrite each other.
 *
 * It is not content: other people do not see it, and it is no commit.
 */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { CmsError } from "../../errors.ts";
import { parseInstant, type Instant } from "../../model/time/instant.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";
import { privateFile, type PrivateFile } from "./private-file.ts";
import { undefinedIf } from "./private-lock.ts";

export interface Autosave {
  /** Fields of the page, as its draft would have them; not validated, since they may be in the middle of a change. */
  readonly values: JsonObject;
  /** The version of the page that the values are based on; null: unknown. */
  readonly version: string | null;
  readonly saved_at: Instant;
}

export interface AutosaveKey {
  readonly account: Id;
  readonly page: Id;
  readonly lang: Lang;
}

export interface Autosaves {
  /** By tab. */
  read(key: AutosaveKey): Promise<TabAutosaves>;
  /**
   * Durable when it returns. Of the tabs, the newest `TABS_MAX` are kept. At the limit, those of pages that no longer exist make room.
   *
   * @param exists whether there is a page of this id
   * @throws CmsError `conflict` when the account has `PER_ACCOUNT` others of pages that exist, `unavailable`
   */
  write(key: AutosaveKey, tab: string, autosave: Autosave, exists: (page: Id) => boolean): Promise<void>;
  /** Does nothing if there is none. @param tab left out: of all tabs */
  remove(key: AutosaveKey, tab?: string): Promise<void>;
  /** Those of every account and language, of pages that were deleted. */
  removeOfPages(pages: ReadonlySet<Id>): Promise<void>;
  /**
   * Those of accounts that were deleted, also what a request of such an account was still writing when an earlier one was.
   *
   * @param accounts called after the files are listed, so that none of a new account is removed
   */
  removeOfOthersThan(accounts: () => Promise<ReadonlySet<Id>>): Promise<void>;
  /** The pages and languages in which an account has unsaved values. */
  list(account: Id): Promise<readonly AutosaveKey[]>;
}

/** The values of each tab by its name, which the client chooses; "": that of a client without tabs. */
export type TabAutosaves = Readonly<Record<string, Autosave>>;

const TABS_MAX = 10;

/** A script that opens page after page must not fill the disk. */
export const PER_ACCOUNT = 200;

export function openAutosaves(stateDir: string): Autosaves {
  const dir = join(stateDir, "autosaves");
  const fileOf = (key: AutosaveKey): PrivateFile<TabAutosaves> =>
    privateFile<TabAutosaves>({ dir, name: nameOf(key), empty: {}, parse: tabsOf });

  async function all(): Promise<AutosaveKey[]> {
    const names = (await readdir(dir).catch(undefinedIf("ENOENT"))) ?? [];
    return names.flatMap((name) => keyOf(name) ?? []);
  }

  const list = async (account: Id): Promise<AutosaveKey[]> => (await all()).filter((key) => key.account === account);

  const removeFile = (key: AutosaveKey): Promise<void> => rm(join(dir, nameOf(key)), { force: true });

  return {
    list,
    async remove(key, tab) {
      if (tab === undefined) return removeFile(key);
      const left = Object.keys(await fileOf(key).read()).filter((each) => each !== tab);
      if (left.length === 0) return removeFile(key);
      await fileOf(key).update((tabs) => [withoutTab(tabs, tab), undefined]);
    },
    read: (key) => fileOf(key).read(),
    async write(key, tab, autosave, exists) {
      let others = (await list(key.account)).filter(({ page, lang }) => page !== key.page || lang !== key.lang);
      if (others.length >= PER_ACCOUNT) {
        await Promise.all(others.filter(({ page }) => !exists(page)).map(removeFile));
        others = others.filter(({ page }) => exists(page));
      }
      if (others.length >= PER_ACCOUNT)
        throw new CmsError(
          "conflict",
          `There are unsaved values of ${others.length} other pages. Save or discard some.`,
        );
      await fileOf(key).update((tabs) => {
        const next = [...Object.entries(withoutTab(tabs, tab)), [tab, autosave] as const];
        return [Object.fromEntries(next.slice(-TABS_MAX)), undefined];
      });
    },
    async removeOfPages(pages) {
      await Promise.all((await all()).filter(({ page }) => pages.has(page)).map(removeFile));
    },
    async removeOfOthersThan(accounts) {
      const keys = await all();
      const known = await accounts();
      await Promise.all(keys.filter(({ account }) => !known.has(account)).map(removeFile));
    },
  };
}

const nameOf = ({ account, page, lang }: AutosaveKey): string => `${account}-${page}-${lang}.json`;

function keyOf(name: string): AutosaveKey | undefined {
  const match = /^(\d+)-(\d+)-([A-Za-z0-9-]+)\.json$/.exec(name);
  return match ? { account: Number(match[1]), page: Number(match[2]), lang: match[3]! } : undefined;
}

const withoutTab = (tabs: TabAutosaves, tab: string): TabAutosaves =>
  Object.fromEntries(Object.entries(tabs).filter(([each]) => each !== tab));

/** A file without tabs, as earlier versions wrote it, is that of a client without them. */
function tabsOf(raw: unknown): TabAutosaves {
  const isWithoutTabs = isObject(raw) && typeof raw.saved_at === "string";
  const tabs = isWithoutTabs ? { "": raw } : isObject(raw) ? raw : {};
  return Object.fromEntries(
    Object.entries(tabs).flatMap(([tab, each]) => {
      const autosave = autosaveOf(each);
      return autosave ? [[tab, autosave] as const] : [];
    }),
  );
}

/** A value of another form counts as none. */
function autosaveOf(raw: unknown): Autosave | null {
  if (!isObject(raw) || !isObject(raw.values)) return null;
  const { values, version } = raw;
  const savedAt = parseInstant(raw.saved_at);
  return savedAt ? { values, version: typeof version === "string" ? version : null, saved_at: savedAt } : null;
}
