/**
 * The site at another commit, and the site as it would be after some changes: a context over a fork of the content, which
 * every read takes its view from as it does from that of the service. It refuses writes.
 */
import { openQueue } from "../../queue.ts";
import { derived } from "../../memo.ts";
import { examineWith } from "../../actions/media/examine.ts";
import { SERVICE } from "../../actions/context.ts";
import { publishRelease } from "../../actions/releases/release-publication.ts";
import { sweepDue } from "../../actions/pages/sweep.ts";
import { configOfCommit, settingsFiles, type Config } from "../../config.ts";
import { silentLog, type Env } from "../../env.ts";
import { CmsError, messageOf } from "../../errors.ts";
import type { Instant } from "../../model/time/instant.ts";
import { stateOf } from "../../model/page/release.ts";
import { isHeadless } from "../../render/headless.ts";
import { helpersWith } from "../../render/helpers/helpers.ts";
import { templatesOf, type Templates } from "../../render/templates.ts";
import { getRelease } from "../../store/content/indexes/releases.ts";
import { kindsOf } from "../../store/records/kinds.ts";
import { committedFiles, type CommittedFiles } from "../../store/fork/committed-files.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import type { Oid } from "../../store/repo.ts";
import type { Store } from "../../store/write/store.ts";
import { openManifests } from "../../views/manifest/manifest.ts";
import type { SiteContext } from "../context.ts";
import { committedSettings, committedTemplates } from "./committed-code.ts";
import { revisionOf } from "./revision.ts";

/** Sites that are kept: each has what differs from the present content, and what was computed of it. */
const COMMITS_MAX = 16;
const OUTCOMES_MAX = 8;

/** A site that will be opened or is open. */
interface Kept {
  readonly site: Promise<SiteContext>;
  /** The newest content when it was asked for: it is a fork of that or of a later one. */
  readonly origin: Snapshot;
}

interface Sites {
  /** By commit, the one that was read last at the end. */
  readonly commits: Map<Oid, Kept>;
  /** By what was changed, as `commits`. */
  readonly outcomes: Map<string, Kept>;
  /** By what they are made of, while a kept site has them. */
  readonly templates: Map<string, WeakRef<Templates>>;
  /**
   * Opens a site after those before it. Each is loaded by many short steps: all at once, however many were asked for, they
   * would hold up every other request, and each would hold its content in memory.
   */
  readonly inTurn: ReturnType<typeof openQueue>;
}

const sitesOf = derived((_store: Store): Sites => ({
  commits: new Map(),
  outcomes: new Map(),
  templates: new Map(),
  inTurn: openQueue(),
}));

/**
 * The site at a commit, tag, branch or moment.
 *
 * A moment is read with the clock of that moment; all else with the present one, as a clone of that commit would be.
 * Drafts that are due are not published in it.
 *
 * @throws CmsError `not_found` with the reason
 */
export const siteAt = (reader: SiteContext, text: string): Promise<SiteContext> =>
  asSeen(reader, async (ctx) => {
    const { commit, now } = await revisionOf(ctx, text);
    const site = await kept(sitesOf(ctx.store).commits, COMMITS_MAX, commit, ctx, () => openCommit(ctx, commit));
    return { ...site, unknownFields: ctx.unknownFields, env: now === undefined ? ctx.env : clockAt(ctx.env, now) };
  });

/** Sites are opened of the whole content, and shown as their reader sees them. */
async function asSeen(reader: SiteContext, open: (ctx: SiteContext) => Promise<SiteContext>): Promise<SiteContext> {
  const { narrowing } = reader.store;
  if (!narrowing) return open(reader);
  const site = await open({ ...reader, store: narrowing.whole });
  return { ...site, store: narrowing.of(site.store) };
}

/**
 * The site as the sweep would leave it at a moment: with planned pages public, and drafts that are due by then published.
 */
export const siteAsOf = (ctx: SiteContext, moment: Instant): Promise<SiteContext> =>
  siteAfter(ctx, `as_of ${moment}`, moment, (fork) => sweepDue(fork, SERVICE, "Scheduled publish"));

/**
 * The site as it would be if a release were published now. One that is published changes nothing.
 *
 * @throws CmsError `not_found` for no such release; as its publication where that fails
 */
