/** Functions of the site that add to the template context: of all pages, or of the pages of one page model. */
import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config.ts";
import { messageOf, setup } from "../errors.ts";
import { importModule } from "../import-module.ts";

/** The request, as templates see it; absent in a static build without `BASE_URL`. */
export interface TemplateRequest {
  readonly path: string;
  readonly url: string;
  readonly host: string;
  readonly language: string;
}

/** Returns keys that are added to the context, or replace keys of it. */
export type Inject = (
  request: TemplateRequest | undefined,
  context: object,
) => object | null | undefined | Promise<object | null | undefined>;

/** The function of the setting `RENDER.PAGE.INJECT_CONTEXT`, if any. @throws CmsError `setup` as `loadModule` */
export async function loadInject(root: string, config: Config): Promise<Inject | null> {
  const setting = config.RENDER.PAGE.INJECT_CONTEXT;
  return setting === null || typeof setting === "function"
    ? (setting as Inject | null)
    : loadModule(root, setting, "RENDER.PAGE.INJECT_CONTEXT");
}

/**
 * The default export of a module of the site, which must be a function.
 *
 * @param setting the module's path below the site's root
 * @param named the setting or field that has the path, for messages
 * @throws CmsError `setup` when the module is not below the site's root, cannot be loaded, or exports no function
 */
export async function loadModule(root: string, setting: string, named: string): Promise<Inject> {
  const fail = (reason: string, cause?: unknown): never => {
    throw setup(`${named} names ${setting}, which ${reason}.`, cause);
  };
  let file: string;
  try {
    file = await realpath(resolve(root, setting));
  } catch (error) {
    return fail("does not exist", error);
  }
  if (!file.startsWith((await realpath(root)) + sep)) fail("is outside the site's folder");
  let module: { default?: unknown };
  try {
    const { mtimeMs } = await stat(file);
    // Node caches modules by URL, so a changed file needs another URL.
    module = await importModule(`${pathToFileURL(file).href}?at=${mtimeMs}`);
  } catch (error) {
    return fail(`does not load: ${messageOf(error)}`, error);
  }
  return typeof module.default === "function"
    ? (module.default as Inject)
    : fail("has no function as its default export");
}
