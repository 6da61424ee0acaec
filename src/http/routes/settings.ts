/** The settings in effect, to read. They are changed in the settings file or the environment, before a start. */
import { SETTINGS } from "../../config.ts";
import { listOf, ref } from "../../schema/json-schema.ts";
import { json, PRIVATE } from "../request/reply.ts";
import type { Route } from "../request/route.ts";

export const settingRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "settings",
    access: "superuser",
    operation: {
      summary: "List the settings in effect, and where each value comes from",
      description: "Secrets are not among them: settings name the file or variable that has one.",
      answer: listOf(ref("Setting")),
    },
    handle: ({ ctx }) =>
      json(
        ctx.config.explained.map(({ path, value, from }, at) => ({
          setting: path,
          value,
          from,
          help: SETTINGS[at]!.help,
        })),
        200,
        PRIVATE,
      ),
  },
];
