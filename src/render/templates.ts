/**
 * The nunjucks environment of one site.
 *
 * Templates come from the repository and count as code; data does not: everything printed is escaped, and an
 * expression cannot reach constructors or prototypes. Only real files below `templates/` can be named.
 */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import nunjucks from "nunjucks";
import { CmsError, messageOf } from "../errors.ts";
import { loadModule, type Inject } from "./inject.ts";
import { compileTemplate } from "./nunjucks-guard.ts";

export type TemplateEnvironment = nunjucks.Environment;

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

/** @param prepare adds what templates may call to each new environment */
export function openTemplates(
  root: string,
  prepare: (environment: TemplateEnvironment) => TemplateEnvironment,
  inject: Inject | null = null,
): Templates {
  const folder = join(root, "templates");
  let listener: ((name: string) => void) | undefined;
  const fresh = (): TemplateEnvironment => prepare(newEnvironment(folder, (name) => listener?.(name)));
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

/**
 * @param folder the site's `templates` folder
 * @param used told the name of each template that is asked for, which includes, imports and parents are at every use
 */
function newEnvironment(folder: string, used: (name: string) => void): TemplateEnvironment {
  class FolderLoader extends nunjucks.Loader {
    cache: object = {};

    getSource(name: string): nunjucks.LoaderSource | null {
      const text = readTemplate(folder, name);
      if (text === undefined) return null;
      const src: object = { type: "code", obj: compileTemplate(text, name) };
      return { src: src as unknown as string, path: name, noCache: false }; // the types know of text only
    }
  }
  const loader = new FolderLoader();
  // Without `dev` an error would be replaced by one that has no place.
  const options = { autoescape: true, throwOnUndefined: false, dev: true };
  const environment = new nunjucks.Environment(loader as unknown as nunjucks.ILoader, options);
  const tables = environment as unknown as Tables;
  // Without a prototype, so that `constructor` is the name of no template, filter or test.
  loader.cache = Object.create(null) as object;
  for (const table of ["filters", "tests"] as const) {
    tables[table] = Object.assign(Object.create(null) as object, tables[table]);
  }
  const { getTemplate } = tables;
  return Object.assign(environment, {
    getTemplate(name: unknown, ...rest: unknown[]) {
      if (!(name instanceof nunjucks.Template)) used(String(name));
      return getTemplate.call(environment, name, ...rest);
    },
  });
}

/** What the types of nunjucks leave out. */
interface Tables {
  filters: object;
  tests: object;
  getTemplate(name: unknown, ...rest: unknown[]): nunjucks.Template;
}

/** @throws CmsError `broken` naming template and line when it is missing or fails; its cause has the place */
export function renderTemplate(environment: TemplateEnvironment, name: string, context: object): string {
  try {
    return environment.render(name, context);
  } catch (error) {
    const lines = messageOf(error)
      .split("\n")
      .map((line) => line.trim());
    const reason = lines.filter(Boolean).join(" ");
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
