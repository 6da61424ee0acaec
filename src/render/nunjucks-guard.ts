/**
 * Corrects defects of nunjucks' compiler that no setting avoids:
 *
 * - A template with a syntax error throws while it is loaded. nunjucks would report it in a later tick, where nothing
 *   can catch it: the page would be empty, and the process would end.
 * - nunjucks compiles the code after an include, import, block or `super()` to a callback, which it calls inside the
 *   `try` of the other template. Here the function of a template returns before its callback is called, so an error is
 *   caught in the file where it occurs, and has a line of that file. This requires that no filter is asynchronous.
 * - An import inside such a callback would not be visible after it, and an assignment to its name would create a global
 *   variable of the process, which all pages share. Here compiled code is strict, and each function stores the values of
 *   imports and macros in an object.
 * - Inherited names are neither variables nor members: `constructor` would lead to `Function`.
 */
import { own } from "../model/input/json.ts";
import {
  compiler,
  lexer,
  lib,
  nodes,
  parser,
  transform,
  type Branch,
  type NunjucksContext,
  type Frame,
  type FromImport,
  type Import,
  type Macro,
  type NunjucksNamed,
  type NunjucksNames,
  type Node,
  type NodeList,
  type Scope,
  type Switch,
} from "./nunjucks-internals.ts";
import { failureAt, located } from "./template-failure.ts";
import { syntaxMistake } from "./check/template-syntax.ts";

// Only imports and includes use it, to copy their context. `Object.assign` does the same in a third of the time.
lib.extend = Object.assign;

/** Members that expressions cannot access. */
const DENIED: ReadonlySet<unknown> = new Set([
  "constructor",
  "__proto__",
  "prototype",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
]);

/** Statements whose line compiled code records, for errors. nunjucks itself records only the lines of calls. */
// oxfmt-ignore
const RECORDED: ReadonlySet<string> = new Set([
  "Output", "If", "IfAsync", "For", "AsyncEach", "AsyncAll", "Set", "Switch", "Block", "Include", "Import",
  "FromImport", "Extends",
]);

/** Functions that compiled templates call in addition to nunjucks' runtime. */
const GUARD = {
  /** @param line @param column counted from 0 */
  failed: (error: unknown, template: string, line: number, column: number): Error =>
    located(error, { template, line: line + 1, column: column + 1 }),
  member(object: unknown, key: unknown): unknown {
    // Converted only once: an object could convert to an allowed name for the check, then to another one.
    const name = typeof key === "number" ? key : String(key);
    if (object === undefined || object === null || DENIED.has(name)) return undefined;
    const value = (object as NunjucksNames)[name];
    if (typeof value !== "function") return value;
    return (...args: unknown[]): unknown => value.apply(object, args) as unknown;
  },
  /** A variable whose name is that of a member every object inherits. */
  variable: (context: NunjucksContext, frame: Frame<unknown>, name: string): unknown =>
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

class GuardedCompiler extends compiler.Compiler {
  readonly #failed: string;
  #store = "store";
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
    this._emitLine(`var lineno = ${lineno}, colno = ${colno}, output = "", store = {}, text;`);
    this._emitLine("var cb = function(error, made) { if(error) throw error; text = made; };\ntry {");
  }

  override _emitFuncEnd(noReturn?: boolean): void {
    if (!noReturn) this._emitLine(`cb(null, ${this.buffer});`);
    this._closeScopeLevels();
    this._emitLine(`} catch (e) { done(${this.#failed}); return; }\ndone(null, text);\n}`);
    this.buffer = null;
  }

  /** An error in a macro has its file and line, not those of the call. */
  override _compileMacro(node: Node, scope?: Scope): string {
    const [store, macro] = [this.#store, this.#macro];
    [this.#store, this.#macro] = [`store_${this.codebuf.length}`, node];
    try {
      return super._compileMacro(node, scope);
    } finally {
      [this.#store, this.#macro] = [store, macro];
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
    if (starts) super._emitLine(`var ${this.#store} = {}, lineno = ${starts.lineno}, colno = ${starts.colno};\ntry {`);
  }

  override compile(node: Node, scope?: Scope): void {
    if (RECORDED.has(node.typename)) this._emitLine(`lineno = ${node.lineno}, colno = ${node.colno};`);
    super.compile(node, scope);
  }

  override compileFilter(node: Node, scope: Scope): void {
    this._emit(`(lineno = ${node.lineno}, colno = ${node.colno}, `);
    super.compileFilter(node, scope);
    this._emit(")");
  }

  compileSymbol({ value }: NunjucksNamed & { readonly value: string }, scope: Scope): void {
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

  /** Declares the length. Without a list nunjucks does not, so the loop would have the length of an outer loop. */
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
    this.#storing([node.target], scope, () => super.compileImport(node, scope));
  }

  override compileFromImport(node: FromImport, scope: Scope): void {
    const names = node.names.children.map((each) => (each.key ? (each.value as NunjucksNamed) : each));
    this.#storing(names, scope, () => super.compileFromImport(node, scope));
  }

  override compileMacro(node: Macro, scope: Scope): void {
    this.#storing([node.name], scope, () => super.compileMacro(node, scope));
  }

  /**
   * Compiles a statement that defines names, and stores their values. Branches that define the same name share its
   * slot, because the code after them reads one slot, whichever branch was taken.
   */
  #storing(names: readonly NunjucksNamed[], { variables }: Scope, compile: () => void): void {
    const before = names.map(({ value }) => variables[value as string]);
    compile();
    for (const [at, { value: name }] of names.entries()) {
      const id = variables[name as string]!;
      const slot = before[at]?.startsWith(`${this.#store}.`) ? before[at] : `${this.#store}.${id}`;
      this._emitLine(`${slot} = ${id};`);
      variables[name as string] = slot;
    }
  }
}

/** A body wrapped in `{% if true %}`: only for `if` does nunjucks close the callbacks of a body at its end. */
function closed(body: Node): Node {
  const at = [body.lineno, body.colno] as const;
  return new nodes.NodeList(...at, [new nodes.If(...at, new nodes.Literal(...at, true), body)]);
}

/** @throws Error of nunjucks, with `lineno` and `colno` from 1 */
export const parseTemplate = (text: string): Node => new parser.Parser(lexer.lex(text, {})).parseAsRoot();

/**
 * The compiled functions of a template, in the form that a loader returns.
 *
 * @throws Error with file and line (`placeOfFailure`) for a syntax error
 */
export function compileTemplate(text: string, template: string): object {
  try {
    const guarded = new GuardedCompiler(template);
    guarded.compile(transform(parseTemplate(text)));
    // nunjucks evaluates compiled code in the same way.
    // oxlint-disable-next-line no-new-func
    return (new Function("guard", guarded.getCode()) as (guard: typeof GUARD) => object)(GUARD);
  } catch (error) {
    const { reason, ...place } = syntaxMistake(text, error);
    throw failureAt({ template, ...place }, reason, error);
  }
}
