/** The server of `cms serve`, from its start until a signal or a defect ends it. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openCms, type Cms } from "../../cms.ts";
import { loadConfig } from "../../config.ts";
import { jsonLog, stderrLog, systemEnv, systemTimers, type Env } from "../../env.ts";
import { keyedHooks, openHooks } from "../../hooks/hooks.ts";
import { openAdminFiles } from "../../http/routes/admin.ts";
import type { AppOptions } from "../../http/app/app.ts";
import { directReads } from "../../http/socket/direct.ts";
import { openMetrics } from "../../http/routes/metrics.ts";
import { showResponse, type LogFormat } from "../../http/request/request-log.ts";
import { serveApp, type Handle, type Serving } from "../../http/socket/serve.ts";
import { watch } from "../../store/watch/watch.ts";
import { PROGRAM_ROOT } from "../../version.ts";
import { sentenceOf } from "../command.ts";
import { keepCompiledCode } from "../compiled-code.ts";
import { logAsCalled } from "../program-name.ts";
import { developSite } from "./develop.ts";
import type { DevelopmentListener, DevelopmentWishes } from "./development-listener.ts";
import { fetchLfsFiles } from "./lfs-files.ts";
import { setUpMergeIfMissing } from "../merge/merge-setup.ts";
import { openSteps } from "../progress.ts";
import { startBackground } from "./serve-background.ts";
import { serveSync, withSyncSecret } from "./serve-sync.ts";
import { firstDefect, interrupted } from "./server-end.ts";
import { announce, openBrowser, welcome } from "./server-greeting.ts";
import { saidInLog, say, type Io, type TerminalOutput } from "../terminal.ts";

export interface ServerOptions {
  readonly root: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly readOnly: boolean;
  /** With the seconds between two syncs, if they are not those of the settings. */
  readonly sync: { readonly seconds?: number } | undefined;
  readonly isDevelopment: boolean;
  /** In milliseconds between two looks at every file; undefined: the file system tells of changes. */
  readonly poll: number | undefined;
  /** Of logged responses; undefined: they are not logged. */
  readonly format: LogFormat | undefined;
  readonly open: boolean;
  /** What listhen is asked for; undefined: nothing, and it is not loaded. */
  readonly listener: DevelopmentWishes | undefined;
  readonly quiet: boolean;
}

/** In milliseconds: a stop that takes longer says what it waits for. */
const STOP_NOTICE = 500;

/** @returns the exit code */
export async function runServer(io: Io, options: ServerOptions): Promise<number> {
  if (options.format !== "json") return runSite(io, options, systemEnv(logAsCalled(io, stderrLog)), io.stderr);
  const log = logAsCalled(io, jsonLog);
  try {
    return await runSite(saidInLog(io, log), options, systemEnv(log), io.stderr);
  } catch (error) {
    log.error(sentenceOf(error));
    return 1;
  }
}

