/**
 * The nunjucks environment of one site.
 *
 * Templates come from the repository and count as code; data does not: everything printed is escaped, and an
 * expression cannot reach constructors or prototypes. Only real files below `templates/` can be named.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import nunjucks from "nunjucks";
import { CmsError } from "../errors.ts";
import { loadModule, type Inject } from "./inject.ts";
import { compiledTemplate, type TemplateCode } from "./template-code.ts";
import { adaptNunjucks, isMacro, type Done, type Evaluated, type Evaluation } from "./nunjucks-runtime.ts";

export type TemplateEnvironment = nunjucks.Environment;

adaptNunjucks();

/** The templates of one site, compiled once until told that files changed. */
export interface Templates {
  readonly environment: TemplateEnvironment;
  has(name: string): boolean;
  /** The text of a template; undefined when there is none of the name. */
  text(name: string): string | undefined;
  /** The site's own addition to the context of pages. */
  readonly inject: Inject | null;
  /** The addition a page model names. @throws CmsError `setup` when the module is not fit */
  injectOf(module: string): Promise<Inject>;
  /** Forgets what was compiled and loaded. */
  reset(): void;
  /** Told the name of each template that is used from now on, wherever in another it is named; undefined ends it. */
  onUse(listener: ((name: string) => void) | undefined): void;
}

/**
 * @param prepare adds what templates may call to each new environment
 * @param code what was compiled before
 */
export function openTemplates(
  root: string,
  prepare: (environment: TemplateEnvironment) => TemplateEnvironment,
  inject: Inject | null = null,
  code?: TemplateCode,
): Templates {
  const folder = join(root, "templates");
  let listener: ((name: string) => void) | undefined;
  const fresh = (): TemplateEnvironment => prepare(newEnvironment(folder, (name) => listener?.(name), code));
  let environment = fresh();
  const modules = new Map<string, Promise<Inject>>();
  return {
    get environment() {
      return environment;
    },
    inject,
    injectOf(module) {
      const loading = modules.get(module) ?? loadModule(root, module, "inject_context of a page model");
      modules.set(module, loading);
      return loading;
    },
    has: (name) => readTemplate(folder, name) !== undefined,
    text: (name) => readTemplate(folder, name),
    reset() {
      environment = fresh();
      modules.clear();
    },
    onUse(next) {
      listener = next;
    },
  };
}

/** @param folder the site's `templates` folder */
function newEnvironment(folder: string, used: (name: string) => void, code: TemplateCode | undefined): TemplateEnvironment {
  class FolderLoader extends nunjucks.Loader {
    getSource(name: string): nunjucks.LoaderSource | null {
      const text = readTemplate(folder, name);
      if (text === undefined) return null;
      const src = compiledTemplate(environment, name, text, code) ?? text;
      // Its types know of texts only.
      return { src: src as string, path: name, noCache: false };
    }
  }
  const loader = new FolderLoader();
  const environment = new nunjucks.Environment(loader as unknown as nunjucks.ILoader, { autoescape: true, throwOnUndefined: false });
  // Includes, imports and parents all come through here, each time they are used.
  const { getTemplate } = environment as unknown as { getTemplate(name: unknown, ...rest: unknown[]): nunjucks.Template };
  const imports = new Map<nunjucks.Template, Import>();
  /** Macros of templates that are shared. */
  const ofShared = new WeakSet<object>();
  let evaluating: Set<string> | undefined;
  const note = (name: string): void => {
    evaluating?.add(name);
    used(name);
  };
  return Object.assign(environment, {
    getTemplate(name: unknown, ...rest: unknown[]) {
      if (!(name instanceof nunjucks.Template)) note(String(name));
      return getTemplate.call(environment, name, ...rest);
    },
    importOf(template: nunjucks.Template, evaluate: (done: Evaluated) => void, done: Done): void {
      const known = imports.get(template);
      if (known) {
        for (const name of known.names) note(name);
        return done(null, known.copy());
      }
      const outer = evaluating;
      const names = (evaluating = new Set<string>());
      try {
        evaluate((error, exported, evaluation) => {
          evaluating = outer;
          for (const name of names) outer?.add(name);
          const copy = error ? undefined : copierOf(exported as Exported, evaluation, (macro) => ofShared.has(macro as object));
          if (copy) {
            imports.set(template, { copy, names });
            for (const macro of evaluation.macros) ofShared.add(macro as object);
            // Now it remembers something of a page, which is the last one to see it, also by way of others that import it.
            evaluation.onWrite(() => imports.clear());
          }
          done(error, exported);
        });
      } finally {
        evaluating = outer;
      }
    },
  });
}

