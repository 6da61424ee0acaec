/**
 * nunjucks' own compiler with its defects mended that have no setting:
 *
 * - A template that cannot be parsed throws while it is loaded. nunjucks would report it in a later tick, where
 *   nothing can catch it: the page would be empty and the process end.
 * - What follows an include, import, block or `super()` is compiled to a callback, and nunjucks calls it inside the
 *   `try` of the template just left. Here a function returns before it calls back, so an error is caught in the file it
 *   happens in and gets that file's line. This relies on templates being synchronous: no asynchronous filter is added.
 * - What such a callback imports is not visible after it, and assigning to its name would create a global of the
 *   process, which other pages see. Compiled code is strict, and keeps imports in an object of the enclosing function.
 * - Names that every object inherits are neither variables nor members: `constructor` would lead to `Function`.
 */
import { createRequire } from "node:module";
import nunjucks from "nunjucks";
import { own } from "../model/json.ts";
import { located } from "./template-failure.ts";

interface Node {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
}
interface NodeList extends Node {
  readonly children: readonly Node[];
}
interface Branch extends Node {
  body: Node;
  else_: Node | null;
}
interface Switch extends Node {
  readonly cases: readonly Branch[];
  default: Node | null;
}
interface Named extends Node {
  readonly value: string | Named;
}
interface Import extends Node {
  readonly target: Named;
}
interface FromImport extends Node {
  /** With a key where the name is followed by `as`. */
  readonly names: { readonly children: readonly (Named & { readonly key?: Named })[] };
}
interface Macro extends Node {
  readonly name: Named;
}
interface Names {
  readonly [name: string]: unknown;
}
/** What is known of a name: while compiling its expression, at run time its value. */
interface Frame<T> {
  readonly variables: Record<string, T>;
  lookup(name: string): T | undefined;
  resolve(name: string, forWrite: boolean): Frame<T> | undefined;
}
interface Context {
  readonly ctx: Names;
  readonly env: { readonly globals: Names };
}
type Scope = Frame<string>;

/** The part of nunjucks' compiler that is changed. */
interface Compiler {
  buffer: string | null;
  _scopeClosers: string;
  readonly lastId: number;
  readonly codebuf: readonly string[];
  _emit(code: string): void;
  _emitLine(code: string): void;
  _emitFuncBegin(node: Node, name: string): void;
  _emitFuncEnd(noReturn?: boolean): void;
  _emitLoopBindings(node: Branch, list: string, index: string, length: string): void;
  _closeScopeLevels(): void;
  _compileExpression(node: Node, scope: Scope): void;
  _compileMacro(node: Node, scope?: Scope): string;
  compile(node: Node, scope?: Scope): void;
  compileFilter(node: Node, scope: Scope): void;
  compileFor(node: Branch, scope: Scope): void;
  compileFromImport(node: FromImport, scope: Scope): void;
  compileImport(node: Import, scope: Scope): void;
  compileMacro(node: Macro, scope: Scope): void;
  compileSwitch(node: Switch, scope: Scope): void;
  getCode(): string;
}
interface Internals {
  readonly lib: { extend(into: object, from: object): object };
  readonly compiler: { readonly Compiler: new (name: string) => Compiler };
  readonly lexer: { lex(text: string, options: object): object };
  readonly nodes: Record<
    "If" | "Literal" | "NodeList",
    new (line: number, column: number, ...fields: unknown[]) => Node
  >;
  readonly parser: { readonly Parser: new (tokens: object) => Parser };
}
interface Parser {
  peekToken(): { readonly lineno: number; readonly colno: number } | null;
  parseStatement(): unknown;
  parseAsRoot(): Node;
}

const { compiler, lexer, lib, nodes, parser } = nunjucks as unknown as Internals;
const load = createRequire(import.meta.url);
const { transform } = load("nunjucks/src/transformer.js") as { transform(tree: Node): Node };

// Every import and include copies its context with this, and nothing else uses it: the same, three times as fast.
lib.extend = Object.assign;

/** Members that no expression reaches. */
const DENIED: ReadonlySet<unknown> = new Set([
  "constructor",
  "__proto__",
  "prototype",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
]);

