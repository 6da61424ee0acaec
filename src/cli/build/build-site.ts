/** Opens the source of `cms build`: the tree, or the site's templates with the content of a running service. */
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildInput } from "../../static-site/input.ts";
import { openClient } from "../../static-site/sources/server-client.ts";
import { openDependencies } from "../../static-site/dependencies.ts";
import { dataFiles, treeData } from "../../static-site/data-files.ts";
import type { PageLog } from "../../static-site/page-log.ts";
import { serverSource, type ServerSource } from "../../static-site/sources/server.ts";
import { committedMedia, committedStatics } from "../../static-site/sources/committed-files.ts";
import { madeFilesShown, treeMedia } from "../../static-site/sources/tree-media.ts";
import { publishedFiles } from "../../static-site/sources/tree-static.ts";
import { treeSource } from "../../static-site/sources/tree.ts";
import { KINDS, openCms, type Cms } from "../../cms.ts";
import { SERVICE } from "../../actions/context.ts";
import { ensureDerivative } from "../../actions/media/derivatives.ts";
import { sweepDue } from "../../actions/pages/sweep.ts";
import { loadConfig, withExtensions } from "../../config.ts";
import type { Env } from "../../env.ts";
import { keepIn } from "./build-cache.ts";
import type { WorkerPool, WorkerOrder } from "../../static-site/workers/processes.ts";
import type { SiteContext } from "../../library/context.ts";
import { siteAsOf, siteAt } from "../../library/moments/other-sites.ts";
import type { Instant } from "../../model/time/instant.ts";
import { helpersWith } from "../../render/helpers.ts";
import { loadInject } from "../../render/inject.ts";
import { openTemplates } from "../../render/templates.ts";
import { POINTER_PROBLEM } from "../../store/records/media.ts";
import { pullLfs } from "../../store/git/lfs/lfs-command.ts";
import { isThere } from "../../store/content/media-disk.ts";
import { renderEpoch } from "../../views/manifest/epoch.ts";

const LFS_MS = 60 * 60_000;

export interface SiteSettings {
  readonly env: Env;
  /** The log of `env`. */
  readonly log: PageLog;
  readonly publishDue: boolean;
  /** Other content than that of the working tree. */
  readonly content: OtherContent | undefined;
  readonly server: string | undefined;
  readonly token: string | undefined;
  readonly cache: string | undefined;
  readonly data: boolean;
  /** Its `now` is the time of the build, unless drafts are published first. */
  readonly order: WorkerOrder;
  readonly pool: WorkerPool;
  /** Called before each missing thumbnail or rendition is made. */
  readonly making?: (done: number, of: number, file: string) => void;
}

/** What `--at` and `--as-of` name. */
export type OtherContent = { readonly at: string } | { readonly asOf: Instant };

export interface BuildSite {
  /** A new input for each build. */
  input(): Promise<BuildInput>;
  /** Whether the content is still that of the last input. */
  isCurrent(): Promise<boolean>;
  close(): Promise<void>;
}

/** @throws CmsError `setup` when the site's folder or the service is not fit to build from */
export function openSite(root: string, settings: SiteSettings): Promise<BuildSite> {
  if (settings.server !== undefined) return openServer(root, settings.server, settings);
  return settings.content === undefined ? openTree(root, settings) : openOther(root, settings.content, settings);
}

/** Other content is built in this process alone: its workers open the working tree. */
async function openOther(root: string, wanted: OtherContent, { env, log, data }: SiteSettings): Promise<BuildSite> {
  const cms = await openCms(root, { env, readOnly: true });
  try {
    const site = "at" in wanted ? await siteAt(cms, wanted.at) : await siteAsOf(cms, wanted.asOf);
    const { config, templates, store, committedFiles: files } = site;
    const content = store.current;
    const now = site.env.now();
    if (!files) await makeMissing(site, root, madeFilesShown(content, config), undefined);
    let known: ReturnType<typeof renderEpoch> | undefined;
    const epoch = (): ReturnType<typeof renderEpoch> => (known ??= renderEpoch(site, content, now));
    const other = {
      name: "at" in wanted ? `at ${content.commit}` : `as of ${wanted.asOf}`,
      media: files ? () => committedMedia(site, files) : () => treeMedia(root, content, config),
    };
    return {
      async input() {
        const dependencies = openDependencies();
        return {
          config,
          templates,
          dependencies,
          source: treeSource({ root, content, kinds: KINDS, config, now, epoch, dependencies, other }),
          log,
          statics: files ? await committedStatics(site, files) : await publishedFiles(root, config),
          ...(data && { extra: await dataFiles(config, treeData(content, config, now)) }),
        };
      },
      isCurrent: async () => true,
      close: () => cms.close(),
    };
  } catch (error) {
    await cms.close();
    throw error;
  }
}

