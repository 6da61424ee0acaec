/** The hooks of the settings, and their last deliveries. */
import { listHooks } from "../../hooks/hooks.ts";
import { listOf, ref } from "../../schema/json-schema.ts";
import { json, PRIVATE } from "../request/reply.ts";
import type { Route } from "../request/route.ts";

export const hookRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "hooks",
    access: { staff: true },
    operation: { summary: "List the hooks and their last deliveries", answer: listOf(ref("Hook")) },
    handle: async ({ ctx }) => json(await listHooks(ctx), 200, PRIVATE),
  },
];
