/** A page as the server has it. */
import type { PagePayload, PageStatus } from "../../library/payloads.ts";
import type { Values } from "../json.ts";

export type { PageStatus as Status };

/** The fields of a page that decide what can be done with it. */
export type PageRecord = Required<
  Pick<
    PagePayload,
    | ("id" | "title" | "status" | "permalink" | "routerlink" | "published_at" | "date_created" | "date_updated_at")
    | ("related_name" | "has_draft" | "draft_scheduled_for")
  >
> & {
  /** The pending draft as it was sent, by this or another client. */
  readonly draft_data: Values;
};

/** When something of the page goes live by itself; null: nothing does. */
export const plannedMoment = ({ draft_scheduled_for: draft, status, published_at }: PageRecord): string | null =>
  draft ?? (status === "PLA" ? published_at : null);
