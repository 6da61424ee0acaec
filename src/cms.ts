/** Wires a site: settings, plugins, repository, content, accounts, templates, clock and log. */
import type { H3 } from "h3";
import { openAccounts } from "./actions/accounts/accounts.ts";
import { openPresence } from "./actions/accounts/presence.ts";
import { examineWith } from "./actions/media/examine.ts";
import { openReviewGuard } from "./actions/review/review-guard.ts";
import type { HashCost } from "./actions/accounts/password-hashes.ts";
import { loadConfig, withExtensions, type Config } from "./config.ts";
import { systemEnv, type Env } from "./env.ts";
import { openImages } from "./images/encoder.ts";
import type { SiteContext } from "./library/context.ts";
import { openLibrary, type Library } from "./library/library.ts";
import type { Images } from "./model/media/image-results.ts";
import { KINDS, kindsOf } from "./store/records/kinds.ts";
import { listenToCommits } from "./plugins/listeners.ts";
import { isHeadless } from "./render/headless.ts";
import { helpersWith } from "./render/helpers/helpers.ts";
import { loadInject } from "./render/inject.ts";
import { openTemplates } from "./render/templates.ts";
import { openGitRepo } from "./store/git/repo.ts";
import { openFileCodec } from "./store/codec/file-codec.ts";
import { historyFile, openHistory } from "./store/history/history.ts";
import { CONTENT } from "./store/records/record-type.ts";
import { refuseCommittedState, stateDirOf } from "./store/private/private-state.ts";
import type { Repo } from "./store/repo.ts";
import type { Sharing } from "./store/content/shared-reads.ts";
import { openStore } from "./store/write/store.ts";
import { openManifests } from "./views/manifest/manifest.ts";
import { listError } from "./views/page/pagination.ts";

export { KINDS };

/** A site that is open: its operations, and beside them the parts they work on. */
export interface Cms extends Library, SiteContext {
  /** The site's folder. */
  readonly root: string;
  /** Waits for the running write and for commit listeners (at most 5 s each time), then releases the locks. */
  close(): Promise<void>;
}

/** Replacements for what `openCms` opens by itself, and how it is opened. */
export interface CmsOptions {
  readonly config?: Config;
  readonly env?: Env;
  readonly repo?: Repo;
  readonly images?: Images;
  /** Takes no lock, and neither finishes nor removes what a crash left: any number of processes may read beside a writer. */
  readonly readOnly?: boolean;
  /** Takes the server lock, and opens the site also when the disk refuses writes. */
  readonly serves?: boolean;
  /** Other processes that open the same site at the same time, and parse a share of its files. */
  readonly sharing?: Sharing;
  /** Whether caches are written for the next start (default true); false in the workers of a process that writes them. */
  readonly writesCache?: boolean;
  /** Writes the content cache only on `store.flushCache` or `close`, so that it does not delay the start. */
  readonly defersCache?: boolean;
  /** Cost of password hashes; lower in tests only: such hashes are weak. */
  readonly hashCost?: HashCost;
}

/**
 * Opens the site in a folder: reads its settings, completes a transaction that a crash interrupted, loads the content.
 *
 * @throws CmsError `setup` when the folder, its settings, plugins or repository cannot be used, or another server has the
 *   site; `unavailable` when an interrupted transaction cannot be completed, and the site is neither read-only nor served
 */
export async function openCms(root: string, options: CmsOptions = {}): Promise<Cms> {
  const env = options.env ?? systemEnv();
  const config = withExtensions(options.config ?? (await loadConfig(root)), env.log);
  // By default openGitRepo locates the private state, after it checked that the repository can be used.
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
    // A failed start must not leave locks behind.
    if (!options.repo) await repo.close();
    throw error;
  }
}

async function openOn(root: string, ownRepo: Repo, config: Config, env: Env, options: CmsOptions): Promise<Cms> {
  const { repo, settle } = listenToCommits(ownRepo, config.plugins, env.log, () => ({ cms: library, log: env.log }));
  await refuseCommittedState(repo);
  const images = options.images ?? openImages();
  const templates = openTemplates(root, helpersWith(config.extensions), await loadInject(root, config));
  const { store, history } = await openContent(repo, images, config, env, options);
  const accounts = openAccounts(repo.stateDir, env, { cost: options.hashCost, auditDays: config.AUDIT.KEEP });
  const context: SiteContext = {
    config,
    locales: config.locales,
    env,
    store,
    live: { store, locales: config.locales },
    history,
    images,
    accounts,
    templates,
    manifests: openManifests(),
    autosaves: accounts.autosaves,
    presence: openPresence(env.now),
    unknownFields: config.API.UNKNOWN_FIELDS,
    hasTemplate: (name) => templates.has(name) || isHeadless(config, templates),
    listError,
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
      await settle(); // of a write that was still running
      await images.close();
      await accounts.auditLog.settled();
      await accounts.namedTokens.settled();
    },
  };
}

/** Loads the content, with the history that decides contested ids and permalinks. */
async function openContent(repo: Repo, images: Images, config: Config, env: Env, options: CmsOptions) {
  const codec = openFileCodec({ log: env.log });
  // A repository that the caller brings has no folder for caches.
  const cacheDir = options.repo ? null : repo.stateDir;
  const history = openHistory(repo, [CONTENT], cacheDir && historyFile(cacheDir), codec);
  const store = await openStore({
    repo,
    kinds: kindsOf(config),
    locales: config.locales,
    env,
    readOnly: options.readOnly,
    cacheDir,
    writesCache: options.writesCache ?? true,
    defersCache: options.defersCache ?? false,
    ...(options.sharing && { sharing: options.sharing }),
    history,
    codec,
    judge: openReviewGuard(config, config.locales),
    examine: examineWith(repo, images),
  });
  return { store, history };
}

/**
 * The whole site, API, media and pages, as a function from request to response. The settings say which hosts it answers.
 *
 * It never throws: failures are responses. The address of the client is taken from `request.ip`, where a server sets it.
 */
export function createApp(cms: Cms): (request: Request) => Promise<Response> {
  let app: Promise<H3> | undefined;
  return async (request) => {
    app ??= import("./http/app/h3-app.ts").then(({ h3App }) => h3App(cms));
    return (await app).fetch(request);
  };
}
