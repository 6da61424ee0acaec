/** Conflicts of syncs: listed, and resolved. */
import { listConflicts, resolveConflict } from "../../actions/conflicts.ts";
import { invalid } from "../../errors.ts";
import { findPermission, keyOf } from "../../model/account/permission.ts";
import type { OpenConflict } from "../../store/sync/conflicts/conflict-list.ts";
import { conflictPayload } from "../../views/moments/conflict.ts";
import { listOf, oneOfTexts, record, ref, text, told } from "../../schema/json-schema.ts";
import { json, noContent, type Reply } from "../request/reply.ts";
import { actionBody } from "../app/resource.ts";
import { authorize } from "../app/authorize.ts";
import { get, post, type Access, type Call, type Route } from "../app/route.ts";

export const conflictRoutes: readonly Route[] = [
  get("conflicts", { staff: true }, list, {
    summary: "List the open conflicts of syncs",
    answer: listOf(ref("Conflict")),
  }),
  post("conflicts/:id/resolve", { staff: true }, resolve, {
    summary: "Resolve a conflict",
    path: { id: { ...text("5d41402abc4b-1"), description: "Id of the conflict, as the list has it." } },
    description: "It takes the permission to change records of this kind; for other files that to change pages.",
    body: record({ use: told("Whose value is kept.", oneOfTexts("ours", "theirs")) }),
    refusals: [409],
  }),
];

async function list({ ctx }: Call): Promise<Reply> {
  const payloads = (await listConflicts(ctx)).map((each) => conflictPayload(each, ctx.locales.default));
  return json(payloads);
}

async function resolve(call: Call): Promise<Reply> {
  const { use } = await actionBody(call, "use");
  if (use !== "ours" && use !== "theirs") throw invalid({ use: ["Expected: ours or theirs."] });
  await resolveConflict(call.ctx, call.author(), call.params.id ?? "", use, (conflict) =>
    authorize(accessTo(conflict), call.user),
  );
  return noContent();
}

/** Deciding a conflict must not be a way around the permission to change the record. */
function accessTo({ kind }: OpenConflict): Access {
  const own = findPermission(`cms.change_${kind?.name.toLowerCase()}`);
  return { staff: true, any: [own ? keyOf(own) : "cms.change_page"] };
}
