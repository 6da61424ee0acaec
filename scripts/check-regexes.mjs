/**
 * Fails when a regular expression in src could take more than linear time on some text.
 *
 * All are checked, since most texts (paths, headers, forms, templates, files) come from outside. The expressions are found
 * in the syntax tree and checked by recheck, which searches for a text on which the matcher backtracks. A pattern that it
 * rejects or cannot decide, or that is built at run time, needs a proof directly above it, in a comment that begins with
 * "linear:".
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";

// The other implementations need a native binary or Java; this one gives the same answer on every machine.
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

const SCRIPT = fileURLToPath(import.meta.url);
/** The argument of a process that checks what it is sent. */
const ANSWER = "--answer";
/** In milliseconds per pattern. A timeout is reported, so a slow machine hides no finding. */
const TIMEOUT = 300_000;
/** Without separate limits for recheck's phases, so that the result does not depend on the machine's speed. */
const OPTIONS = { timeout: TIMEOUT, attackTimeout: null, incubationTimeout: null };

/**
 * The regular expressions in a TypeScript file.
 *
 * @returns `source` is undefined for a pattern built at run time; `proof` is the text of the comment
 */
export function regexesIn(path, text) {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const constants = new Map();
  const found = [];
  const take = (node, source, flags) => {
    const line = lineAt(text, node.start);
    const above = comments.findLast(({ start }) => start < node.start && /^\s*linear:/.test(text.slice(start + 2)));
    const isBeside = above && text.slice(above.end, node.start).trim().split("\n").length === 1;
    found.push({ line, source, flags, ...(isBeside && { proof: above.value.trim() }) });
  };
  const build = (node) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    const [pattern, flags] = node.arguments;
    const source = pattern && constantOf(pattern, constants);
    take(node, typeof source === "object" ? source.source : source, flags ? constantOf(flags, constants) : "");
  };
  new Visitor({
    VariableDeclarator(node) {
      const value = node.id.type === "Identifier" && node.init ? constantOf(node.init, constants) : undefined;
      if (value !== undefined) constants.set(node.id.name, value);
    },
    Literal: (node) => "regex" in node && take(node, node.regex.pattern, node.regex.flags),
    NewExpression: build,
    CallExpression: build,
  }).visit(program);
  return found;
}

/** The constant text of an expression, or `{ source }` of a pattern; undefined if it is only known at run time. */
function constantOf(node, constants) {
  if (node.type === "Literal" && "regex" in node) return { source: node.regex.pattern };
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : undefined;
  if (node.type === "Identifier") return constants.get(node.name);
  if (node.type === "MemberExpression" && node.property.name === "source")
    return constantOf(node.object, constants)?.source;
  if (node.type !== "TemplateLiteral") return undefined;
  const parts = node.expressions.map((expression) => constantOf(expression, constants));
  if (parts.some((part) => typeof part !== "string")) return undefined;
  return node.quasis.map(({ value }, at) => value.cooked + (parts[at] ?? "")).join("");
}

const lineAt = (text, offset) => text.slice(0, offset).split("\n").length;

/** The problem of a pattern; undefined if it is linear or has a proof. */
export function complaintAbout({ source, flags, proof }) {
  if (proof) return undefined;
  if (source === undefined || flags === undefined) return "it is built at run time.";
  const result = checkSync(source, flags, OPTIONS);
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") return `recheck cannot decide it (${result.error.kind}).`;
  return `${result.complexity.summary} on ${result.attack.pattern}`;
}

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (entry.name.endsWith(".ts")) yield path;
  }
}

/** Checks each of them in one of as many processes as there are processors: `checkSync` does not run in a thread. */
async function complaintsAbout(regexes) {
  const complaints = [];
  const open = regexes.entries();
  const work = async () => {
    const child = fork(SCRIPT, [ANSWER]);
    const ended = once(child, "exit").then(() => undefined);
    for (const [at, { source, flags, proof }] of open) {
      child.send({ source, flags, proof });
      const answer = await Promise.race([once(child, "message"), ended]);
      if (!answer) throw new Error(`The process that checks /${source}/ ended.`);
      complaints[at] = answer[0].complaint;
    }
    child.disconnect();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return complaints;
}

async function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const found = [...sources(join(root, "src"))].flatMap((path) =>
    regexesIn(path, readFileSync(path, "utf8")).map((regex) => ({ path, ...regex })),
  );
  const complaints = await complaintsAbout(found);
  for (const [at, { path, line, source, flags }] of found.entries())
    if (complaints[at] !== undefined)
      console.error(`${relative(root, path)}:${line}: /${source ?? "..."}/${flags ?? ""}: ${complaints[at]}`);
  const failed = complaints.filter((each) => each !== undefined).length;
  console.log(`${found.length} regular expressions, ${failed} of them not linear.`);
  process.exitCode = failed === 0 && found.length > 0 && complaints.length === found.length ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  if (process.argv[2] === ANSWER) process.on("message", (regex) => process.send({ complaint: complaintAbout(regex) }));
  else await main();
}