/** Statements before which the line is noted. nunjucks itself notes only that of a call. */
const NOTED: ReadonlySet<string> = new Set([
  "Output",
  "If",
  "IfAsync",
  "For",
  "AsyncEach",
  "AsyncAll",
  "Set",
  "Switch",
  "Block",
  "Include",
  "Import",
  "FromImport",
  "Extends",
]);

/** What compiled templates call beside nunjucks' runtime. */
const GUARD = {
  /** @param line @param column counted from 0 */
  failed: (error: unknown, template: string, line: number, column: number): Error =>
    located(error, { template, line: line + 1, column: column + 1 }),
  member(object: unknown, key: unknown): unknown {
    // Converted once: an object could answer with another name each time.
    const name = typeof key === "number" ? key : String(key);
    if (object === undefined || object === null || DENIED.has(name)) return undefined;
    const value = (object as Names)[name];
    if (typeof value !== "function") return value;
    return (...args: unknown[]): unknown => value.apply(object, args) as unknown;
  },
  /** A variable of a name that every object inherits. */
  variable: (context: Context, frame: Frame<unknown>, name: string): unknown =>
    frame.lookup(name) ?? own(context.ctx, name) ?? own(context.env.globals, name),
  /** As `frame.set(name, value, true)`. */
  set(frame: Frame<unknown>, name: string, value: unknown): void {
    (frame.resolve(name, true) ?? frame).variables[name] = value;
  },
  /** As `frame.set("loop.index", ...)` and the six others, without splitting each name at its dot in each iteration. */
  loop({ variables }: Frame<Record<string, unknown>>, index: number, length: number): void {
    const loop = (variables.loop ||= {});
    loop.index = index + 1;
    loop.index0 = index;
    loop.revindex = length - index;
    loop.revindex0 = length - index - 1;
    loop.first = index === 0;
    loop.last = index === length - 1;
    loop.length = length;
  },
};

/** The expected end of a template is no place of its own: an unclosed tag is reported where it begins. */
class GuardedParser extends parser.Parser {
  override parseStatement(): unknown {
    const tag = this.peekToken();
    try {
      return super.parseStatement();
    } catch (error) {
      const isEnd = error instanceof Error && "lineno" in error && error.lineno === undefined;
      throw isEnd && tag ? Object.assign(error, { lineno: tag.lineno + 1, colno: tag.colno + 1 }) : error;
    }
  }
}

class GuardedCompiler extends compiler.Compiler {
  readonly #failed: string;
  #kept = "kept";
  #macro: Node | undefined;

  constructor(template: string) {
    super(template);
    this.#failed = `guard.failed(e, ${JSON.stringify(template)}, lineno, colno)`;
  }

  override getCode(): string {
    return `"use strict";\n${super.getCode()}`;
  }

  override _emitFuncBegin({ lineno, colno }: Node, name: string): void {
    this.buffer = "output";
    this._scopeClosers = "";
    this._emitLine(`function ${name}(env, context, frame, runtime, done) {`);
    this._emitLine(`var lineno = ${lineno}, colno = ${colno}, output = "", kept = {}, text;`);
    this._emitLine("var cb = function(error, made) { if(error) throw error; text = made; };\ntry {");
  }

  override _emitFuncEnd(noReturn?: boolean): void {
    if (!noReturn) this._emitLine(`cb(null, ${this.buffer});`);
    this._closeScopeLevels();
    this._emitLine(`} catch (e) { done(${this.#failed}); return; }\ndone(null, text);\n}`);
    this.buffer = null;
  }