/** What a template gives to those that import it, and the templates it named for that. */
interface Import {
  readonly copy: () => Exported;
  readonly names: ReadonlySet<string>;
}

type Exported = { readonly [name: string]: unknown };

/**
 * How each page gets what it would have got from an evaluation of its own; undefined when only that will do.
 *
 * Macros hold nothing but what stands beside them in their file, so where that is macros and plain values they can be
 * shared. Data is copied for each page. Both together could remember something from page to page, and so could a `joiner`.
 *
 * @param isShared whether a macro is of another file, and shared
 */
function copierOf(exported: Exported, { variables, macros }: Evaluation, isShared: (macro: unknown) => boolean): (() => Exported) | undefined {
  if (variables.every((value) => isPlain(value) || (isMacro(value) && (macros.has(value) || isShared(value))))) {
    const kept = { ...exported };
    return () => ({ ...kept });
  }
  const seen = new Set<unknown>();
  if (!variables.every((value) => isData(value, seen))) return undefined;
  const literal = literalOf(exported);
  // V8 makes what a literal says in a third of the time of copying it.
  // oxlint-disable-next-line no-new-func
  if (literal !== undefined) return new Function(`return ${literal}`) as () => Exported;
  const copy = copying(exported)!;
  // The first page has the values themselves, and may change them: what is copied from is a copy, too.
  return copying(copy())! as () => Exported;
}

/** As JavaScript has it, of what is no more than JSON has words for; undefined of other data. */
function literalOf(value: unknown): string | undefined {
  if (typeof value === "object" && value !== null && !isPlain(value)) {
    const inside = Object.entries(value).map(([name, each]) => [name, literalOf(each)] as const);
    // That name would mean something else there.
    if (inside.some(([name, literal]) => literal === undefined || name === "__proto__")) return undefined;
    return Array.isArray(value) ? `[${inside.map(([, literal]) => literal).join(",")}]` : `{${inside.map(([name, literal]) => `${JSON.stringify(name)}:${literal!}`).join(",")}}`;
  }
  const isWord = value === null || typeof value === "string" || typeof value === "boolean" || (Number.isFinite(value) && !Object.is(value, -0));
  return isWord ? JSON.stringify(value) : undefined;
}

/** Nothing that could be changed. */
const isPlain = (value: unknown): boolean => (typeof value !== "object" && typeof value !== "function") || value === null || value instanceof nunjucks.runtime.SafeString;

/** @param seen what was come across: what is there twice would be two things in a copy */
function isData(value: unknown, seen: Set<unknown>): boolean {
  if (isPlain(value)) return true;
  if (typeof value !== "object" || seen.has(value)) return false;
  seen.add(value);
  const isList = Array.isArray(value) && Object.keys(value).length === value.length;
  return (isList || Object.getPrototypeOf(value) === Object.prototype) && Object.values(value as object).every((each) => isData(each, seen));
}

/** Copies a value of `isData` again and again, having looked at it once; undefined where there is nothing to copy. */
function copying(value: unknown): (() => object) | undefined {
  if (isPlain(value)) return undefined;
  const inside = Object.entries(value as object).flatMap(([name, each]) => {
    const copy = copying(each);
    return copy ? [[name, copy] as const] : [];
  });
  const fresh = (): { [name: string]: unknown } => (Array.isArray(value) ? (value.slice() as never) : { ...(value as object) });
  if (inside.length === 0) return fresh;
  return () => {
    const copy = fresh();
    for (const [name, each] of inside) copy[name] = each();
    return copy;
  };
}

/** @throws CmsError `broken` naming template and line when it is missing or fails; its cause has the place */
export function renderTemplate(environment: TemplateEnvironment, name: string, context: object): string {
  try {
    return environment.render(name, context);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n").map((line) => line.trim()).filter(Boolean).join(" ") : String(error);
    throw new CmsError("broken", `The template ${name} cannot be rendered: ${reason}`, { cause: error });
  }
}

/** The text of a template; undefined when the name leads to no regular file below the folder. */
function readTemplate(folder: string, name: string): string | undefined {
  const segments = name.split("/");
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || /[\\\0]/.test(segment))) return undefined;
  let path = folder;
  for (const [at, segment] of segments.entries()) {
    path = join(path, segment);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // A symlink could lead anywhere, so it is no template, nor a folder of some.
    if (at < segments.length - 1 ? !found?.isDirectory() : !found?.isFile()) return undefined;
  }
  return readFileSync(path, "utf8");
}
