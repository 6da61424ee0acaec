/** Releases, as the API serves them. */
import type { ReleaseAction, ReleaseItem, ReleaseState } from "../../model/page/release.ts";
import { get } from "../api.ts";
import { isList, isRecord, type Json, type Values } from "../json.ts";
import { LINK_TARGET, remember } from "../records/known-records.ts";

export const ACTIONS = ["publish", "unpublish", "trash"] as const satisfies readonly ReleaseAction[];

export const STATES = { open: "releaseOpen", scheduled: "releaseScheduled", published: "releasePublished" } as const;
/** The colours of the states of pages. */
export const STATE_COLOURS = { open: "", scheduled: "PLA", published: "PUB" } as const;

/** What an item does, by which a finding of the check is its own. */
export const itemKey = ({ page, language, action }: ReleaseItem): string => `${page} ${language} ${action}`;

export interface ReleaseCheck {
  readonly ok: boolean;
  readonly refusal: string | null;
  readonly failed: readonly (ReleaseItem & { readonly errors: Json })[];
  readonly idle: readonly ReleaseItem[];
  readonly overlaps: readonly (ReleaseItem & {
    readonly release: string;
    readonly publish_at: string | null;
    readonly fields: readonly string[];
  })[];
}

export const checkRelease = (name: string, signal: AbortSignal): Promise<ReleaseCheck> =>
  get<ReleaseCheck>(`releases/${encodeURIComponent(name)}/check/`, signal);

/** The items of a payload, without the titles of their pages, which are remembered. */
export function itemsOf(payload: Values): ReleaseItem[] {
  const items = isList(payload.items) ? payload.items.filter(isRecord) : [];
  return items.map(({ page, language, action, title }) => {
    if (typeof title === "string") remember(LINK_TARGET, { id: page ?? null, title });
    return { page: Number(page), language: (language ?? null) as string | null, action: action as ReleaseAction };
  });
}

export const stateOf = (payload: Values): ReleaseState => (payload.state ?? "open") as ReleaseState;
