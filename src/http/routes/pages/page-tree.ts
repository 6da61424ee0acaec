/** What an editor needs of the tree of pages: one level of it, and what a move or a rename does to addresses. */
import { addressChanges } from "../../../actions/pages/page-addresses.ts";
import { invalid, notFound } from "../../../errors.ts";
import type { Id } from "../../../model/page/page.ts";
import * as s from "../../../schema/json-schema.ts";
import { PAGES } from "../../../store/records/pages.ts";
import { pageTree } from "../../../views/page/page-tree.ts";
import { json } from "../../request/reply.ts";
import { get, post, type Access, type Call, type Route } from "../../app/route.ts";

export const pageTreeRoutes: readonly Route[] = [
  get(
    "page-tree",
    { staff: true },
    async (call) => {
      const content = call.ctx.store.current;
      return json(await pageTree({ ...call.view("editor"), content }, parentIn(call)));
    },
    {
      summary: "List the pages of one level of the tree",
      description: "In their order, without those in the trash.",
      isLocalized: true,
      query: [{ name: "parent", description: "Id of the page above; without it the top level.", schema: s.ID }],
      answer: s.listOf(
        s.record({
          id: s.ID,
          title: s.orNull(s.TEXT),
          permalink: s.orNull(s.TEXT),
          status: s.oneOfTexts("PUB", "DRF", "PLA", "TRS"),
          has_draft: s.FLAG,
          has_scheduled_draft: s.FLAG,
          date_updated_at: s.MOMENT,
          children: s.told("How many pages are directly below it.", s.COUNT),
        }),
      ),
      refusals: [400, 404],
    },
  ),
];

/** @throws CmsError `invalid`, `not_found` */
function parentIn({ ctx, url }: Call): Id | null {
  const sent = url.searchParams.get("parent");
  if (sent === null || sent === "") return null;
  if (!/^\d{1,10}$/.test(sent)) throw invalid({ parent: ["A valid integer is required."] });
  if (!ctx.store.current.find(PAGES, Number(sent))) throw notFound(PAGES.name);
  return Number(sent);
}

/** In one answer: a move of a section with thousands of pages is told by its count. */
const TOLD_MAX = 100;

/** @param idOf the page in the path; throws `not_found` @param input the name of the schema of a page's body */
export const addressRoute = (path: string, access: Access, input: string, idOf: (call: Call) => Id): Route =>
  post(
    `${path}/:id/addresses`,
    access,
    async (call) => {
      const id = idOf(call);
      const changes = await addressChanges(call.ctx, id, await call.body(), call.lang);
      return json({ count: changes.length, changes: changes.slice(0, TOLD_MAX) });
    },
    {
      summary: "Say what a change would do to addresses",
      description:
        "Takes what a PATCH of the page takes, such as another title or parent, and stores nothing. Addresses that such a " +
        "PATCH would refuse are refused in the same way.",
      isLocalized: true,
      body: input,
      answer: s.record({
        count: s.told("How many addresses change, in all languages.", s.COUNT),
        changes: s.told(
          `The first ${TOLD_MAX} of them, those of the page itself first.`,
          s.listOf(
            s.record({
              page: s.ID,
              title: s.TEXT,
              language: s.text("en"),
              from: s.orNull(s.TEXT),
              to: s.orNull(s.TEXT),
              redirects: s.told("Whether the former address would redirect to the new one.", s.FLAG),
            }),
          ),
        ),
      }),
    },
  );
