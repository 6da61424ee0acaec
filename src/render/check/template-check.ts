/**
 * What is wrong with templates before any page is rendered: they do not parse, or name a template, function, filter or test
 * that does not exist; or mark a field that pages do not have.
 */
import type { Problem } from "../../model/text/problem.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { PAGE_FIELD_NAMES, wrongFieldPath } from "./field-path-check.ts";
import { compileTemplate, parseTemplate } from "../nunjucks-guard.ts";
import type { Node } from "../nunjucks-internals.ts";
import { placeOfFailure, reasonOfFailure } from "../template-failure.ts";
import { meant, namesIn, noFilter, noFunction, noTemplate, type TemplateNames } from "../template-hints.ts";
import type { Templates } from "../templates.ts";

/** Other files below `templates/` may be included as they are, such as CSS. */
const TEMPLATE_FILE = /\.(html|njk|xml|txt)$/;
/** Functions whose first argument is the path of a page. */
const TAKE_PATHS = ["page_at", "list_groups", "group_link"];
/** The keys of records that templates name. */
export interface ContentKeys {
  readonly types?: readonly string[];
  readonly menus?: readonly string[];
  /** Keys of the payload that templates have as `page`. */
  readonly page?: readonly string[] | undefined;
  /** Page models, but the article. */
  readonly models?: readonly string[];
  /** Present and former paths of pages, hidden ones too, without a final slash. */
  readonly paths?: readonly string[];
  /** The fields of the blocks that a template is for, by its path. */
  readonly blocks?: ReadonlyMap<string, readonly string[]>;
}

/** Defined by nunjucks inside blocks and macros. */
const BUILT_IN = ["super", "caller"];

/**
 * @param hasOtherFunctions whether modules of the site add to the context: functions that are not known here are accepted then
 * @param keys those that are not given are not checked
 */
export function templateProblems(templates: Templates, hasOtherFunctions: boolean, keys: ContentKeys = {}): Problem[] {
  const names = namesIn(templates);
  const problems: Problem[] = [];
  const parsed: [name: string, root: Node][] = [];
  for (const name of names.templates.filter((each) => TEMPLATE_FILE.test(each))) {
    const text = templates.text(name) ?? "";
    try {
      compileTemplate(text, name);
      parsed.push([name, parseTemplate(text)]);
    } catch (error) {
      problems.push(parseProblem(name, error));
    }
  }
  // A name that a parent or an including template defines is known in the other file as well.
  const defined = new Set([...BUILT_IN, ...parsed.flatMap(([, root]) => [...definedIn(root)])]);
  const tests = Object.keys(templates.environment.tests);
  const byName = new Map(parsed);
  const known: Known = { names, tests, isFunction: (name) => hasOtherFunctions || defined.has(name) };
  const inBlocks = withIncluded(keys.blocks ?? new Map<string, readonly string[]>(), byName);
  for (const [name, root] of parsed) {
    const ownNames = new Set([...definedIn(root), ...boundIn(root)]);
    problems.push(...unshownBlocks(name, byName));
    for (const node of nodesIn(root)) {
      const message = missingIn(node, known);
      if (message !== undefined) problems.push(problemAt(name, message, node.lineno + 1, node.colno + 1));
      for (const missing of missingKeys(node, keys))
        problems.push({ ...problemAt(name, missing, node.lineno + 1, node.colno + 1), severity: "warning" });
      const property = ownNames.has("page") ? undefined : mistypedProperty(node, keys.page);
      if (property !== undefined)
        problems.push({ ...problemAt(name, property, node.lineno + 1, node.colno + 1), severity: "warning" });
      const path = fieldPathIn(node);
      const wrong = path === undefined ? undefined : wrongFieldPath(path, inBlocks.get(name));
      if (wrong)
        problems.push({
          ...problemAt(name, wrong.message, node.lineno + 1, node.colno + 1),
          ...(wrong.severity === "warning" && { severity: "warning" }),
        });
    }
  }
  return problems;
}

interface Known {
  readonly names: TemplateNames;
  readonly tests: readonly string[];
  isFunction(name: string): boolean;
}

/** The node's fields by name, as nunjucks documents none of their types. */
type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (node: Node): Fields => node as unknown as Fields;

