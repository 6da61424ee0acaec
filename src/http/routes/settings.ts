/** The settings in effect, to read. They are changed in the settings file or the environment, before a start. */
import { SETTINGS } from "../../config.ts";
import { isHeadless } from "../../render/headless.ts";
import { FLAG, listOf, record, ref, text, told } from "../../schema/json-schema.ts";
import { json } from "../request/reply.ts";
import { get, type Route } from "../app/route.ts";

export const settingRoutes: readonly Route[] = [
  get(
    "settings",
    "superuser",
    ({ ctx }) =>
      json(
        ctx.config.explained.map(({ path, value, from }, at) => ({
          setting: path,
          value,
          from,
          help: SETTINGS[at]!.help,
        })),
      ),
    {
      summary: "List the settings in effect, and where each value comes from",
      description: "Secrets are not among them: settings name the file or variable that has one.",
      answer: listOf(ref("Setting")),
    },
  ),
  get(
    "preview-sites",
    { staff: true },
    ({ ctx: { config, templates } }) =>
      json({
        has_templates: !isHeadless(config, templates),
        sites: config.PREVIEW.SITES.map(({ URL: url, PATH: path }) => ({ url, path })),
      }),
    {
      summary: "List where the editor can show a page",
      answer: record({
        has_templates: told("Whether the service renders pages itself.", FLAG),
        sites: told(
          "The front ends of the setting PREVIEW.SITES.",
          listOf(record({ url: text("https://www.example.org"), path: text("/preview") })),
        ),
      }),
    },
  ),
];
