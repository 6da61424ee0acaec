/** One attempt at a delivery. */
import type { HookEvent, HookSetting } from "../config/hook-settings.ts";
import { webhookSignature } from "../model/hooks/webhook-signature.ts";
import { PROGRAM } from "../version.ts";
import { post, type Delivered } from "./post.ts";

export interface Sent {
  readonly id: string;
  readonly event: HookEvent | "test";
  readonly body: string;
}

/** A hook whose secret was read. */
export interface KeyedHook {
  readonly setting: HookSetting;
  /** null: deliveries are not signed. */
  readonly key: string | null;
}

/** Seconds until a listener must have answered. */
const TIMEOUT = 10;

/** @throws Error with a sentence for people, without an answer */
export async function sendHook(
  { setting, key }: KeyedHook,
  { id, event, body }: Sent,
  stop?: AbortSignal,
): Promise<Delivered> {
  const timeout = AbortSignal.timeout(TIMEOUT * 1000);
  try {
    return await post(new URL(setting.URL), {
      headers: {
        "content-type": "application/json",
        "user-agent": `${PROGRAM.name}/${PROGRAM.version}`,
        "x-cms-event": event,
        "x-cms-delivery": id,
        ...(key !== null && { "x-cms-signature-256": webhookSignature(body, key) }),
      },
      body,
      isPrivate: setting.PRIVATE,
      signal: stop ? AbortSignal.any([timeout, stop]) : timeout,
    });
  } catch (error) {
    if (timeout.aborted) throw new Error(`There was no answer within ${TIMEOUT} seconds.`, { cause: error });
    throw error;
  }
}

export const isAccepted = (status: number): boolean => status >= 200 && status < 300;

/** The address for lists and messages, without its query: that may be a secret. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search && "?…"}`;
}
