/**
 * What an account typed into a page and did not save yet, so that another browser or device can go on with it.
 *
 * The values are neither validated nor shown to others; saving them as a draft is what makes them content.
 */
import { invalid } from "../../../errors.ts";
import { showInstant } from "../../../model/time/instant.ts";
import { isObject, own } from "../../../model/input/json.ts";
import { requireObject } from "../../../model/input/input-errors.ts";
import { nameOf, type Id } from "../../../model/page/page.ts";
import { findPage } from "../../../store/content/indexes/pages-by-model.ts";
import type { Autosave, AutosaveKey } from "../../../store/private/autosaves.ts";
import { ANY_OBJECT, ID, listOf, MOMENT, orNull, record, TEXT, text, told } from "../../../schema/json-schema.ts";
import { json, noContent } from "../../request/reply.ts";
import { refuseUnknown } from "../../app/resource.ts";
import { del, get, put, type Access, type Call, type Route } from "../../app/route.ts";

const AUTOSAVE = {
  description: "Only the account itself sees it; the values are not validated.",
  isLocalized: true,
  query: [
    {
      name: "tab",
      description: "Which of several windows of the account it is of, as the client names it.",
      schema: { type: "string", maxLength: 40, pattern: "^[A-Za-z0-9-]*$" },
    },
  ],
} as const;
const SHOWN = {
  values: told("Fields of the page; null: there are none.", orNull(ANY_OBJECT)),
  version: told("The version of the page that they were typed into.", orNull(TEXT)),
  saved_at: orNull(MOMENT),
};

/** Below no page: where the account has something that is not saved. */
export const unsavedRoutes: readonly Route[] = [
  get(
    "autosaves",
    { staff: true },
    async ({ ctx, user }) => {
      const keys = await ctx.autosaves.list(user!.id);
      const unsaved = keys.flatMap(({ page: id, lang }) => {
        const page = findPage(ctx.store.current, id);
        return page ? [{ page: id, title: nameOf(page, ctx.locales), language: lang }] : [];
      });
      return json(unsaved);
    },
    {
      summary: "List the pages into which the account typed something that is not saved",
      answer: listOf(record({ page: ID, title: TEXT, language: text("en") })),
    },
  ),
];

/** @param idOf the page in the path; throws `not_found` */
export function autosaveRoutes(path: string, access: Access, idOf: (call: Call) => Id): readonly Route[] {
  const keyOf = (call: Call): AutosaveKey => ({ account: call.user!.id, page: idOf(call), lang: call.lang });
  const at = `${path}/:id/autosave`;
  return [
    get(
      at,
      access,
      async (call) => {
        const all = Object.entries(await call.ctx.autosaves.read(keyOf(call))).sort(([, a], [, b]) =>
          a.saved_at < b.saved_at ? -1 : 1,
        );
        const newest = all.at(-1)?.[1];
        // Field by field, the newest value.
        const values = Object.assign({}, ...all.map(([, each]) => each.values)) as Autosave["values"];
        const tabs = all.map(([tab, each]) => ({ tab, ...fields(each) }));
        return json({ ...fields(newest && { ...newest, values }), tabs });
      },
      {
        ...AUTOSAVE,
        query: [],
        summary: "Read what the account typed and did not save",
        answer: record({
          ...SHOWN,
          tabs: told("What each window has, the oldest first.", listOf(record({ tab: TEXT, ...SHOWN }))),
        }),
      },
    ),
    put(
      at,
      access,
      async (call) => {
        const key = keyOf(call);
        const sent = readAutosave(call, await call.body());
        const { current } = call.ctx.store;
        await call.ctx.autosaves.write(key, tabIn(call) ?? "", sent, (page) => findPage(current, page) !== undefined);
        return json(fields(sent));
      },
      {
        ...AUTOSAVE,
        summary: "Keep what the account typed and did not save",
        answer: record(SHOWN),
        body: record({ values: ANY_OBJECT, version: orNull(TEXT) }, { optional: ["version"] }),
      },
    ),
    del(
      at,
      access,
      async (call) => {
        await call.ctx.autosaves.remove(keyOf(call), tabIn(call));
        return noContent();
      },
      { ...AUTOSAVE, summary: "Forget what the account typed and did not save" },
    ),
  ];
}

const fields = (autosave: Autosave | undefined) => ({
  values: autosave?.values ?? null,
  version: autosave?.version ?? null,
  saved_at: autosave ? showInstant(autosave.saved_at) : null,
});

/** undefined: not named. @throws CmsError `invalid` */
function tabIn({ url }: Call): string | undefined {
  const tab = url.searchParams.get("tab");
  if (tab !== null && !/^[A-Za-z0-9-]{0,40}$/.test(tab))
    throw invalid({ tab: ["At most 40 letters, digits and hyphens are expected."] });
  return tab ?? undefined;
}

/** @throws CmsError `invalid` */
function readAutosave(call: Call, body: unknown): Autosave {
  requireObject(body);
  refuseUnknown(call, body, "values", "version");
  const values = own(body, "values");
  const version = own(body, "version") ?? null;
  if (!isObject(values)) throw invalid({ values: ["Expected an object with the fields of the page."] });
  if (version !== null && typeof version !== "string") throw invalid({ version: ["Expected a text or null."] });
  return { values, version, saved_at: call.ctx.env.now() };
}