export async function siteWithRelease(ctx: SiteContext, name: string): Promise<SiteContext> {
  getRelease(ctx.store.current, name); // a name of none takes no turn
  const site = await siteAfter(ctx, `release ${name}`, ctx.env.now(), async (fork) => {
    if (stateOf(getRelease(fork.store.current, name)) !== "published") await publishRelease(fork, SERVICE, name);
  });
  return { ...site, env: ctx.env };
}

/**
 * The site after some writes, which are made to a fork of the content and never stored.
 *
 * @param key identifies the change; one that was made to the present content is not made again
 * @param now the clock of the writes and of the reader
 * @param change writes with the actions of the service
 */
export const siteAfter = (
  reader: SiteContext,
  key: string,
  now: Instant,
  change: (fork: SiteContext) => Promise<unknown>,
): Promise<SiteContext> => asSeen(reader, (ctx) => openOutcome(ctx, key, now, change));

async function openOutcome(
  ctx: SiteContext,
  key: string,
  now: Instant,
  change: (fork: SiteContext) => Promise<unknown>,
): Promise<SiteContext> {
  const { outcomes } = sitesOf(ctx.store);
  if (outcomes.get(key)?.origin !== ctx.store.current) outcomes.delete(key);
  const site = await kept(outcomes, OUTCOMES_MAX, key, ctx, async () => {
    const env = clockAt(ctx.env, now);
    const { store, history } = await ctx.store.fork({ env });
    const fork = { ...ctx, store, history, env, manifests: openManifests() };
    await change({ ...fork, env: { ...env, log: silentLog } });
    store.seal();
    return fork;
  });
  return { ...site, unknownFields: ctx.unknownFields };
}

async function kept(
  sites: Map<string, Kept>,
  max: number,
  key: string,
  { store }: SiteContext,
  open: () => Promise<SiteContext>,
): Promise<SiteContext> {
  const found = sites.get(key) ?? { site: sitesOf(store).inTurn(open), origin: store.current };
  sites.delete(key);
  sites.set(key, found);
  for (const oldest of sites.keys()) {
    if (sites.size <= max) break;
    sites.delete(oldest);
  }
  try {
    return await found.site;
  } catch (error) {
    if (sites.get(key) === found) sites.delete(key);
    throw error;
  }
}

async function openCommit(ctx: SiteContext, commit: Oid): Promise<SiteContext> {
  const { repo } = ctx.store;
  const config = await configAt(ctx, commit);
  const { store, history } = await ctx.store.fork({
    env: ctx.env,
    at: {
      commit,
      kinds: hasSameFolders(config, ctx.config) ? ctx.store.kinds : kindsOf(config),
      locales: config.locales,
      examine: (forked) => examineWith(forked, ctx.images),
    },
  });
  store.seal();
  const files = committedFiles(repo, commit);
  const templates = await templatesAt(ctx, files);
  return {
    ...ctx,
    config,
    locales: config.locales,
    store,
    history,
    templates,
    manifests: openManifests(),
    hasTemplate: (name) => templates.has(name) || isHeadless(config, templates),
    committedFiles: files,
  };
}

/** Modules of the site stay those that run. */
async function templatesAt(ctx: SiteContext, files: CommittedFiles): Promise<Templates> {
  const { key, ...read } = await committedTemplates(ctx.store.repo, files);
  const { templates: known } = sitesOf(ctx.store);
  const opened = known.get(key)?.deref() ?? templatesOf(read, helpersWith(ctx.config.extensions), ctx.templates);
  for (const [other, ref] of known) if (ref.deref() === undefined) known.delete(other);
  known.set(key, new WeakRef(opened));
  return opened;
}

/** @throws CmsError `not_found` where the settings of the commit cannot be used */
async function configAt({ store, config }: SiteContext, commit: Oid): Promise<Config> {
  const file = await committedSettings(store.repo, commit, settingsFiles.names);
  if (!file) return config;
  try {
    return configOfCommit(config, file.name, file.bytes);
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    const reason = messageOf(error)
      .split("\n")
      .map((line) => line.trim())
      .join(" ");
    throw new CmsError("not_found", `The settings of that commit cannot be used: ${reason}`, { cause: error });
  }
}

const hasSameFolders = ({ MEDIA: a }: Config, { MEDIA: b }: Config): boolean =>
  a.RENDITIONS.FOLDER === b.RENDITIONS.FOLDER && a.THUMBNAIL.FOLDER === b.THUMBNAIL.FOLDER;

const clockAt = (env: Env, now: Instant): Env => ({ ...env, now: () => now });