/** @param responses where responses are logged */
async function runSite(io: Io, options: ServerOptions, env: Env, responses: TerminalOutput): Promise<number> {
  const { root, readOnly } = options;
  const steps = openSteps(io, options);
  steps.begin("Reading the content");
  const config = { ...(await loadConfig(root)), usesRequestOrigin: options.isDevelopment };
  const cms = await openCms(root, { env, config, readOnly, serves: true, defersCache: true }).finally(steps.end);
  /** The ways to stop what was started, in that order. */
  const stops: (() => unknown)[] = [() => cms.close()];
  try {
    const hooks = readOnly ? undefined : keyedHooks(cms.config, root);
    const site: Cms = { ...cms, ...(options.sync && withSyncSecret(cms)) };
    await welcome(io, cms);
    const startHooks = hooks && (await openHooks(cms, hooks));
    const { serving, listener, defect, watchFiles, openApp } = await startServing(responses, site, options, stops);
    // A signal that comes as soon as the server is announced must not end the process during a write.
    const stopped = interrupted();
    await announce(io, options, cms, serving.url);
    // A client that waited for the address asks at once, and need not wait for what follows: watching folders, a look at
    // all files and objects, processes of git.
    await Promise.race([pause(FIRST_REQUESTS), stopped]);
    stops.push(watchFiles());
    // A replica's clone is its own; any other that only reads may not be written to.
    if (!readOnly || options.sync) stops.push(fetchLfsFiles(cms, systemTimers));
    if (startHooks) {
      stops.push(startBackground(cms, startHooks, options));
      const settingUp = setUpMergeIfMissing(root, cms.store.repo, env.log);
      stops.push(() => settingUp);
    }
    const afterStart = setTimeout(() => {
      // A request that needs the app tries again, and reports the error.
      void openApp().then(keepCompiledCode, () => undefined);
      void writeCache(cms);
      void cms.store.readSummaries();
    }, AFTER_START);
    stops.push(() => clearTimeout(afterStart));
    await listener?.show();
    if (options.open) openBrowser(serving.url, env.log);
    const code = await Promise.race([stopped, defect]);
    say(io, options, "\nStopping.");
    const notice = setTimeout(() => say(io, options, "Running requests are finished first."), STOP_NOTICE);
    stops.unshift(() => clearTimeout(notice));
    return code;
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Started {
  readonly serving: Serving;
  readonly listener: DevelopmentListener | undefined;
  /** See `firstDefect`. */
  readonly defect: Promise<number>;
  /** Begins to watch for changes of files. @returns stops that */
  readonly watchFiles: () => () => Promise<void>;
  /** Loads what requests other than plain reads need, so that the first of them waits no longer than the next. */
  readonly openApp: () => Promise<unknown>;
}

/** Listens. @param stops is given the ways to stop what was started, also where something after it fails */
async function startServing(
  responses: TerminalOutput,
  cms: Cms,
  options: ServerOptions,
  stops: (() => unknown)[],
): Promise<Started> {
  const { isDevelopment, sync, host, port, format, poll } = options;
  const metrics = openMetrics();
  stops.push(() => metrics.close());
  // Loaded for a person who works on the site alone: production watches without it.
  const chokidar = isDevelopment || poll !== undefined ? await import("./chokidar-watch.ts") : undefined;
  const development = isDevelopment && chokidar ? developSite(cms, chokidar.watchWithChokidar(poll)) : undefined;
  // From here on an uncaught exception ends the process, but not during a write.
  const defect = firstDefect(cms.env.log);
  const service = sync && serveSync(cms, sync.seconds);
  if (service)
    stops.push(async () => {
      await service.stop();
      await service.pushRest();
    });
  const site = service ? { ...cms, sync: service } : cms;
  const { ENABLE } = cms.config.ADMIN;
  const app: AppOptions = {
    metrics,
    ...(ENABLE && { admin: await openAdminFiles(join(PROGRAM_ROOT, "bundle/admin"), cms.config) }),
    ...(development && { liveReload: development.liveReload }),
  };
  let opened: Promise<Handle> | undefined;
  const openApp = (): Promise<Handle> =>
    (opened ??= import("../../http/app/h3-app.ts").then(
      ({ nodeApp }) => nodeApp(site, app),
      (error: unknown) => {
        opened = undefined; // as when no more files can be opened for a moment
        throw error;
      },
    ));
  const listener =
    options.listener && (await import("./development-listener.ts")).developmentListener(options.listener);
  const opening = serveApp(openApp, {
    ...(listener && { listenOn: listener.listenOn }),
    direct: directReads(site, app),
    host,
    port,
    env: cms.env,
    trustedProxies: cms.config.TRUSTED_PROXIES,
    ...(format && { log: (response) => responses.write(`${showResponse(response, format)}\n`) }),
    metrics,
  });
  // A client that waits for a sync is answered as soon as that is stopped, and event streams end by `development` alone.
  const close = (): Promise<void> =>
    opening.then(
      (serving) => serving.close(),
      () => undefined,
    );
  stops.push(() => Promise.all([development?.close(), close(), service?.stop()]));
  const serving = await opening;
  const onTemplates = (): void => {
    cms.templates.reset();
    development?.liveReload.reload();
  };
  const watchFiles = (): (() => Promise<void>) => {
    const stop = watch({
      store: cms.store,
      log: cms.env.log,
      onTemplates,
      ...(poll !== undefined && chokidar && { notifications: chokidar.watchWithChokidar(poll) }),
    });
    cms.templates.reset(); // one that a request compiled before may have been edited since
    return stop;
  };
  return { serving, listener, defect, watchFiles, openApp };
}

/** In milliseconds after the address is printed. */
const FIRST_REQUESTS = 100;
/** In milliseconds after that. */
const AFTER_START = 500;

/** The next start then parses nothing, and this process keeps in memory only what it is asked for. */
const writeCache = ({ store, env }: Cms): Promise<void> =>
  store.flushCache().catch((error: unknown) => env.log.error("The content cache cannot be written", error));
