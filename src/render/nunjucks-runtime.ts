/**
 * What nunjucks has no setting for, put in the place of what it has: once for the process, and whoever renders.
 */
import nunjucks from "nunjucks";

const DENIED = new Set(["constructor", "__proto__", "prototype", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"]);

export type Done = (error: Error | null, exported: unknown) => void;

/** An environment that sees to it that what is imported is evaluated once. */
interface Importing {
  importOf(template: nunjucks.Template, evaluate: (done: Done) => void, done: Done): void;
}

let isAdapted = false;

/** Makes member access safe, imports single and the most frequent calls quick. The second time nothing happens. */
export function adaptNunjucks(): void {
  if (isAdapted) return;
  isAdapted = true;
  denyPrototypes();
  evaluateImportsOnce();
  quicken();
}

/** nunjucks has no hook for member access but this function, which every compiled template calls. */
function denyPrototypes(): void {
  const { runtime } = nunjucks as unknown as { runtime: { memberLookup(object: unknown, key: unknown): unknown } };
  const { memberLookup } = runtime;
  runtime.memberLookup = (object, key) => (DENIED.has(String(key)) ? undefined : memberLookup(object, key));
}

/**
 * An import that is not `with context` sees nothing of the page, so it gives every page the same: it is evaluated once, as
 * Jinja does it, and not again for each page. nunjucks has no setting for it.
 */
function evaluateImportsOnce(): void {
  const template = nunjucks.Template.prototype as unknown as { getExported(this: nunjucks.Template, ...args: unknown[]): void };
  const { getExported } = template;
  Object.assign(template, {
    getExported(this: nunjucks.Template & { readonly env: Partial<Importing> }, ...args: unknown[]) {
      const [done] = args;
      if (typeof done !== "function" || !this.env.importOf) return getExported.apply(this, args);
      this.env.importOf(this, (evaluated) => getExported.call(this, evaluated), done as Done);
    },
  });
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
  lib.extend = (into, from) => Object.assign(into ?? {}, from);
  const frame = runtime.Frame.prototype;
  const { set } = frame;
  frame.set = function (this: Frame, name, value, resolveUp) {
    if (name.includes(".")) return set.call(this, name, value, resolveUp);
    const into = resolveUp ? (this.resolve(name, true) ?? this) : this;
    into.variables[name] = value;
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

type Task = (...args: unknown[]) => void;
