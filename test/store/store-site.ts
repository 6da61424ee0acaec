/** A store over either repository, with a person's hands on the same files. */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Env } from "../../src/env.ts";
import { instantOf } from "../../src/model/time/instant.ts";
import { withText, type Page, type PageText } from "../../src/model/page/page.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import { REDIRECTS } from "../../src/store/records/redirects.ts";
import { memoryRepo } from "../support/memory-repo.ts";
import type { LogEntry, Path, Repo } from "../../src/store/repo.ts";
import { openStore, type Author, type Store, type StoreOptions } from "../../src/store/write/store.ts";
import type { Tx } from "../../src/store/write/transaction.ts";
import { gitSite, type GitSite } from "./git/git-site.ts";
import { logOf } from "./git/repo-contract.ts";

const LOCALES = { codes: ["en", "it"], default: "en" };
export const EDITH: Author = { name: "Edith Editor", email: "edith@example.org" };
export const PERSON = { name: "Pat Person", email: "pat@example.org" };

export interface Hands {
  save(path: Path, text: string): void;
  erase(path: Path): void;
  move(from: Path, to: Path): void;
  text(path: Path): string | undefined;
  /** Commits the working tree as it is. */
  commit(message: string): void;
  /** Keeps every write from happening, until it is lifted with null. */
  block(reason: string | null): void;
}

export interface Ground {
  readonly repo: Repo;
  readonly hands: Hands;
}

/** @param files committed by a person before the repository is opened */
export type OpenGround = (files: Readonly<Record<Path, string>>) => Promise<Ground>;

export const openMemory: OpenGround = async (files) => {
  const repo = memoryRepo(files);
  const hands: Hands = {
    save: repo.write,
    erase: repo.erase,
    text: repo.text,
    block: repo.block,
    commit: (message) => void repo.commitByHand(message),
    move(from, to) {
      repo.write(to, repo.text(from)!);
      repo.erase(from);
    },
  };
  return { repo, hands };
};

export const openOnDisk: OpenGround = async (files) => {
  const site = gitSite(files);
  onTestFinished(site.remove);
  const repo = await openGitRepo(site.dir, { env: envOf([]) });
  return { repo, hands: handsOn(site) };
};

export function handsOn(site: GitSite): Hands {
  return {
    save: site.save,
    text: site.text,
    erase: (path) => rmSync(join(site.dir, path)),
    move(from, to) {
      mkdirSync(dirname(join(site.dir, to)), { recursive: true });
      renameSync(join(site.dir, from), join(site.dir, to));
    },
    commit(message) {
      site.git("add", "--all");
      site.git("commit", "--quiet", `--message=${message}`);
    },
    block(reason) {
      if (reason === null) rmSync(join(site.dir, ".git/MERGE_HEAD"));
      else site.save(".git/MERGE_HEAD", site.git("rev-parse", "HEAD"));
    },
  };
}

export interface Content extends Ground {
  readonly store: Store;
  readonly logged: string[];
  /** Commits made since the store was opened, oldest first. */
  made(): Promise<LogEntry[]>;
}

export async function openContent(
  ground: OpenGround,
  files: Readonly<Record<Path, string>>,
  options: Partial<StoreOptions> = {},
): Promise<Content> {
  const { repo, hands } = await ground(files);
  return contentOver({ repo, hands }, options);
}

export async function contentOver({ repo, hands }: Ground, options: Partial<StoreOptions> = {}): Promise<Content> {
  const logged: string[] = [];
  const store = await openStore({ repo, kinds: [PAGES, REDIRECTS], locales: LOCALES, env: envOf(logged), ...options });
  onTestFinished(() => store.close());
  const begun = store.current.commit;
  return {
    repo,
    hands,
    store,
    logged,
    async made() {
      const { head } = await repo.state();
      return head === begun || head === null ? [] : (await logOf(repo, head, begun)).reverse();
    },
  };
}

/** A clock that ticks a millisecond a reading, and ids that count. */
export function envOf(logged: string[]): Env {
  let now = Date.UTC(2026, 2, 1, 12);
  let id = 1000;
  const put = (line: string): void => void logged.push(line);
  return {
    now: () => instantOf(now++),
    elapsed: () => now,
    hasStepped: () => false,
    randomId: () => ++id,
    uuid: () => `uuid-${++id}`,
    log: { info: put, warn: put, error: put },
  };
}

/** Work that gives a page another text in English. */
export const retitle =
  (id: number, title: string) =>
  (tx: Tx): Page => {
    tx.describe(`Call page ${id} "${title}"`, { "Cms-Action": "update", "Cms-Page": id });
    return tx.put(PAGES, withText(tx.get(PAGES, id), "en", { title }));
  };

/** Work that makes a page. */
export const create =
  (title: string, text: Partial<PageText> = {}) =>
  (tx: Tx): Page => {
    const id = tx.newId();
    tx.describe(`Create "${title}"`, { "Cms-Action": "create", "Cms-Page": id });
    const translations = { en: { title, permalink: `/${title.toLowerCase()}`, ...text } };
    const data = { id, identifier: tx.uuid(), date_created: tx.now, date_updated_at: tx.now, translations };
    return tx.put(PAGES, PAGES.fromFiles("content/pages/new", new Map([[".yaml", { data }]]), LOCALES));
  };

export const titleIn = (store: Store, id: number): string | null | undefined =>
  store.current.find(PAGES, id)?.translations.en?.title;
