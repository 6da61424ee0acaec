/** What the editor's home screen shows of the whole site: the latest commits, and problems. */
import { invalid } from "../../errors.ts";
import { severityOf, type Problem } from "../../model/text/problem.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { latestCommits } from "../../store/revisions/latest-commits.ts";
import { changePayload } from "../../views/moments/change.ts";
import { listOf, ref } from "../../schema/json-schema.ts";
import { overdueProblems } from "../../actions/releases/release-check.ts";
import { json, type Reply } from "../request/reply.ts";
import { get, type Call, type Route } from "../app/route.ts";

const CHANGES = 20;
const CHANGES_MAX = 100;

export const overviewRoutes: readonly Route[] = [
  get("changes", { staff: true }, changes, {
    summary: "List the latest commits that changed content",
    query: [
      {
        name: "items",
        description: `How many; ${CHANGES} without it.`,
        schema: { type: "integer", minimum: 1, maximum: CHANGES_MAX },
      },
    ],
    answer: listOf(ref("Change")),
    refusals: [400],
  }),
  get("problems", { staff: true }, problems, {
    summary: "List the problems of files and templates",
    description:
      "Files that do not load as they are, releases that could not be published at their moment, and templates that failed " +
      "when they were last used. `cms check` finds more.",
    answer: listOf(ref("Problem")),
  }),
];

async function changes({ ctx, url }: Call): Promise<Reply> {
  const items = url.searchParams.get("items") ?? String(CHANGES);
  const count = /^\d{1,3}$/.test(items) ? Number(items) : 0;
  if (count < 1 || count > CHANGES_MAX)
    throw invalid({ items: [`Expected: a whole number from 1 to ${CHANGES_MAX}.`] });
  const { narrowing } = ctx.store;
  const commits = await latestCommits(ctx.store, count, narrowing?.seen() !== undefined);
  return json(commits.map((commit) => changePayload(ctx.store, commit)));
}

async function problems({ ctx, now }: Call): Promise<Reply> {
  const templates = [...ctx.templates.failing].sort();
  const { current } = ctx.store;
  return json([
    ...current.problems.map(problemPayload),
    ...(await overdueProblems(ctx, current, now)).map(problemPayload),
    ...templates.map((name) =>
      problemPayload({ path: `templates/${name}`, message: "It failed when a page was last rendered with it." }),
    ),
  ]);
}

const problemPayload = (problem: Problem): JsonObject => ({
  path: problem.path,
  line: problem.line ?? null,
  column: problem.column ?? null,
  severity: severityOf(problem),
  message: problem.message,
});