function missingIn(node: Node, { names, tests, isFunction }: Known): string | undefined {
  const fields = fieldsOf(node);
  switch (node.typename) {
    case "Include":
    case "Extends":
    case "Import":
    case "FromImport": {
      const template = literal(fields.template);
      const isOptional = fields.ignoreMissing === true;
      return template === undefined || isOptional || names.templates.includes(template)
        ? undefined
        : noTemplate(template, names);
    }
    case "Filter": {
      const filter = symbol(fields.name);
      return filter === undefined || names.filters.includes(filter) ? undefined : noFilter(filter, names);
    }
    case "FunCall": {
      const called = symbol(fields.name);
      if (called === undefined || names.functions.includes(called) || isFunction(called)) return undefined;
      return noFunction(called, names);
    }
    case "Is": {
      const right = fields.right as Node;
      const test = symbol(right) ?? symbol(fieldsOf(right).name);
      return test === undefined || tests.includes(test) ? undefined : `There is no test \`${test}\`.`;
    }
    default:
      return undefined;
  }
}

/** With the files that the templates of blocks include, where the fields of all of these and those of pages are known. */
function withIncluded(
  blocks: ReadonlyMap<string, readonly string[]>,
  parsed: ReadonlyMap<string, Node>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map(blocks);
  for (const [name, fields] of blocks)
    for (const node of nodesIn(parsed.get(name))) {
      const part = node.typename === "Include" ? literal(fieldsOf(node).template) : undefined;
      if (part !== undefined && !blocks.has(part))
        found.set(part, [...(found.get(part) ?? PAGE_FIELD_NAMES), ...fields]);
    }
  return found;
}

/** The path of a call of `cms_field` that is written out. */
const fieldPathIn = (node: Node): string | undefined =>
  calledName(node) === "cms_field" ? argumentsIn(node)[0] : undefined;

const calledName = (node: Node): string | undefined =>
  node.typename === "FunCall" ? symbol(fieldsOf(node).name) : undefined;

/** The arguments of a call; undefined for those that are not written out. */
function argumentsIn(node: Node): readonly (string | undefined)[] {
  const { args } = fieldsOf(node);
  const children = isNode(args) ? fieldsOf(args).children : undefined;
  return Array.isArray(children) ? children.map(literal) : [];
}

/** The value of a key in the one argument of a call, where it is written out. */
function keywordIn(node: Node, key: string): string | undefined {
  const { args } = fieldsOf(node);
  const [first] = (isNode(args) ? fieldsOf(args).children : []) as readonly Node[];
  const pairs = (isNode(first) ? fieldsOf(first).children : []) as readonly Node[] | undefined;
  const pair = (Array.isArray(pairs) ? (pairs as readonly Node[]) : [])
    .map(fieldsOf)
    .find((each) => (symbol(each.key) ?? literal(each.key)) === key);
  return pair && literal(pair.value);
}

/** The keys that a call names, of records that do not exist: it prints nothing. */
function missingKeys(node: Node, { types, menus, models, paths }: ContentKeys): string[] {
  // Templates of a new site name menus that editors make later, so only one that looks mistyped is told.
  const isMistyped = (text: string): boolean => text.includes("Did you mean");
  const name = calledName(node);
  const missing = (what: string, known: readonly string[] | undefined, named: readonly (string | undefined)[]) =>
    named.flatMap((key) =>
      key === undefined || !known || known.includes(key) ? [] : [`There is no ${what} \`${key}\`.${meant(key, known)}`],
    );
  if (name === "instances" || name === "instance") return missing("meta type", types, argumentsIn(node).slice(0, 1));
  if (name === "render_menu") return missing("menu", menus, argumentsIn(node).slice(0, 1)).filter(isMistyped);
  const bare = (path: string | undefined): string | undefined => path && (trimEnd(path, "/") || "/");
  if (TAKE_PATHS.some((each) => each === name))
    return missing("page at", paths, argumentsIn(node).slice(0, 1).map(bare));
  if (name === "pages")
    return [
      ...missing("page model", models, [keywordIn(node, "model")]),
      ...missing("page at", paths, [bare(keywordIn(node, "below"))]),
    ];
  return name === "get_menus" ? missing("menu", menus, argumentsIn(node)).filter(isMistyped) : [];
}

/** A property of `page` that no payload has, where it looks like one that they have. */
function mistypedProperty(node: Node, known: readonly string[] | undefined): string | undefined {
  const { target, val } = fieldsOf(node);
  const property = node.typename === "LookupVal" && symbol(target) === "page" ? literal(val) : undefined;
  if (property === undefined || !known || known.includes(property)) return undefined;
  const near = meant(property, known);
  return near ? `Pages have no \`${property}\`.${near}` : undefined;
}

