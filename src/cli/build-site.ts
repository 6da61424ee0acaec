/** Opens what `cms build` builds from: the tree, or the templates here with the content of a running service. */
import { constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildInput } from "../build/build.ts";
import { openClient } from "../build/client.ts";
import type { Wanted } from "../build/page-files.ts";
import { openQuestions } from "../build/questions.ts";
import { dataFiles, treeData } from "../build/data-files.ts";
import { serverSource, type ServerSource } from "../build/server.ts";
import { STATE_FILE } from "../build/state-file.ts";
import { madeFilesShown, treeSource } from "../build/tree.ts";
import { KINDS, openCms } from "../cms.ts";
import { SERVICE } from "../actions/context.ts";
import { supplyMade } from "../actions/media-making.ts";
import { sweepDue } from "../actions/sweep.ts";
import { loadConfig } from "../config.ts";
import type { Env } from "../env.ts";
import { openCrew, type Crew } from "./build-crew.ts";
import { addHelpers } from "../render/helpers.ts";
import { loadInject } from "../render/inject.ts";
import { openTemplates } from "../render/templates.ts";
import { isThere } from "../store/media-disk.ts";
import type { Ahead } from "../store/git/ahead.ts";
import { stateDirOf } from "../store/private.ts";
import { renderEpoch } from "../store/page-history.ts";

export interface SiteSettings {
  readonly env: Env;
  readonly publishDue: boolean;
  readonly server: string | undefined;
  readonly token: string | undefined;
  readonly cache: string | undefined;
  readonly data: boolean;
  readonly out: string;
  readonly wanted: Wanted;
  /** Whether every page is to be made. */
  readonly full: boolean;
  /** What another thread sees of the tree; undefined where nobody looks. */
  readonly ahead: (() => Promise<Ahead | undefined>) | undefined;
  /** Threads that make pages; undefined for as many as the machine has processors and the site is worth. */
  readonly jobs: number | undefined;
}

export interface BuildSite {
  /** What to build from, as it is now; a fresh one for each build. */
  input(): Promise<BuildInput>;
  /** Whether what was built is what there is now. */
  isCurrent(): Promise<boolean>;
  close(): Promise<void>;
}

/** @throws CmsError `setup` when the site's folder or the service is not fit to build from */
export const openSite = (root: string, settings: SiteSettings): Promise<BuildSite> => (settings.server === undefined ? openTree(root, settings) : openServer(root, settings.server, settings));

/** What a fresh clone lacks, in the private state, known by git's own ids. */
const CONTENT = "content.cache";
/** Of no use to a shallow clone, which lacks what it speaks of, and has hardly a history to walk. */
const HISTORY = "history.json";

/** Copies what is there and not yet on the other side; without it everything is read and parsed, and the same comes out. */
async function carry(root: string, from: string, to: string, mode = 0): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of existsSync(join(root, ".git/shallow")) ? [CONTENT] : [CONTENT, HISTORY]) await copyFile(join(from, name), join(to, name), mode).catch(() => undefined); // none there, or one that is newer
}

async function openTree(root: string, settings: SiteSettings): Promise<BuildSite> {
  const crew = openCrew(root, settings.jobs);
  try {
    return await openTreeWith(crew, root, settings);
  } catch (error) {
    crew.close();
    throw error;
  }
}

async function openTreeWith(crew: Crew, root: string, { env, publishDue, data, cache, out, wanted, full, ahead }: SiteSettings): Promise<BuildSite> {
  const stateDir = stateDirOf(root);
  if (cache !== undefined) await carry(root, cache, stateDir, constants.COPYFILE_EXCL);
  const order = { out, wanted, now: env.now() };
  const sharing = (full || !existsSync(join(out, STATE_FILE))) && !publishDue && isLarge(root) ? crew.begin(order) : undefined;
  const cms = await openCms(root, { env, readOnly: !publishDue, ...(sharing && { sharing, leavesLater: true }), ...(ahead && !publishDue && { ahead }) });
  if (publishDue) await sweepDue(cms, SERVICE, "Scheduled publish (static build)");
  const { config, store, history, templates } = cms;
  // What has just been put live is live.
  const now = publishDue ? env.now() : order.now;
  const content = store.current;
  // Thumbnails and renditions may be in no commit; the service makes them when they are asked for.
  for (const file of madeFilesShown(content, config)) if (!(await isThere(root, file))) await supplyMade(cms, file);
  let known: ReturnType<typeof renderEpoch> | undefined;
  const epoch = (): ReturnType<typeof renderEpoch> => (known ??= renderEpoch(store.repo, history, content));
  const aside = async (): Promise<void> => {
    await epoch();
    await store.leave();
  };
  return {
    async input() {
      const questions = openQuestions();
      const source = treeSource({ root, content, kinds: KINDS, config, now, epoch, questions });
      return { config, templates, questions, source, hire: (pages, dir) => crew.hire(pages, { out: dir, wanted, now }), aside, ...(data && { extra: await dataFiles(config, treeData(content, config, now)) }) };
    },
    isCurrent: async () => true, // the content was taken once, as it was
    async close() {
      crew.close();
      await cms.close();
      if (cache !== undefined) await carry(root, stateDir, cache);
    },
  };
}

/** Whether there are so many pages that others had better open the site at once. */
function isLarge(root: string): boolean {
  let left = LARGE;
  const look = (dir: string): void => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      if (left <= 0) return;
      if (entry.isDirectory()) look(join(dir, entry.name));
      else left--;
    }
  };
  for (const folder of ["content/pages", "content/articles"]) if (existsSync(join(root, folder))) look(join(root, folder));
  return left <= 0;
}

/** In files. */
const LARGE = 1_000;

async function openServer(root: string, url: string, { env, token, cache, out, publishDue, data }: SiteSettings): Promise<BuildSite> {
  const config = await loadConfig(root);
  const templates = openTemplates(root, addHelpers, await loadInject(root, config));
  const client = openClient(url, token);
  // The sweep needs a token; without one it is left out (interface.md, Authentication 2).
  if ((token !== undefined || publishDue) && (await client.publishDue()) === undefined) env.log.warn("The service did not put due drafts live: the token is not one of its staff.");
  const spool = cache ?? (await mkdtemp(join(tmpdir(), "cms-pages-")));
  let latest: ServerSource | undefined;
  return {
    async input() {
      const questions = openQuestions();
      latest = await serverSource({ client, config, templates: templateTexts(root), now: env.now(), questions, out, cache: spool });
      return { config, templates, questions, source: latest, ...(data && { extra: await dataFiles(config, latest.data) }) };
    },
    async isCurrent() {
      return latest !== undefined && (await latest.isCurrent());
    },
    close: async () => {
      if (cache === undefined) await rm(spool, { recursive: true, force: true });
    },
  };
}

/** Texts of the site's templates. */
function templateTexts(root: string): string[] {
  const entries = readdirSync(join(root, "templates"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