async function openTree(
  root: string,
  { env, log, publishDue, data, cache, pool, order, making }: SiteSettings,
): Promise<BuildSite> {
  const { sharing } = pool;
  const cms = await openCms(root, { env, readOnly: !publishDue, ...(sharing && { sharing, defersCache: true }) });
  if (publishDue) await publishAndPush(cms);
  await fetchLargeFiles(cms);
  const { config, store, templates } = cms;
  // Drafts that were just published are public.
  const now = publishDue ? env.now() : order.now;
  const content = store.current;
  // Thumbnails and renditions need not be committed: the service makes them on request.
  await makeMissing(cms, root, madeFilesShown(content, config), making);
  let known: ReturnType<typeof renderEpoch> | undefined;
  const epoch = (): ReturnType<typeof renderEpoch> => (known ??= renderEpoch(cms, content, now));
  const aside = async (): Promise<void> => {
    await epoch();
    await store.flushCache();
  };
  return {
    async input() {
      const dependencies = openDependencies();
      const source = treeSource({ root, content, kinds: KINDS, config, now, epoch, dependencies });
      return {
        config,
        templates,
        dependencies,
        source,
        log,
        workersFor: (pages, dir) => pool.workersFor(pages, { ...order, out: dir, now }),
        aside,
        statics: await publishedFiles(root, config),
        ...(data && { extra: await dataFiles(config, treeData(content, config, now)) }),
      };
    },
    isCurrent: async () => true, // all inputs have the same snapshot
    async close() {
      await cms.close();
      if (cache !== undefined) await keepIn(cache, root);
    },
  };
}

async function publishAndPush(cms: Cms): Promise<void> {
  const before = cms.store.current.commit;
  const { published, releases } = await sweepDue(cms, SERVICE, "Scheduled publish (static build)");
  if (published.length + releases.published.length === 0) return;
  const { pushPublished } = await import("./push-published.ts");
  const warning = await pushPublished(cms.store.repo, cms.config, before);
  if (warning !== null) cms.env.log.warn(warning);
}

/** Fetches the media of which a clone has only the pointers of Git LFS. @throws CmsError where that fails */
async function fetchLargeFiles({ store, env }: Cms): Promise<void> {
  const pointers = store.current.problems.filter(({ message }) => message === POINTER_PROBLEM);
  if (pointers.length === 0) return;
  env.log.info(`Fetching ${pointers.length} files from Git LFS, ${pointers[0]?.path} first.`);
  const paths = pointers.map(({ path }) => path);
  await pullLfs(store.repo, paths, { timeoutMs: LFS_MS });
  await store.refresh();
}

async function makeMissing(
  cms: SiteContext,
  root: string,
  shown: readonly string[],
  making: SiteSettings["making"],
): Promise<void> {
  const missing: string[] = [];
  for (const file of shown) if (!(await isThere(root, file))) missing.push(file);
  for (const [at, file] of missing.entries()) {
    making?.(at, missing.length, file);
    await ensureDerivative(cms, file);
  }
}

async function openServer(
  root: string,
  url: string,
  { env, log, token, cache, order: { out }, publishDue, data }: SiteSettings,
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
        client,
        config,
        templates: templateTexts(root),
        now: env.now(),
        dependencies,
        out,
        cache: spool,
      });
      return {
        config,
        templates,
        dependencies,
        source: latest,
        log,
        statics: await publishedFiles(root, config),
        ...(data && { extra: await dataFiles(config, latest.data) }),
      };
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
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
}
