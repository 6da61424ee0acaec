/** The hooks of a site: opened and started with a server, and listed. */
import { readSecret } from "../config/secrets.ts";
import type { Config } from "../config.ts";
import { messageOf } from "../errors.ts";
import { openHook, type HookContext, type StartHook } from "./hook.ts";
import { hookFile, removeOtherFiles, type Delivery } from "./hook-file.ts";
import { shownUrl, type KeyedHook } from "./send.ts";

/** The hooks with their secrets. @throws CmsError `setup` naming a secret that is missing */
export function keyedHooks({ HOOKS }: Config, root: string, environment?: NodeJS.ProcessEnv): KeyedHook[] {
  return HOOKS.map((setting, index) => ({
    setting,
    key: setting.SECRET && readSecret(setting.SECRET, `HOOKS.${index}.SECRET`, root, environment),
  }));
}

/**
 * Opens all hooks. To be awaited before the service answers: what changes from then on is told.
 *
 * @param hooks see `keyedHooks`
 * @returns the way to start them
 */
export async function openHooks(ctx: HookContext, hooks: readonly KeyedHook[]): Promise<StartHook> {
  const { HOOKS } = ctx.config;
  const { stateDir } = ctx.store.repo;
  const removing = removeOtherFiles(stateDir, HOOKS).catch((error: unknown) =>
    ctx.env.log.warn(`Files of former hooks could not be removed: ${messageOf(error)}`),
  );
  const opened = hooks.map((hook, index) => openHook(ctx, hook, hookFile(stateDir, HOOKS, index)));
  const starts = await Promise.all(opened);
  return (times) => {
    const stops = starts.map((start) => start(times));
    return async () => {
      await Promise.all([removing, ...stops.map((stop) => stop())]);
    };
  };
}

export type ListedDelivery = Omit<Delivery, "body">;

/** A hook with its last deliveries, without secrets. */
export interface ListedHook {
  readonly url: string;
  readonly events: readonly string[];
  readonly private: boolean;
  readonly signed: boolean;
  /** Newest first. */
  readonly deliveries: readonly ListedDelivery[];
}

/** In the order of the settings. */
export async function listHooks({ config, store }: Pick<HookContext, "config" | "store">): Promise<ListedHook[]> {
  return Promise.all(
    config.HOOKS.map(async ({ URL: url, EVENTS, PRIVATE, SECRET }, index) => {
      const { deliveries } = await hookFile(store.repo.stateDir, config.HOOKS, index).read();
      const shown = deliveries.map((delivery) => listed(delivery));
      shown.sort((a, b) => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0));
      return { url: shownUrl(url), events: EVENTS, private: PRIVATE, signed: SECRET !== null, deliveries: shown };
    }),
  );
}

const listed = ({ id, event, commit, created_at, status, attempts, next_attempt, last }: Delivery): ListedDelivery => ({
  id,
  event,
  commit,
  created_at,
  status,
  attempts,
  next_attempt,
  last,
});
