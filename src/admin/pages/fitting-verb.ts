/** Which verb of a page is offered first. */
import { plannedMoment, type PageRecord } from "./page-record.ts";

/** `propose` stands in for `publish` where the account, or the draft as it is, may not go live. */
export type FittingVerb = "restore" | "save" | "changeSchedule" | "publish" | "propose" | "viewPage";

/** @param isChanged whether something was typed and is not in the draft */
export function fittingVerb(record: PageRecord, isChanged: boolean): FittingVerb {
  if (record.status === "TRS") return "restore";
  // What is saved goes live with what is scheduled.
  if (plannedMoment(record) !== null) return isChanged ? "save" : "changeSchedule";
  return isChanged || record.has_draft || record.status !== "PUB" ? "publish" : "viewPage";
}
