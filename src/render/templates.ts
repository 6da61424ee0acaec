/**
 * The nunjucks environment of one site.
 *
 * Templates come from the repository and count as code; data does not: everything printed is escaped, and an
 * expression cannot reach constructors or prototypes. Only real files below `templates/` can be named.
 */
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import nunjucks from "nunjucks";
import { derived, keptBy } from "../memo.ts";
import { CmsError, messageOf } from "../errors.ts";
import { isMissing } from "../store/git/fs.ts";
import { loadModule, type Inject } from "./inject.ts";
import { compileTemplate } from "./nunjucks-guard.ts";
import { Environment, type CompiledSource } from "./nunjucks-internals.ts";

/** The part of nunjucks' environment that is used, so that programs on the library need no types of nunjucks. */
export interface TemplateEnvironment {
  render(name: string, context: object): string;
  renderString(text: string, context: object): string;
  addFilter(name: string, filter: (...args: never[]) => unknown): TemplateEnvironment;
  addGlobal(name: string, value: unknown): TemplateEnvironment;
}

/** What templates can use, by name. */
export interface TemplateTables {
  readonly globals: object;
  readonly filters: object;
  readonly tests: object;
}

/** The templates of one site. Each is compiled at its first use, until `reset`. */
export interface Templates {
  readonly environment: TemplateEnvironment & TemplateTables;
  has(name: string): boolean;
  /** Whether it was rendered before, so that the disk need not be asked for it. */
  isCompiled(name: string): boolean;
  /** The text of a template; undefined when there is none of the name. */
  text(name: string): string | undefined;
  /** Paths of all files below `templates/`. */
  list(): readonly string[];
  /** Names of the templates that failed when they were rendered last, since the last `reset`. */
  readonly failing: ReadonlySet<string>;
  /** The function of the setting `RENDER.PAGE.INJECT_CONTEXT`. */
  readonly inject: Inject | null;
  /** The function of the module that a page model names. @throws CmsError `setup` as `loadModule` */
  injectOf(module: string): Promise<Inject>;
  /** Discards compiled templates and loaded modules, because files have changed. */
  reset(): void;
  /** Sets a listener for the names of templates that are used, also inside others; undefined removes it. */
  onUse(listener: ((name: string) => void) | undefined): void;
}

/** Where the texts of templates come from. */
export interface TemplateFiles {
  /** Paths of all files below `templates/`. */
  list(): readonly string[];
  /** The text of a template; undefined when there is none of the name. */
  read(name: string): string | undefined;
}

/** The functions of the site's modules that templates get values from. */
type TemplateModules = Pick<Templates, "inject" | "injectOf">;

/** The templates in a site's folder. @param prepare adds helpers to each new environment */
export function openTemplates(root: string, prepare: Prepare, inject: Inject | null = null): Templates {
  const folder = join(root, "templates");
  const modules = new Map<string, Promise<Inject>>();
  const injectOf = (module: string): Promise<Inject> =>
    keptBy(modules, module, () => loadModule(root, module, "inject_context of a page model"));
  const files = { read: (name: string) => readTemplate(folder, name), list: () => filesBelow(folder) };
  return templatesOf(files, prepare, { inject, injectOf }, () => modules.clear());
}

type Prepare = (environment: TemplateEnvironment) => TemplateEnvironment;

/** @param onReset called when the templates are discarded */
export function templatesOf(
  files: TemplateFiles,
  prepare: Prepare,
  { inject, injectOf }: TemplateModules,
  onReset: () => void = () => undefined,
): Templates {
  let listener: ((name: string) => void) | undefined;
  const fresh = (): ReturnType<typeof newEnvironment> => {
    const made = newEnvironment(files, (name) => listener?.(name));
    prepare(made);
    return made;
  };
  let environment = fresh();
  return {
    get environment() {
      return environment;
    },
    inject,
    injectOf,
    has: (name) => files.read(name) !== undefined,
    isCompiled: (name) => environment.isCompiled(name),
    text: files.read,
    list: files.list,
    get failing() {
      return failuresIn(environment);
    },
    reset() {
      environment = fresh();
      onReset();
    },
    onUse(next) {
      listener = next;
    },
  };
}

/** @param onUse called at each use of a template with its name: to render, include, import or extend it */
function newEnvironment(files: TemplateFiles, onUse: (name: string) => void) {
  class FolderLoader extends nunjucks.Loader {
    cache: object = {};

    getSource(name: string): CompiledSource | null {
      const text = files.read(name);
      if (text === undefined) return null;
      return { src: { type: "code", obj: compileTemplate(text, name) }, path: name, noCache: false };
    }
  }
  const loader = new FolderLoader();
  // Without `dev`, nunjucks replaces an error by one without file and line.
  const options = { autoescape: true, throwOnUndefined: false, dev: true };
  const environment = new Environment(loader, options);
  // Without a prototype, so that `constructor` is the name of no template, filter or test.
  loader.cache = Object.create(null) as object;
  for (const table of ["filters", "tests"] as const) {
    environment[table] = Object.assign(Object.create(null) as object, environment[table]);
  }
  const { getTemplate } = environment;
  FINDERS.set(environment, (name) => {
    onUse(name);
    return name in loader.cache || files.read(name) !== undefined;
  });
  return Object.assign(environment, {
    isCompiled: (name: string) => name in loader.cache,
    getTemplate(name: unknown, ...rest: unknown[]) {
      if (!(name instanceof nunjucks.Template)) onUse(String(name));
      return getTemplate.call(environment, name, ...rest);
    },
  });
}

const FINDERS = new WeakMap<TemplateEnvironment, (name: string) => boolean>();

/** Whether there is a template; the page that asks depends on it from then on, also where it is missing. */
export const hasTemplate = (environment: TemplateEnvironment, name: string): boolean =>
  FINDERS.get(environment)?.(name) === true;

/** @throws CmsError `broken` naming template and line when it is missing or fails; its cause has the place */
export function renderTemplate(environment: TemplateEnvironment, name: string, context: object): string {
  try {
    const text = environment.render(name, context);
    failuresIn(environment).delete(name);
    return text;
  } catch (error) {
    failuresIn(environment).add(name);
    const lines = messageOf(error)
      .split("\n")
      .map((line) => line.trim());
    const reason = lines.filter(Boolean).join(" ");
    throw new CmsError("broken", `The template ${name} cannot be rendered: ${reason}`, { cause: error });
  }
}

const failuresIn = derived((_environment: TemplateEnvironment) => new Set<string>());

function filesBelow(folder: string): string[] {
  const entries = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
    : [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .sort();
}

/** The text of a template; undefined when the name is not that of a regular file below the folder. */
function readTemplate(folder: string, name: string): string | undefined {
  try {
    return textOfTemplate(folder, name);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function textOfTemplate(folder: string, name: string): string | undefined {
  const segments = name.split("/");
  if (segments.some((segment) => segment === "" || segment.startsWith(".") || /[\\\0]/.test(segment))) return undefined;
  let path = folder;
  for (const [at, segment] of segments.entries()) {
    path = join(path, segment);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Symbolic links are not followed: they could lead out of the folder.
    if (at < segments.length - 1 ? !found?.isDirectory() : !found?.isFile()) return undefined;
  }
  return readFileSync(path, "utf8");
}
