/** When a page of camomilla is public. Since 6.5 a moment for each language says so, before a status with a date did. */
import { parseInstant, type Instant } from "../../model/time/instant.ts";
import { own, type Json, type JsonObject } from "../../model/input/json.ts";
import type { Row } from "./rows.ts";

export const instantIn = (fields: JsonObject, name: string): Instant | undefined =>
  parseInstant(own(fields, name) as Json);

/** Absent: it is no page for everybody. */
export function publicationOf(text: JsonObject, now: Instant): Instant | "undated" | undefined {
  if (own(text, "published_at") !== undefined) return instantIn(text, "published_at");
  const [status, date] = [own(text, "status"), instantIn(text, "publication_date")];
  if (status === "PUB") return date !== undefined && date <= now ? date : "undated";
  return status === "PLA" ? date : undefined;
}

/** Since when a page is in the trash; "undated" where that is not known; undefined: it is not. */
export function trashedSince({ fields, texts }: Row): Instant | "undated" | undefined {
  if (own(fields, "deleted_at") != null) return instantIn(fields, "deleted_at") ?? "undated";
  const statuses = Object.values(texts).flatMap((text) => own(text, "status") ?? []);
  return statuses.length > 0 && statuses.every((status) => status === "TRS") ? "undated" : undefined;
}
