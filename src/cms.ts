/**
 * The one place that wires a site: settings, repository, content, accounts, templates, clock and log.
 */
import { openAccounts, type HashCost } from "./actions/accounts.ts";
import { examineWith } from "./actions/media/examine.ts";
import { loadConfig, withExtensions, type Config } from "./config.ts";
import { systemEnv, type Env } from "./env.ts";
import { h3App } from "./http/app.ts";
import { openImages } from "./images/encoder.ts";
import type { SiteContext } from "./library/context.ts";
import { openLibrary, type Library } from "./library/library.ts";
import type { Images } from "./model/image.ts";
import { listenToCommits } from "./plugins/listeners.ts";
import { helpersWith } from "./render/helpers.ts";
import { loadInject } from "./render/inject.ts";
import { openTemplates } from "./render/templates.ts";
import { openGitRepo } from "./store/git/repo.ts";
import { openFileCodec } from "./store/codec/file-codec.ts";
import { historyFile, openHistory } from "./store/history/history.ts";
import { CONTENT, type AnyKind } from "./store/content/record-type.ts";
import { CONTENTS } from "./store/content/records/contents.ts";
import { mediaFiles } from "./store/content/records/media-files.ts";
import { MEDIA_FOLDERS } from "./store/content/records/media-folders.ts";
import { MEDIA } from "./store/content/records/media.ts";
import { MENUS } from "./store/content/records/menus.ts";
import { META_INSTANCES } from "./store/content/records/meta-instances.ts";
import { META_TYPES } from "./store/content/records/meta-types.ts";
import { PAGE_MODELS } from "./store/content/records/page-models.ts";
import { ARTICLES, PAGES } from "./store/content/records/pages.ts";
import { TAGS } from "./store/content/records/tags.ts";
import { REDIRECTS } from "./store/content/records/redirects.ts";
import { refuseCommittedState, stateDirOf } from "./store/private/private-state.ts";
import type { Repo } from "./store/repo.ts";
import type { Sharing } from "./store/cache/shared-reads.ts";
import { openStore } from "./store/write/store.ts";
import { openManifests } from "./views/manifest.ts";

/** Every kind of record a site has. The files of its library are one more, whose folders the settings name. */
export const KINDS: readonly AnyKind[] = [
  PAGE_MODELS,
  PAGES,
  ARTICLES,
  TAGS,
  MEDIA,
  MEDIA_FOLDERS,
  MENUS,
  CONTENTS,
  META_TYPES,
  META_INSTANCES,
  REDIRECTS,
];

/** A site that is open: its operations, and beside them the parts they work on. */
export interface Cms extends Library, SiteContext {
  /** The site's folder. */
  readonly root: string;
  /** Lets the write in hand finish and gives the repository back. */
  close(): Promise<void>;
}

/** What a caller may put in the place of the real thing. */
export interface CmsOptions {
  readonly config?: Config;
  readonly env?: Env;
  readonly repo?: Repo;
  readonly images?: Images;
  /** No lock is taken and nothing is finished or removed: any number may be open beside one that writes. */
  readonly readOnly?: boolean;
  /** Whether the site is held against other servers (decisions.md 56), and opened even where the disk refuses writes. */
  readonly serves?: boolean;
  /** Other processes that open the same site at the same time. */
  readonly sharing?: Sharing;
  /** Whether caches are written for the next start (the default); false in a worker of a process that writes them. */
  readonly keepsCache?: boolean;
  /** Whether the content cache is written only by `store.leave` or at the end, beside other work. */
  readonly leavesLater?: boolean;
  /** Of password hashes; lower only in tests. */
  readonly hashCost?: HashCost;
}

/**
 * Opens the site in a folder: reads its settings, finishes what a crash left half done, loads the content.
 *
 * @throws CmsError `setup` when the folder, its settings or its repository are not fit to run on, or another server
 *   holds the site; `unavailable` when what a crash left cannot be finished, and the site is neither read only nor served
 */
export async function openCms(root: string, options: CmsOptions = {}): Promise<Cms> {
  const env = options.env ?? systemEnv();
  const config = withExtensions(options.config ?? (await loadConfig(root)), env.log);
  // Without an override the repository says where its private state is, after it has said whether it can be used at all.
  const stateDirOption = process.env.CMS_STATE_DIR ? { stateDir: stateDirOf(root) } : {};
  const repo =
    options.repo ??
    (await openGitRepo(root, {
      env,
      use: options.readOnly ? "read" : options.serves ? "serve" : "write",
      ...stateDirOption,
    }));
  try {
    return await openOn(root, repo, config, env, options);
  } catch (error) {
    // Locks must not outlive a start that failed.
    if (!options.repo) await repo.close();
    throw error;
  }
}

async function openOn(root: string, ownRepo: Repo, config: Config, env: Env, options: CmsOptions): Promise<Cms> {
  const { repo, settle } = listenToCommits(ownRepo, config.plugins, env.log, () => ({ cms: library, log: env.log }));
  const { stateDir } = repo;
  await refuseCommittedState(repo);
  const { locales } = config;
  const images = options.images ?? openImages();
  const { RENDITIONS, THUMBNAIL } = config.MEDIA;
  const files = mediaFiles([RENDITIONS.FOLDER, THUMBNAIL.FOLDER].filter((folder) => folder !== ""));
  const templates = openTemplates(root, helpersWith(config.extensions), await loadInject(root, config));
  const codec = openFileCodec({ log: env.log });
  const history = openHistory(repo, [CONTENT], options.repo ? null : historyFile(stateDir), codec);
  const store = await openStore({
    repo,
    kinds: [...KINDS, files],
    locales,
    env,
    readOnly: options.readOnly,
    cacheDir: options.repo ? null : stateDir,
    keepsCache: options.keepsCache ?? true,
    leavesLater: options.leavesLater ?? false,
    ...(options.sharing && { sharing: options.sharing }),
    history,
    codec,
    examine: examineWith(repo, images),
  });
  const context: SiteContext = {
    config,
    locales,
    env,
    store,
    history,
    images,
    accounts: openAccounts(stateDir, env, { cost: options.hashCost }),
    templates,
    manifests: openManifests(),
    unknownFields: config.API.UNKNOWN_FIELDS,
    hasTemplate: templates.has,
  };
  const library = openLibrary(context);
  return {
    ...context,
    ...library,
    root,
    async close() {
      await settle();
      await history.save();
      await store.close();
      await images.close();
    },
  };
}

/**
 * The whole site, API, media and pages, as a function from request to response. The settings say which hosts it answers.
 *
 * It never throws: failures are responses. The address of the client is taken from `request.ip`, where a server sets it.
 */
export function createApp(cms: Cms): (request: Request) => Promise<Response> {
  const app = h3App(cms);
  return async (request) => app.fetch(request);
}
