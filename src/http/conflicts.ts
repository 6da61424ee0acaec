/** Conflicts of syncs: listed, and resolved. */
import { listConflicts, resolveConflict } from "../actions/conflicts.ts";
import { invalid } from "../errors.ts";
import { isObject, own } from "../model/json.ts";
import { conflictPayload } from "../views/conflict.ts";
import { json, noContent, PRIVATE, type Reply } from "./reply.ts";
import { refuseUnknown } from "./resource.ts";
import type { Call, Route } from "./route.ts";

export const conflictRoutes: readonly Route[] = [
  { method: "GET", path: "conflicts", access: { staff: true }, handle: list },
  { method: "POST", path: "conflicts/:id/resolve", access: { staff: true }, handle: resolve },
];

async function list({ ctx }: Call): Promise<Reply> {
  return json((await listConflicts(ctx)).map(conflictPayload), 200, PRIVATE);
}

async function resolve(call: Call): Promise<Reply> {
  const body = await call.body();
  refuseUnknown(call, body, "use");
  const use = isObject(body) ? own(body, "use") : undefined;
  if (use !== "ours" && use !== "theirs") throw invalid({ use: ["Expected: ours or theirs."] });
  await resolveConflict(call.ctx, call.author(), call.params.id ?? "", use);
  return noContent();
}
