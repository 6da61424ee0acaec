/** Opens the source of a build: the site's folder, or its templates with the content of a running service. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICE } from "../actions/context.ts";
import { ensureDerivative } from "../actions/media/derivatives.ts";
import { picturesWithout, regenerateAll } from "../actions/media/regenerate.ts";
import { sweepDue } from "../actions/pages/sweep.ts";
import { loadConfig, withExtensions } from "../config.ts";
import type { Env } from "../env.ts";
import type { SiteContext } from "../library/context.ts";
import { siteAsOf, siteAt } from "../library/moments/other-sites.ts";
import { once } from "../model/text/once.ts";
import { helpersWith } from "../render/helpers/helpers.ts";
import { loadInject } from "../render/inject.ts";
import { openTemplates } from "../render/templates.ts";
import { isThere } from "../store/content/media-disk.ts";
import type { Sharing } from "../store/content/shared-reads.ts";
import { pullLfs } from "../store/git/lfs/lfs-command.ts";
import { KINDS } from "../store/records/kinds.ts";
import { POINTER_PROBLEM } from "../store/records/media/media.ts";
import { renderEpoch } from "../views/manifest/epoch.ts";
import { keepIn } from "./build-cache.ts";
import { dataFiles, treeData } from "./data-files.ts";
import { openDependencies } from "./dependencies.ts";
import type { BuildInput, BuildOptions } from "./input.ts";
import type { PageLog } from "./page-log.ts";
import { committedMedia, committedStatics } from "./sources/committed-files.ts";
import { openClient } from "./sources/server-client.ts";
import { serverSource, type ServerSource } from "./sources/server.ts";
import { madeFilesShown, treeMedia } from "./sources/tree-media.ts";
import { publishedFiles } from "./sources/tree-static.ts";
import { treeSource } from "./sources/tree.ts";
import type { WorkerOrder, WorkerPool } from "./workers/processes.ts";

const LFS_MS = 60 * 60_000;

type OpenedSite = SiteContext & { close(): Promise<void> };

/** The program that a build runs in. */
export interface BuildHost {
  readonly env: Env;
  /** The log of `env`. */
  readonly log: PageLog;
  openCms(
    root: string,
    options: {
      readonly env: Env;
      readonly readOnly: boolean;
      readonly sharing?: Sharing;
      readonly defersCache?: boolean;
    },
  ): Promise<OpenedSite>;
  /** Pushes the commits by which drafts were published. @returns a sentence where they stay in this clone */
  push?(site: SiteContext, before: string | null): Promise<string | null>;
  /** Called before each missing thumbnail or rendition is made. */
  making?(done: number, of: number, file: string): void;
}

