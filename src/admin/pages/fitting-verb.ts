/** Which verb of a page is offered first. */
import { plannedMoment, type PageRecord } from "./page-record.ts";

export type FittingVerb = "restore" | "save" | "changeSchedule" | "publish" | "viewPage";

/** @param isChanged whether something was typed and is not in the draft */
export function fittingVerb(record: PageRecord, isChanged: boolean): FittingVerb {
  if (record.status === "TRS") return "restore";
  // What is saved goes live with what is scheduled.
  if (plannedMoment(record) !== null) return isChanged ? "save" : "changeSchedule";
  return isChanged || record.has_draft || record.status !== "PUB" ? "publish" : "viewPage";
}
