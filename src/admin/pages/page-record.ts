/** A page as the server has it. */
import type { Values } from "../json.ts";

/** The state of a page in one language: published, a draft, planned, in the trash. */
export type Status = "PUB" | "DRF" | "PLA" | "TRS";

/** The fields of a page that decide what can be done with it. */
export interface PageRecord {
  readonly id: number;
  readonly title: string | null;
  readonly status: Status;
  readonly permalink: string | null;
  readonly routerlink: string | null;
  readonly published_at: string | null;
  readonly date_created: string;
  readonly date_updated_at: string;
  readonly has_draft: boolean;
  readonly draft_scheduled_for: string | null;
  /** Tells the page model. */
  readonly related_name: string;
  /** The pending draft as it was sent, by this or another client. */
  readonly draft_data: Values;
}

/** When something of the page goes live by itself; null: nothing does. */
export const plannedMoment = ({ draft_scheduled_for: draft, status, published_at }: PageRecord): string | null =>
  draft ?? (status === "PLA" ? published_at : null);
