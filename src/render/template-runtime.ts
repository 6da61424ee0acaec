/** What templates call that `template-compiler.ts` has compiled, beside nunjucks' own runtime. */
import nunjucks from "nunjucks";
import { located } from "./template-failure.ts";

type Done = (error: unknown, value: unknown) => void;

interface Context {
  getVariables(): object;
  getSuper(env: unknown, name: string, block: unknown, frame: unknown, runtime: unknown, done: Done): void;
  addBlock(name: string, block: unknown): unknown;
}
interface Template {
  readonly path: string;
  readonly blocks: { readonly [name: string]: unknown };
  compile(): void;
  render(variables: object, frame: unknown, done: Done): void;
  getExported(...args: readonly unknown[]): void;
}
interface Internals {
  readonly runtime: { readonly SafeString: new (text: string) => object };
  readonly lib: { escape(text: string): string };
}

const { runtime, lib } = nunjucks as unknown as Internals;
const { SafeString } = runtime;

/** What nunjucks escapes, and most texts have none of. */
const ESCAPED = /[&"'<>\\]/;

/** Waits for nothing, which a page cannot either. */
function given(run: (done: Done) => void): unknown {
  let said: readonly [error: unknown, value: unknown] | undefined;
  // A template that nunjucks compiled goes on after a failure, and says at the end that all went well.
  run((...all) => {
    if (!said?.[0]) said = all;
  });
  if (!said) throw new Error("it waits for something");
  if (said[0]) throw said[0]; // it says where it happened
  return said[1];
}

/** nunjucks itself would name the template that wants it. */
function compiled(template: Template): Template {
  try {
    template.compile();
    return template;
  } catch (error) {
    throw located(error, { template: template.path, line: null, column: null });
  }
}

export const PLAIN = {
  /** @param line @param column where the template stood, counted from 0 */
  failed: (error: unknown, template: string, line: number, column: number): Error => located(error, { template, line: line + 1, column: column + 1 }),
  /** As nunjucks prints with `autoescape`. */
  printed(value: unknown): unknown {
    if (typeof value === "string") return ESCAPED.test(value) ? lib.escape(value) : value;
    if (value === undefined || value === null) return "";
    return value instanceof SafeString ? value : lib.escape(String((value as object).toString()));
  },
  bound: (object: unknown, member: (...args: unknown[]) => unknown) => (...args: unknown[]) => member.apply(object, args),
  loop(variables: { loop?: unknown }, at: number, length: number): void {
    const loop = (variables.loop ||= {}) as { [name: string]: unknown };
    loop.index = at + 1;
    loop.index0 = at;
    loop.revindex = length - at;
    loop.revindex0 = length - at - 1;
    loop.first = at === 0;
    loop.last = at === length - 1;
    loop.length = length;
  },
  included: (template: Template, context: Context, frame: unknown) => given((done) => template.render(context.getVariables(), frame, done)),
  exported: (template: Template, ...withContext: readonly unknown[]) => given((done) => compiled(template).getExported(...withContext, done)),
  member(exported: { readonly [name: string]: unknown }, name: string): unknown {
    if (!Object.hasOwn(exported, name)) throw new Error(`cannot import '${name}'`);
    return exported[name];
  },
  part: (block: (...args: unknown[]) => void, ...args: readonly unknown[]) => given((done) => block(...args, done)),
  above: (context: Context, name: string, block: unknown, env: unknown, frame: unknown, own: unknown) => given((done) => context.getSuper(env, name, block, frame, own, done)),
  extend(context: Context, template: Template): Template {
    const { blocks } = compiled(template);
    for (const name in blocks) context.addBlock(name, blocks[name]);
    return template;
  },
};