/** A site that is open for builds. */
interface BuildSite {
  /** A new input for each build. */
  input(): Promise<BuildInput>;
  /** Whether the content is still that of the last input. */
  isCurrent(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * @param order its `now` is the time of the build, unless drafts are published first
 * @throws CmsError `setup` when the site's folder or the service is not fit to build from
 */
export const openSite = (
  root: string,
  options: BuildOptions,
  host: BuildHost,
  work: { readonly order: WorkerOrder; readonly pool: Pick<WorkerPool, "sharing" | "workersFor"> },
): Promise<BuildSite> =>
  options.server === undefined
    ? host
        .openCms(root, {
          env: host.env,
          readOnly: !options.publishDue,
          ...(work.pool.sharing && { sharing: work.pool.sharing, defersCache: true }),
        })
        .then((cms) => openFolder(root, options, host, { ...work, cms }))
    : openService(root, options.server, options, host);

async function openFolder(
  root: string,
  { content: wanted, publishDue, cache, html }: BuildOptions,
  host: BuildHost,
  { order, pool, cms }: Parameters<typeof openSite>[3] & { readonly cms: OpenedSite },
): Promise<BuildSite> {
  try {
    if (publishDue) await writeAndPush(cms, host);
    else if (!wanted) warnOfMissing(cms);
    if (!wanted) await fetchLargeFiles(cms);
    const site = !wanted ? cms : "at" in wanted ? await siteAt(cms, wanted.at) : await siteAsOf(cms, wanted.asOf);
    const { config, templates, store, committedFiles: files } = site;
    const content = store.current;
    // Drafts that were just published are public.
    const now = wanted || publishDue ? site.env.now() : order.now;
    // Thumbnails and renditions need not be committed: the service makes them on request.
    if (!files) await makeMissing(site, root, madeFilesShown(content, config), host.making);
    const epoch = once(() => renderEpoch(site, content, now));
    const other = wanted && {
      name: "at" in wanted ? `at ${content.commit}` : `as of ${wanted.asOf}`,
      media: files ? () => committedMedia(site, files) : () => treeMedia(root, content, config),
    };
    const aside = async (): Promise<void> => {
      await epoch();
      await store.flushCache();
    };
    return {
      async input() {
        const dependencies = openDependencies();
        return {
          ...{ config, templates, dependencies, log: host.log },
          source: treeSource({
            ...{ root, content, kinds: KINDS, config, now, epoch, dependencies },
            ...(other && { other }),
          }),
          // Other content is built in this process alone: workers open the working tree.
          ...(!other && { workersFor: (pages, out) => pool.workersFor(pages, { ...order, out, now }), aside }),
          statics: files ? await committedStatics(site, files) : await publishedFiles(root, config),
          ...(!html && { extra: await dataFiles(config, treeData(content, config, now)) }),
        };
      },
      isCurrent: async () => true, // all inputs have the same snapshot
      async close() {
        await cms.close();
        if (cache !== undefined) await keepIn(cache, root);
      },
    };
  } catch (error) {
    await cms.close();
    throw error;
  }
}

/** Publishes due drafts, and makes the renditions of pictures added by hand: a build that may write leaves both for the next one. */
async function writeAndPush(site: SiteContext, { push, making }: BuildHost): Promise<void> {
  const before = site.store.current.commit;
  await sweepDue(site, SERVICE, "Scheduled publish (static build)");
  const ids = picturesWithout(site.store.current).map(({ id }) => id);
  let done = 0;
  if (ids.length > 0)
    for await (const { file, outcome, reason } of regenerateAll(site, SERVICE, { ids, missing: true })) {
      making?.(++done, ids.length, file);
      if (outcome === "failed") site.env.log.warn(`media/${file} gets no renditions: ${reason}`);
    }
  if (site.store.current.commit === before) return;
  const warning = await push?.(site, before);
  if (warning) site.env.log.warn(warning);
}

function warnOfMissing({ store, env }: SiteContext): void {
  const [first, ...others] = picturesWithout(store.current);
  if (first)
    env.log.warn(
      `media/${first.file}${others.length > 0 ? ` and ${others.length} more pictures have` : " has"} no renditions: ` +
        "cms serve, cms build --publish-due and cms regenerate-renditions --missing make them, in commits.",
    );
}

/** Fetches the media of which a clone has only the pointers of Git LFS. @throws CmsError where that fails */
async function fetchLargeFiles({ store, env }: SiteContext): Promise<void> {
  const pointers = store.current.problems.filter(({ message }) => message === POINTER_PROBLEM);
  if (pointers.length === 0) return;
  env.log.info(`Fetching ${pointers.length} files from Git LFS, ${pointers[0]?.path} first.`);
  const paths = pointers.map(({ path }) => path);
  await pullLfs(store.repo, paths, { timeoutMs: LFS_MS });
  await store.refresh();
}

async function makeMissing(
  site: SiteContext,
  root: string,
  shown: readonly string[],
  making: BuildHost["making"],
): Promise<void> {
  const missing: string[] = [];
  for (const file of shown) if (!(await isThere(root, file))) missing.push(file);
  for (const [at, file] of missing.entries()) {
    making?.(at, missing.length, file);
    await ensureDerivative(site, file);
  }
}

async function openService(
  root: string,
  url: string,
  { token, cache, out, publishDue, html }: BuildOptions,
  { env, log }: BuildHost,
): Promise<BuildSite> {
  const config = withExtensions(await loadConfig(root), log);
  const templates = openTemplates(root, helpersWith(config.extensions), await loadInject(root, config));
  const client = openClient(url, token);
  // The sweep needs a token; without one it is left out.
  if ((token !== undefined || publishDue) && (await client.publishDue()) === undefined)
    log.warn("The service did not publish due drafts: the token is not one of its staff.");
  const spool = cache ?? (await mkdtemp(join(tmpdir(), "cms-pages-")));
  let latest: ServerSource | undefined;
  return {
    async input() {
      const dependencies = openDependencies();
      latest = await serverSource({
        ...{ client, config, dependencies, out, log },
        templates: templateTexts(root),
        now: env.now(),
        cache: spool,
      });
      return {
        ...{ config, templates, dependencies, source: latest, log },
        statics: await publishedFiles(root, config),
        ...(!html && { extra: await dataFiles(config, latest.data) }),
      };
    },
    isCurrent: async () => latest !== undefined && (await latest.isCurrent()),
    close: async () => {
      if (cache === undefined) await rm(spool, { recursive: true, force: true });
    },
  };
}

/** Texts of the site's templates. */
function templateTexts(root: string): string[] {
  const entries = readdirSync(join(root, "templates"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
