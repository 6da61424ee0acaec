/** The audit log, to read. */
import { AUDIT_LIST, auditPayload } from "../../../views/records/audit.ts";
import { listReply } from "../../app/resource.ts";
import { get, type Route } from "../../app/route.ts";

export const auditRoutes: readonly Route[] = [
  get(
    "audit",
    "superuser",
    async (call) => listReply(call, await call.ctx.accounts.auditLog.list(call.now), AUDIT_LIST, auditPayload),
    {
      summary: "List sign-ins, refusals, and changes of accounts",
      description: "Newest first, as long as the setting `AUDIT.KEEP` has them kept.",
      answer: "AuditEvent",
      isList: true,
    },
  ),
];
