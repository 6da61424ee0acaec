/**
 * Fails when a regular expression in src could take more than linear time on some text.
 *
 * All are checked, since most texts (paths, headers, forms, templates, files) come from outside. The expressions are found
 * in the syntax tree and checked by recheck, which searches for a text on which the matcher backtracks. A pattern that it
 * rejects or cannot decide, or that is built at run time, needs a proof directly above it, in a comment that begins with
 * "linear:".
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseSync, Visitor } from "rolldown/utils";

// The other implementations need a native binary or Java; this one gives the same answer on every machine.
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

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

function main() {
  const root = fileURLToPath(new URL("..", import.meta.url));
  let count = 0;
  let failed = 0;
  for (const path of sources(join(root, "src"))) {
    for (const regex of regexesIn(path, readFileSync(path, "utf8"))) {
      count++;
      const complaint = complaintAbout(regex);
      if (complaint === undefined) continue;
      failed++;
      console.error(
        `${relative(root, path)}:${regex.line}: /${regex.source ?? "..."}/${regex.flags ?? ""}: ${complaint}`,
      );
    }
  }
  console.log(`${count} regular expressions, ${failed} of them not linear.`);
  process.exitCode = failed === 0 && count > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
