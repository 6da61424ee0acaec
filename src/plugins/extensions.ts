/**
 * What the plugins of a site add. A failure in a plugin never stops the program: it is logged with the name of the
 * plugin, or refuses the request as a `CmsError` with that name.
 */
import type { Log } from "../env.ts";
import { CmsError, messageOf, setup, type FieldErrors } from "../errors.ts";
import { KIND_NAMES } from "../model/fields/definition.ts";
import type { FieldKind, FieldKinds } from "../model/fields/kind.ts";
import { isObject, objectOf, type Json, type JsonObject } from "../model/input/json.ts";
import { mergeErrors } from "../model/input/known-keys.ts";
import type { Lang } from "../model/language/locale.ts";
import { PAGE_FIELDS, type Page } from "../model/page/page.ts";
import { PAGE_READ_ONLY } from "../model/page/page-input.ts";
import { compileSchema } from "./validator.ts";
import type { AnyPlugin, PageHooks, PluginFieldKind } from "./plugin.ts";

/** Values that a plugin changes in a page before it is saved. */
interface PagePatch {
  readonly plugin: string;
  readonly values: JsonObject;
}

export interface Extensions {
  readonly fieldKinds: FieldKinds;
  /** Names of the keys that `computedFields` returns. */
  readonly computedNames: readonly string[];
  computedFields(page: Page, lang: Lang): JsonObject;
  /** The changes of a page before it is validated, in the order of the plugins. @throws CmsError `broken` */
  patches(page: Page, before: Page | undefined): readonly PagePatch[];
  /** The messages of all plugins by field. @throws CmsError `broken` */
  pageErrors(page: Page, before: Page | undefined): FieldErrors;
  /** Adds filters and globals to a template environment. */
  addHelpers(environment: HelperTable): void;
}

/** The part of a template environment that takes helpers. */
interface HelperTable {
  addFilter(name: string, filter: (...args: never[]) => unknown): unknown;
  addGlobal(name: string, value: unknown): unknown;
}

/** @throws CmsError `setup` for a name that is taken by the program, or a schema that cannot be compiled */
export function openExtensions(plugins: readonly AnyPlugin[], log: Log): Extensions {
  const kinds = plugins.flatMap((plugin) =>
    Object.entries(plugin.fieldKinds ?? {}).map(([name, kind]) => [name, fieldKind(plugin, name, kind, log)] as const),
  );
  const computed = plugins.flatMap((plugin) =>
    Object.entries(plugin.computed ?? {}).map(([name, compute]) => ({ plugin, name, compute })),
  );
  for (const { plugin, name } of computed)
    if (TAKEN.has(name)) throw setup(`Plugin "${plugin.name}": computed.${name}: pages have a field of this name.`);
  return {
    fieldKinds: objectOf(kinds),
    computedNames: computed.map(({ name }) => name),
    computedFields: (page, lang) =>
      objectOf(
        computed.map(({ plugin, name, compute }) => {
          const value = callOrLog(log, plugin, `computed.${name} of page ${page.id}`, () => compute(page, lang));
          return [name, value ?? null] as const;
        }),
      ),
    patches: (page, before) =>
      hooksOf(plugins, page).flatMap(({ plugin, hooks }) => {
        const values = callOrRefuse(plugin, `beforeSave of page ${page.id}`, () => hooks.beforeSave?.(page, before));
        return values === undefined ? [] : [{ plugin: plugin.name, values }];
      }),
    pageErrors: (page, before) =>
      hooksOf(plugins, page).reduce<FieldErrors>((found, { plugin, hooks }) => {
        const errors = callOrRefuse(plugin, `validate of page ${page.id}`, () => {
          const sent: unknown = hooks.validate?.(page, before) ?? {};
          if (isObject(sent) || sent instanceof Promise) return sent as FieldErrors;
          throw new Error("it returned something other than messages by field");
        });
        return mergeErrors(found, errors) as FieldErrors; // two objects of messages make one
      }, {}),
    addHelpers: (environment) => addHelpers(plugins, log, environment),
  };
}

const TAKEN: ReadonlySet<string> = new Set([...PAGE_FIELDS.map(({ name }) => name), ...PAGE_READ_ONLY, "translations"]);

function fieldKind(plugin: AnyPlugin, name: string, kind: PluginFieldKind, log: Log): FieldKind {
  const where = `Plugin "${plugin.name}": fieldKinds.${name}`;
  if ((KIND_NAMES as readonly string[]).includes(name)) throw setup(`${where}: there is a field kind of this name.`);
  const validate = compiled(kind, where);
  return {
    schema: () => kind.schema,
    accepts: (value) => validate(value),
    typeError: () => [kind.message],
    normalize: (value, definition): Json =>
      callOrLog(log, plugin, `fieldKinds.${name}.normalize`, () => kind.normalize?.(value, definition)) ?? value,
  };
}

function compiled({ schema }: PluginFieldKind, where: string): ReturnType<typeof compileSchema> {
  try {
    return compileSchema(schema);
  } catch (error) {
    throw setup(`${where}.schema cannot be used: ${messageOf(error)}`, error);
  }
}

const hooksOf = (
  plugins: readonly AnyPlugin[],
  { model }: Page,
): readonly { readonly plugin: AnyPlugin; readonly hooks: PageHooks }[] =>
  plugins.flatMap((plugin) =>
    [...new Set(["*", model])].flatMap((name) => {
      const hooks = plugin.pages?.[name];
      return hooks ? [{ plugin, hooks }] : [];
    }),
  );

function addHelpers(plugins: readonly AnyPlugin[], log: Log, environment: HelperTable): void {
  for (const plugin of plugins) {
    const guarded = (name: string, call: (...args: never[]) => unknown) =>
      function (this: unknown, ...args: never[]): unknown {
        return callOrLog(log, plugin, name, () => call.apply(this, args)) ?? "";
      };
    for (const [name, filter] of Object.entries(plugin.filters ?? {}))
      environment.addFilter(name, guarded(`filters.${name}`, filter));
    for (const [name, value] of Object.entries(plugin.globals ?? {}))
      environment.addGlobal(
        name,
        typeof value === "function" ? guarded(`globals.${name}`, value as (...args: never[]) => unknown) : value,
      );
  }
}

/** The result; undefined, with a line in the log, when the plugin throws. */
function callOrLog<T>(log: Log, plugin: AnyPlugin, part: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    log.error(`The plugin "${plugin.name}" failed in ${part}: ${messageOf(error)}`, error);
    return undefined;
  }
}

/** The result. @throws CmsError `broken`, logged by its caller, when the plugin throws or returns a promise */
function callOrRefuse<T>(plugin: AnyPlugin, part: string, work: () => T): T {
  try {
    const result: unknown = work();
    if (result instanceof Promise) throw new Error("it returned a promise, and has to be synchronous");
    return result as T;
  } catch (error) {
    throw pluginFailure(plugin.name, part, error);
  }
}

/** The error of a request that a failing plugin refuses. The answer names the plugin; the log also has the reason. */
export const pluginFailure = (plugin: string, part: string, cause: unknown): CmsError =>
  new CmsError("broken", `The plugin "${plugin}" failed in ${part}: ${messageOf(cause)}`, { cause, plugin });
