/** The forms in which `cms check` prints problems. */
import { createHash } from "node:crypto";
import { CHECK_RULES, type CheckRule } from "../../model/text/check-rules.ts";
import { ruleOf, severityOf, showWithSeverity, type Problem } from "../../model/text/problem.ts";

/** A rule with more problems than this has only its first `SHOWN_OF_MANY` printed. */
const MANY = 10;
const SHOWN_OF_MANY = 5;

/** A line each, with the rule; of many problems of one rule a few, and their number. @param isEvery whether to print each */
export function asText(problems: readonly Problem[], isEvery: boolean): string[] {
  const counts = new Map<CheckRule, number>();
  for (const problem of problems) counts.set(ruleOf(problem), (counts.get(ruleOf(problem)) ?? 0) + 1);
  const printed = new Map<CheckRule, number>();
  const lines = problems.flatMap((problem) => {
    const rule = ruleOf(problem);
    const place = (printed.get(rule) ?? 0) + 1;
    printed.set(rule, place);
    return !isEvery && counts.get(rule)! > MANY && place > SHOWN_OF_MANY
      ? []
      : [`${showWithSeverity(problem)} [${rule}]`];
  });
  const more = [...counts].flatMap(([rule, count]) =>
    isEvery || count <= MANY ? [] : [`${count - SHOWN_OF_MANY} more of ${rule}: --every prints them`],
  );
  return [...lines, ...more];
}

/** A workflow command of GitHub: it is shown beside the line of the file. */
export function asAnnotation(problem: Problem): string {
  const { path, line, column, message } = problem;
  const property = (text: string): string =>
    text.replace(
      /[%\r\n:,]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
    );
  const place = [
    `file=${property(path)}`,
    ...(line ? [`line=${line}`] : []),
    ...(column ? [`col=${column}`] : []),
    `title=${ruleOf(problem)}`,
  ];
  return `::${severityOf(problem)} ${place.join(",")}::${message.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A")}`;
}

const asJson = (problems: readonly Problem[]): unknown =>
  problems.map((problem) => {
    const { path, line, column, message } = problem;
    return { path, line, column, severity: severityOf(problem), rule: ruleOf(problem), message };
  });

/** A report of GitLab's Code Quality. A fingerprint says nothing of lines, so that a problem keeps its own when it moves. */
function asCodeQuality(problems: readonly Problem[]): unknown {
  const seen = new Map<string, number>();
  return problems.map((problem) => {
    const { path, line = 1, message } = problem;
    const text = `${ruleOf(problem)}\n${path}\n${message}`;
    const before = seen.get(text) ?? 0;
    seen.set(text, before + 1);
    return {
      description: message,
      check_name: ruleOf(problem),
      fingerprint: createHash("sha256").update(`${text}\n${before}`).digest("hex"),
      severity: severityOf(problem) === "error" ? "major" : "minor",
      location: { path, lines: { begin: line } },
    };
  });
}

function asSarif(problems: readonly Problem[]): unknown {
  const rules = Object.entries(CHECK_RULES).map(([id, text]) => ({ id, shortDescription: { text } }));
  const results = problems.map((problem) => ({
    ruleId: ruleOf(problem),
    level: severityOf(problem),
    message: { text: problem.message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: problem.path.split("/").map(encodeURIComponent).join("/") },
          ...(problem.line !== undefined && {
            region: { startLine: problem.line, ...(problem.column !== undefined && { startColumn: problem.column }) },
          }),
        },
      },
    ],
  }));
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver: { name: "git-cms", rules } }, results }],
  };
}

/** The forms that are one document of JSON, by the name of the format. */
export const DOCUMENTS: ReadonlyMap<string, (problems: readonly Problem[]) => unknown> = new Map([
  ["json", asJson],
  ["gitlab", asCodeQuality],
  ["sarif", asSarif],
]);

export const FORMATS: readonly string[] = ["text", "github", ...DOCUMENTS.keys()];
