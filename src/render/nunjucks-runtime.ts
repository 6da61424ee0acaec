/**
 * What nunjucks has no setting for, put in the place of what it has: once for the process, and whoever renders.
 */
import nunjucks from "nunjucks";
import { own } from "../model/json.ts";
import { located, placeOfFailure } from "./template-failure.ts";

/** Members no expression reaches. */
export const DENIED: ReadonlySet<string> = new Set(["constructor", "__proto__", "prototype", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"]);

/** Whether every object has such a name. */
export const isInherited = (name: string): boolean => name in Object.prototype;

export type Done = (error: Error | null, exported: unknown) => void;

/** What was seen of an imported template. */
export interface Evaluation {
  /** Every value at its top, those it keeps for itself among them. */
  readonly variables: readonly unknown[];
  /** The macros that it made itself. */
  readonly macros: ReadonlySet<unknown>;
  /** Called when something is put among its variables later on, as an import in a macro does. */
  onWrite(listener: () => void): void;
}

export type Evaluated = (error: Error | null, exported: unknown, evaluation: Evaluation) => void;

/** An environment that sees to it that what is imported is evaluated once. */
interface Importing {
  importOf(template: nunjucks.Template, evaluate: (done: Evaluated) => void, done: Done): void;
}

/** On nunjucks itself: a site's own module may bring this program along a second time, as a library. */
const ADAPTED = Symbol.for("git-cms: macros");

const adapted = nunjucks.runtime as { [ADAPTED]?: WeakSet<object> };

/** Whether a value is a macro of a template. */
export const isMacro = (value: unknown): boolean => typeof value === "function" && adapted[ADAPTED]?.has(value) === true;

/** Makes member access safe, imports single, failures plain and the most frequent calls quick. The second time nothing happens. */
export function adaptNunjucks(): void {
  if (adapted[ADAPTED]) return;
  adapted[ADAPTED] = new WeakSet();
  denyPrototypes();
  denyInheritedNames();
  markMacros();
  evaluateImportsOnce();
  tellAtOnce();
  locateFailures();
  quicken();
}

/**
 * Of a part that cannot be parsed nunjucks tells later, when nobody listens any more: the page would be nothing, and the
 * process end with what is thrown then.
 */
function tellAtOnce(): void {
  const { lib } = nunjucks as unknown as { lib: { _prettifyError(path: string, isVerbose: boolean, error: unknown): unknown } };
  const prototype = nunjucks.Template.prototype as unknown as { render(this: Evaluable, ...args: unknown[]): unknown };
  const { render } = prototype;
  prototype.render = function (...args) {
    const done = args.at(-1);
    if (typeof done !== "function") return render.apply(this, args);
    try {
      this.compile();
    } catch (error) {
      return (done as Done)(lib._prettifyError(this.path, false, error) as Error, undefined);
    }
    return render.apply(this, args);
  };
}

/**
 * nunjucks counts lines from 0 and says so, but of what cannot be parsed; names the template that is rendered where the
 * one that fails should stand; and of a tag that nobody ends says nothing but that the end is missing.
 */
function locateFailures(): void {
  const { lib, parser, runtime } = nunjucks as unknown as {
    readonly lib: { _prettifyError(path: string, isVerbose: boolean, error: unknown): unknown };
    readonly parser: { readonly Parser: { readonly prototype: Parser } };
    readonly runtime: { handleError(error: unknown, line: number, column: number): unknown };
  };
  const { handleError } = runtime;
  runtime.handleError = (error, line, column) => (placeOfFailure(error) ? located(error, NOWHERE) : handleError(error, line + 1, column + 1));
  lib._prettifyError = (template, _isVerbose, error) => located(error, { ...NOWHERE, template });
  const { prototype } = parser.Parser;
  const { parseStatement } = prototype;
  prototype.parseStatement = function (this: Parser) {
    const tag = this.peekToken();
    try {
      return parseStatement.call(this);
    } catch (error) {
      const isEnd = error instanceof Error && "lineno" in error && error.lineno === undefined;
      throw isEnd && tag ? Object.assign(error, { lineno: tag.lineno + 1, colno: tag.colno + 1 }) : error;
    }
  };
}

const NOWHERE = { template: "", line: null, column: null };

interface Parser {
  peekToken(): { readonly lineno: number; readonly colno: number } | null;
  parseStatement(): unknown;
}

/** nunjucks has no hook for member access but this function, which every compiled template calls. */
function denyPrototypes(): void {
  const { runtime } = nunjucks as unknown as { runtime: { memberLookup(object: unknown, key: unknown): unknown } };
  runtime.memberLookup = (object, key) => {
    // Made a name once: an object may say another one each time it is asked.
    const name = typeof key === "string" || typeof key === "number" ? key : String(key);
    if (object === undefined || object === null || DENIED.has(name as string)) return undefined;
    const value = (object as { readonly [key: string]: unknown })[name];
    return typeof value === "function" ? (...args: unknown[]) => value.apply(object, args) as unknown : value;
  };
}

/** Variables, filters and tests stand in objects that have more names than anybody gave them: `constructor` would be one. */
function denyInheritedNames(): void {
  type Names = { readonly [name: string]: unknown };
  interface Context {
    readonly ctx: Names;
    readonly env: { readonly globals: Names };
    lookup(name: string): unknown;
  }
  interface Environment {
    readonly filters: Names;
    readonly tests: Names;
    getFilter(name: string): unknown;
    getTest(name: string): unknown;
  }
  const { prototype } = nunjucks.Environment as unknown as { readonly prototype: Environment };
  const { getFilter, getTest } = prototype;
  prototype.getFilter = function (this: Environment, name) {
    if (isInherited(name) && !Object.hasOwn(this.filters, name)) throw new Error(`filter not found: ${name}`);
    return getFilter.call(this, name);
  };
  prototype.getTest = function (this: Environment, name) {
    if (isInherited(name) && !Object.hasOwn(this.tests, name)) throw new Error(`test not found: ${name}`);
    return getTest.call(this, name);
  };
  // Only a template that runs gets to see one.
  const look = (_env: unknown, context: Context, _frame: unknown, _runtime: unknown, done: Done): void => {
    const contexts = Object.getPrototypeOf(context) as Context;
    const { lookup } = contexts;
    contexts.lookup = function (this: Context, name) {
      return isInherited(name) ? (own(this.ctx, name) ?? own(this.env.globals, name)) : lookup.call(this, name);
    };
    done(null, "");
  };
  new nunjucks.Template({ type: "code", obj: { root: look } } as never, new nunjucks.Environment()).render({});
}

/** A macro is a function like any other, but for who made it. Most are called with just what they have names for. */
function markMacros(): void {
  type Macro = (this: unknown, ...args: unknown[]) => unknown;
  const { runtime } = nunjucks as unknown as { runtime: { makeMacro(names: readonly string[], keywords: readonly string[], body: Macro): Macro } };
  const { makeMacro } = runtime;
  runtime.makeMacro = (names, keywords, body) => {
    const usual = makeMacro(names, keywords, body);
    const macro: Macro = function (...args) {
      const last = args[args.length - 1];
      const isPlain = args.length === names.length && (typeof last !== "object" || last === null || !Object.hasOwn(last, "__keywords"));
      return isPlain ? body.apply(this, args) : usual.apply(this, args);
    };
    adapted[ADAPTED]!.add(macro);
    madeNow?.add(macro);
    return macro;
  };
}

/** Macros of the template that is being evaluated for an import. */
let madeNow: Set<unknown> | undefined;

/**
 * An import that is not `with context` sees nothing of the page, so it gives every page the same: where that can be had
 * without it, it is not evaluated again for each, as Jinja does it. nunjucks has no setting for it.
 */
function evaluateImportsOnce(): void {
  const prototype = nunjucks.Template.prototype as unknown as { getExported(this: nunjucks.Template, ...args: unknown[]): void };
  const { getExported } = prototype;
  prototype.getExported = function (this: Evaluable, ...args) {
    const [done] = args;
    if (typeof done !== "function" || !this.env.importOf) return getExported.apply(this, args);
    this.env.importOf(this, (evaluated) => {
      this.compile();
      const { rootRenderFunc: root } = this;
      const outer = madeNow;
      const macros = (madeNow = new Set());
      let variables = (): readonly unknown[] => [];
      let written = (): void => undefined;
      // The only place where the template's own context can be seen.
      this.rootRenderFunc = (env, context, frame, ...rest) => {
        this.rootRenderFunc = root;
        variables = () => {
          const known = context.getVariables() as { readonly [name: string]: unknown };
          return [...Object.values(known), ...Object.entries(frame.variables).flatMap(([name, value]) => (known[name] === value ? [] : [value]))];
        };
        const { setVariable } = context;
        context.setVariable = (name, value) => {
          written();
          setVariable.call(context, name, value);
        };
        return root.call(this, env, context, frame, ...rest);
      };
      try {
        getExported.call(this, (error: Error | null, exported: unknown) => {
          madeNow = outer;
          evaluated(error, exported, { variables: variables(), macros, onWrite: (listener) => void (written = listener) });
        });
      } finally {
        madeNow = outer;
      }
    }, done as Done);
  };
}

interface Evaluable extends nunjucks.Template {
  readonly path: string;
  readonly env: Partial<Importing>;
  rootRenderFunc(env: unknown, context: { getVariables(): object; setVariable(name: string, value: unknown): void }, frame: Frame, ...rest: unknown[]): unknown;
  compile(): void;
}

interface Frame {
  readonly variables: { [name: string]: unknown };
  resolve(name: string, forWrite: boolean): Frame | undefined;
  set(name: string, value: unknown, resolveUp?: boolean): void;
}

/** The same as what they replace, without what these make for every call: closures, lists of keys, names taken apart. */
function quicken(): void {
  const { lib, runtime, Environment } = nunjucks as unknown as {
    readonly lib: { extend(into: object | undefined, from: object): object };
    readonly runtime: { readonly Frame: { readonly prototype: Frame } };
    readonly Environment: { readonly prototype: { waterfall(tasks: readonly Task[], done?: Task): void } };
  };
  // Everybody goes on with what it returns, and most have nothing to begin with: V8 copies one object much faster than two.
  lib.extend = (into, from) => (isEmpty(into) ? { ...from } : { ...into, ...from });
  const frame = runtime.Frame.prototype;
  const { set } = frame;
  /** The names templates set, `loop.index` among them, each taken apart once. */
  const apart = new Map<string, readonly [string, ...string[]]>();
  frame.set = function (this: Frame, name, value, resolveUp) {
    let names = apart.get(name);
    if (!names) apart.set(name, (names = name.split(".") as [string]));
    const [first, inner] = names;
    if (inner === undefined) {
      const into = resolveUp ? (this.resolve(name, true) ?? this) : this;
      into.variables[name] = value;
    } else if (names.length > 2 || resolveUp) set.call(this, name, value, resolveUp);
    else ((this.variables[first] ||= {}) as { [name: string]: unknown })[inner] = value;
  };
  Environment.prototype.waterfall = (tasks, done = () => undefined) => {
    const run = (at: number, args: readonly unknown[]): void => {
      const task = tasks[at];
      if (!task) return done(null, ...args);
      task(...args, (error: unknown, ...results: unknown[]) => (error ? done(error) : run(at + 1, results)));
    };
    run(0, []);
  };
}

function isEmpty(object: object | undefined): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}

type Task = (...args: unknown[]) => void;
