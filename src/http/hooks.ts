/** The hooks of the settings, and their last deliveries. */
import { listHooks } from "../hooks/hooks.ts";
import { json, PRIVATE } from "./reply.ts";
import type { Route } from "./route.ts";

export const hookRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "hooks",
    access: { staff: true },
    handle: async ({ ctx }) => json(await listHooks(ctx), 200, PRIVATE),
  },
];
