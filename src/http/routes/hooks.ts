/** The hooks of the settings, and their last deliveries. */
import { listHooks } from "../../hooks/hooks.ts";
import { listOf, ref } from "../../schema/json-schema.ts";
import { json } from "../request/reply.ts";
import { get, type Route } from "../app/route.ts";

export const hookRoutes: readonly Route[] = [
  get("hooks", { staff: true }, async ({ ctx }) => json(await listHooks(ctx)), {
    summary: "List the hooks and their last deliveries",
    answer: listOf(ref("Hook")),
  }),
];
