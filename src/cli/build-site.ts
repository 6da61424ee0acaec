/** Opens what `cms build` builds from: the tree, or the templates here with the content of a running service. */
import { constants, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { BuildInput } from "../build/build.ts";
import { openClient } from "../build/client.ts";
import type { Hand } from "../build/crew.ts";
import type { Wanted } from "../build/page-files.ts";
import { openQuestions } from "../build/questions.ts";
import { dataFiles } from "../build/data-files.ts";
import { serverSource, type ServerSource } from "../build/server.ts";
import { madeFilesShown, treeSource } from "../build/tree.ts";
import { KINDS, openCms } from "../cms.ts";
import { SERVICE } from "../actions/context.ts";
import { supplyMade } from "../actions/media-making.ts";
import { sweepDue } from "../actions/sweep.ts";
import { loadConfig } from "../config.ts";
import type { Env } from "../env.ts";
import type { HandOrder } from "./build-hand.ts";
import { addHelpers } from "../render/helpers.ts";
import { loadInject } from "../render/inject.ts";
import { openTemplates } from "../render/templates.ts";
import { isThere } from "../store/media-disk.ts";
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

/** What a fresh clone lacks, in the private state: parsed files and the history's index, known by git's own ids. */
const KEPT = ["content.cache", "history.json"];

/** Copies what is there and not yet on the other side; without it everything is read and parsed, and the same comes out. */
async function carry(from: string, to: string, mode = 0): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of KEPT) await copyFile(join(from, name), join(to, name), mode).catch(() => undefined); // none there, or one that is newer
}

async function openTree(root: string, { env, publishDue, data, cache, wanted, jobs }: SiteSettings): Promise<BuildSite> {
  const stateDir = stateDirOf(root);
  if (cache !== undefined) await carry(cache, stateDir, constants.COPYFILE_EXCL);
  const cms = await openCms(root, { env, readOnly: !publishDue });
  if (publishDue) await sweepDue(cms, SERVICE, "Scheduled publish (static build)");
  const { config, store, history, templates } = cms;
  const now = env.now();
  const content = store.current;
  // Thumbnails and renditions may be in no commit; the service makes them when they are asked for.
  for (const file of madeFilesShown(content, config)) if (!(await isThere(root, file))) await supplyMade(cms, file);
  const epoch = await renderEpoch(store.repo, history, content);
  const crew = openCrew(jobs, (dir): HandOrder => ({ root, out: dir, wanted, now }));
  return {
    async input() {
      const questions = openQuestions();
      const source = treeSource({ root, content, kinds: KINDS, config, now, epoch, questions });
      return { config, templates, questions, source, hire: crew.hire, ...(data && { extra: dataFiles(content, config, now) }) };
    },
    isCurrent: async () => true, // the content was taken once, as it was
    async close() {
      await crew.close();
      await cms.close();
      if (cache !== undefined) await carry(stateDir, cache);
    },
  };
}

/** Fewer pages are made before another thread has opened the content. */
const WORTH_HIRING = 1_000;
/** More would wait for each other at the disk. */
const HANDS_MAX = 7;
/** In megabytes. Pages are short-lived objects, and the usual room for those is full after a few. */
const YOUNG_ROOM = 64;

/** Threads for as long as a build takes. From the sources (in tests) there is nothing to start: Node runs no TypeScript. */
function openCrew(jobs: number | undefined, orderFor: (out: string) => HandOrder) {
  const threads: Worker[] = [];
  return {
    hire(pages: number, out: string): readonly Hand[] {
      const wanted = jobs ?? (pages < WORTH_HIRING ? 1 : availableParallelism());
      if (import.meta.url.endsWith(".ts")) return [];
      return Array.from({ length: Math.min(HANDS_MAX, wanted - 1) }, () => {
        const line = new Worker(new URL("./build-hand.js", import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_ROOM } });
        threads.push(line);
        return { line, order: orderFor(out) };
      });
    },
    close: (): Promise<unknown> => Promise.all(threads.splice(0).map((thread) => thread.terminate())),
  };
}

async function openServer(root: string, url: string, { env, token, cache, out, publishDue }: SiteSettings): Promise<BuildSite> {
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
      return { config, templates, questions, source: latest };
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
