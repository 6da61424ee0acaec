/** Payloads of the audit log. */
import type { AuditEvent } from "../../model/account/audit.ts";
import type { Queryable } from "../../model/lists/query.ts";
import { showInstant } from "../../model/time/instant.ts";
import { ownFields } from "../lists/list-field.ts";
import type { Payload, View } from "../view.ts";

export const auditPayload = (event: AuditEvent): Payload => ({ ...event, at: showInstant(event.at) });

/** Without an order of its own the list is newest first, as it is read. */
export const AUDIT_LIST: Queryable<AuditEvent, View> = {
  fields: ownFields<AuditEvent>({
    at: "instant",
    event: "text",
    by: "text",
    from: "text",
    about: "text",
    detail: "text",
  }),
  search: ["event", "by", "from", "about", "detail"],
  order: ["-at"],
  created: "at",
};