/** Blocks of a template that none of its parents has: they are shown nowhere. Parents named by an expression may have any. */
function unshownBlocks(name: string, parsed: ReadonlyMap<string, Node>): Problem[] {
  const inParents = new Set<string>();
  const seen = new Set([name]);
  for (let parent = parentOf(parsed.get(name)); parent !== undefined; parent = parentOf(parsed.get(parent))) {
    const root = parsed.get(parent);
    if (!root || seen.has(parent)) return [];
    seen.add(parent);
    for (const block of nodesIn(root)) if (block.typename === "Block") inParents.add(symbol(fieldsOf(block).name)!);
    if (extendsIn(root) && parentOf(root) === undefined) return [];
  }
  if (seen.size === 1) return [];
  return outerBlocks(parsed.get(name)).flatMap((block): Problem[] => {
    const own = symbol(fieldsOf(block).name)!;
    if (inParents.has(own)) return [];
    const message = `No parent has a block \`${own}\`: it is shown nowhere.${meant(own, [...inParents])}`;
    return [{ ...problemAt(name, message, block.lineno + 1, block.colno + 1), severity: "warning" }];
  });
}

const extendsIn = (root: Node): Node | undefined => [...nodesIn(root)].find(({ typename }) => typename === "Extends");

/** The parent that a template names; undefined also for an expression. */
const parentOf = (root: Node | undefined): string | undefined => {
  const found = root && extendsIn(root);
  return found && literal(fieldsOf(found).template);
};

/** The blocks of a template that are inside no other. */
function outerBlocks(root: Node | undefined): Node[] {
  const blocks = [...nodesIn(root)].filter(({ typename }) => typename === "Block");
  const inner = new Set(blocks.flatMap((block) => [...nodesIn(fieldsOf(block).body)]));
  return blocks.filter((block) => !inner.has(block));
}

/** Names that may stand for a function: macros, imports, and variables such as `{% set comma = joiner() %}`. */
function* definedIn(root: Node): Generator<string> {
  for (const node of nodesIn(root)) {
    const { targets, target, name, names } = fieldsOf(node);
    switch (node.typename) {
      case "Set":
        yield* symbolsIn(targets);
        break;
      case "Import":
        yield* symbolsIn(target);
        break;
      case "FromImport":
        yield* symbolsIn(names);
        break;
      case "Macro":
        yield* symbolsIn(name);
        break;
    }
  }
}

/** The variables of loops and the arguments of macros. */
function* boundIn(root: Node): Generator<string> {
  for (const node of nodesIn(root)) {
    const { name, args } = fieldsOf(node);
    if (["For", "AsyncEach", "AsyncAll"].includes(node.typename)) yield* symbolsIn(name);
    if (node.typename === "Macro") yield* symbolsIn(args);
  }
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "typename" in value;

/** The node and all below it. */
function* nodesIn(root: unknown): Generator<Node> {
  const open: unknown[] = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...(next as unknown[]));
    if (!isNode(next)) continue;
    yield next;
    for (const field of next.fields) open.push(fieldsOf(next)[field] ?? null);
  }
}

function* symbolsIn(value: unknown): Generator<string> {
  for (const node of nodesIn(value)) {
    const name = symbol(node);
    if (name !== undefined) yield name;
  }
}

const valueIn = (typename: string, node: unknown): unknown =>
  isNode(node) && node.typename === typename ? fieldsOf(node).value : undefined;

function symbol(node: unknown): string | undefined {
  const value = valueIn("Symbol", node);
  return typeof value === "string" ? value : undefined;
}

function literal(node: unknown): string | undefined {
  const value = valueIn("Literal", node);
  return typeof value === "string" ? value : undefined;
}

const problemAt = (template: string, message: string, line?: number, column?: number): Problem => ({
  path: `templates/${template}`,
  ...(line !== undefined && { line }),
  ...(column !== undefined && { column }),
  rule: "template",
  message,
});

function parseProblem(name: string, error: unknown): Problem {
  const { line, column } = placeOfFailure(error) ?? { line: null, column: null };
  const reason = (reasonOfFailure(error) ?? String(error)).replace(/^(Template render )?error: /i, "").trim();
  return problemAt(name, `It cannot be parsed: ${reason}`, line ?? undefined, column ?? undefined);
}