  /** A macro fails in its own file and line, not where it is called. */
  override _compileMacro(node: Node, scope?: Scope): string {
    const [kept, macro] = [this.#kept, this.#macro];
    [this.#kept, this.#macro] = [`kept_${this.codebuf.length}`, node];
    try {
      return super._compileMacro(node, scope);
    } finally {
      [this.#kept, this.#macro] = [kept, macro];
    }
  }

  override _emitLoopBindings(_node: Branch, _list: string, index: string, length: string): void {
    this._emitLine(`guard.loop(frame, ${index}, ${length});`);
  }

  override _emitLine(line: string): void {
    const code = line
      .replace(/^frame\.set\("(\w+)", (\w+), true\);$/, 'guard.set(frame, "$1", $2);')
      .replace(/^frame\.set\("(\w+)", (\w+)\);$/, 'frame.variables["$1"] = $2;');
    const starts = code === "var callerFrame = frame;" && this.#macro;
    const ends = code.startsWith("return new runtime.SafeString(");
    super._emitLine(ends ? `${code}\n} catch (e) { throw ${this.#failed}; }` : code);
    if (starts) super._emitLine(`var ${this.#kept} = {}, lineno = ${starts.lineno}, colno = ${starts.colno};\ntry {`);
  }

  override compile(node: Node, scope?: Scope): void {
    if (NOTED.has(node.typename)) this._emitLine(`lineno = ${node.lineno}, colno = ${node.colno};`);
    super.compile(node, scope);
  }

  override compileFilter(node: Node, scope: Scope): void {
    this._emit(`(lineno = ${node.lineno}, colno = ${node.colno}, `);
    super.compileFilter(node, scope);
    this._emit(")");
  }

  compileSymbol({ value }: Named & { readonly value: string }, scope: Scope): void {
    const lookup = value in Object.prototype ? "guard.variable" : "runtime.contextOrFrameLookup";
    this._emit(scope.lookup(value) ?? `${lookup}(context, frame, ${JSON.stringify(value)})`);
  }

  compileLookupVal({ target, val }: Node & { readonly target: Node; readonly val: Node }, scope: Scope): void {
    this._emit("guard.member((");
    this._compileExpression(target, scope);
    this._emit("),");
    this._compileExpression(val, scope);
    this._emit(")");
  }

  /** nunjucks leaves the length undeclared where there is no list: it would be that of an outer loop's last round. */
  override compileFor(node: Branch, scope: Scope): void {
    this._emitLine(`var t_${this.lastId + 2} = undefined;`);
    if (node.else_) node.else_ = closed(node.else_);
    super.compileFor(node, scope);
  }

  override compileSwitch(node: Switch, scope: Scope): void {
    for (const each of node.cases) if ((each.body as NodeList).children.length > 0) each.body = closed(each.body);
    if (node.default) node.default = closed(node.default);
    super.compileSwitch(node, scope);
  }

  override compileImport(node: Import, scope: Scope): void {
    this.#keeping([node.target], scope, () => super.compileImport(node, scope));
  }

  override compileFromImport(node: FromImport, scope: Scope): void {
    const names = node.names.children.map((each) => (each.key ? (each.value as Named) : each));
    this.#keeping(names, scope, () => super.compileFromImport(node, scope));
  }

  override compileMacro(node: Macro, scope: Scope): void {
    this.#keeping([node.name], scope, () => super.compileMacro(node, scope));
  }

  /** Two branches that define one name share its place: either may be taken, and what follows reads one place. */
  #keeping(names: readonly Named[], { variables }: Scope, compile: () => void): void {
    const before = names.map(({ value }) => variables[value as string]);
    compile();
    for (const [at, { value: name }] of names.entries()) {
      const id = variables[name as string]!;
      const place = before[at]?.startsWith(`${this.#kept}.`) ? before[at] : `${this.#kept}.${id}`;
      this._emitLine(`${place} = ${id};`);
      variables[name as string] = place;
    }
  }
}

/** A body whose callbacks are closed where it ends, which nunjucks does for `if` alone. */
function closed(body: Node): Node {
  const at = [body.lineno, body.colno] as const;
  return new nodes.NodeList(...at, [new nodes.If(...at, new nodes.Literal(...at, true), body)]);
}

/**
 * The functions of a template, as a loader may give them to nunjucks.
 *
 * @throws Error with the place (`placeOfFailure`) when the text is no template
 */
export function compileTemplate(text: string, template: string): object {
  try {
    const compiling = new GuardedCompiler(template);
    compiling.compile(transform(new GuardedParser(lexer.lex(text, {})).parseAsRoot()));
    // What nunjucks itself does with the code it compiles.
    // oxlint-disable-next-line no-new-func
    return (new Function("guard", compiling.getCode()) as (guard: typeof GUARD) => object)(GUARD);
  } catch (error) {
    throw located(error, { template, line: null, column: null });
  }
}
