/** What goes live in a span of time, and what differs between two contents. */
import { invalid } from "../../errors.ts";
import { compareRevisions } from "../../library/moments/comparison.ts";
import { scheduleOf } from "../../library/moments/schedule.ts";
import { REQUIRED } from "../../model/input/input-errors.ts";
import { instantOf, msOf, parseInstant, type Instant } from "../../model/time/instant.ts";
import * as s from "../../schema/json-schema.ts";
import { NUMBERED_PERMALINK } from "../../schema/components/releases.ts";
import { pace } from "../../time-slices.ts";
import { numberedPayload } from "./releases.ts";
import { json, jsonPieces, type Reply } from "../request/reply.ts";
import { get, type Call, type Route } from "../app/route.ts";

const WEEK_MS = 7 * 24 * 3600 * 1000;
/** Of moments that requests can name. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const CHANGE = s.oneOfTexts("added", "removed", "changed");

export const momentRoutes: readonly Route[] = [
  get("schedule", { staff: true }, schedule, {
    summary: "List what goes live in a span of time",
    description:
      "With the drafts that cannot be published then, such as two that claim one permalink, and the pages that will be at a " +
      "permalink with a number because another page has the plain one.",
    query: [
      { name: "from", description: "After this moment; now without it.", schema: s.text("2026-12-01T00:00:00Z") },
      {
        name: "to",
        description: "Up to this moment; a week later without it.",
        schema: s.text("2026-12-08T00:00:00Z"),
      },
    ],
    answer: s.record({
      from: s.MOMENT,
      to: s.MOMENT,
      changes: s.listOf(
        s.record({
          at: s.MOMENT,
          page: s.ID,
          model: s.TEXT,
          title: s.TEXT,
          language: s.TEXT,
          change: s.oneOfTexts("publish", "draft"),
        }),
      ),
      releases: s.listOf(s.record({ at: s.MOMENT, name: s.TEXT, items: s.listOf(s.ANY_OBJECT) })),
      conflicts: s.listOf(
        s.record({ at: s.MOMENT, page: s.orNull(s.ID), title: s.TEXT, language: s.orNull(s.TEXT), reason: s.TEXT }),
      ),
      numbered_permalinks: s.listOf(s.record({ at: s.MOMENT, ...NUMBERED_PERMALINK })),
    }),
    refusals: [400],
  }),
  get("compare", { staff: true }, comparison, {
    summary: "Compare two contents",
    description: "Records and fields that differ, and public paths whose payload does. Values are as `at` takes them.",
    query: [
      { name: "from", description: "A commit, tag, branch or moment.", schema: s.text("main"), isRequired: true },
      { name: "to", description: "As `from`; the present content without it.", schema: s.text("design") },
    ],
    answer: s.record({
      records: s.listOf(
        s.record({
          model: s.TEXT,
          id: s.ID,
          path: s.orNull(s.TEXT),
          name: s.TEXT,
          change: CHANGE,
          fields: s.listOf(s.record({ field: s.TEXT, before: s.ANYTHING, after: s.ANYTHING })),
        }),
      ),
      urls: s.listOf(s.record({ path: s.TEXT, language_code: s.TEXT, change: CHANGE })),
    }),
    refusals: [400, 404],
  }),
];

async function schedule(call: Call): Promise<Reply> {
  const from = momentIn(call, "from") ?? call.now;
  const to = momentIn(call, "to") ?? instantOf(Math.min(msOf(from) + WEEK_MS, LATEST_MS));
  if (to < from) throw invalid({ to: ["It must not be before `from`."] });
  const { numbered, ...schedule } = await scheduleOf(call.ctx, from, to);
  const numbered_permalinks = numbered.map(({ at, ...each }) => ({ at, ...numberedPayload(each) }));
  return json({ from, to, ...schedule, numbered_permalinks });
}

/** @throws CmsError `invalid` */
function momentIn({ url }: Call, name: string): Instant | undefined {
  const sent = url.searchParams.get(name);
  if (sent === null) return undefined;
  const moment = parseInstant(sent);
  if (moment === undefined) throw invalid({ [name]: ["Invalid datetime."] });
  return moment;
}

async function comparison({ ctx, url }: Call): Promise<Reply> {
  const from = url.searchParams.get("from") ?? "";
  if (from === "") throw invalid({ from: [REQUIRED] });
  const { records, urls } = await compareRevisions(ctx, from, url.searchParams.get("to"));
  const pieces = ['{"records":[', ...(await itemsOf(records)), '],"urls":[', ...(await itemsOf(urls)), "]}"];
  return jsonPieces(pieces);
}

/** In characters: a piece is encoded and written at once. */
const PIECE_MIN = 2 ** 16;

/** Items of a JSON array, in pieces. Works in slices: a comparison may have whole texts of many pages. */
async function itemsOf(values: readonly object[]): Promise<readonly string[]> {
  const pieces: string[] = [];
  let piece = "";
  for (const [index, value] of values.entries()) {
    await pace();
    piece += `${index > 0 ? "," : ""}${JSON.stringify(value)}`;
    if (piece.length < PIECE_MIN) continue;
    pieces.push(piece);
    piece = "";
  }
  return [...pieces, piece];
}
