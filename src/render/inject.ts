/** The site's own functions that add to what page templates see: of all pages, and of those of one page model. */
import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config.ts";
import { messageOf, setup } from "../errors.ts";
import type { RequestFacts } from "./request.ts";

/** Gets the request, where there is one, and the context so far; what it returns is laid over that. */
export type Inject = (
  request: RequestFacts | undefined,
  context: object,
) => object | null | undefined | Promise<object | null | undefined>;

/** @throws CmsError `setup` as `loadModule` */
export async function loadInject(root: string, config: Config): Promise<Inject | null> {
  const setting = config.RENDER.PAGE.INJECT_CONTEXT;
  return setting === null || typeof setting === "function"
    ? (setting as Inject | null)
    : loadModule(root, setting, "RENDER.PAGE.INJECT_CONTEXT");
}

/**
 * The function a module of the site exports as its default.
 *
 * @param setting the module's path below the site's root
 * @param named what names it, for messages
 * @throws CmsError `setup` when the module is not below the site's root, does not load, or exports no function
 */
export async function loadModule(root: string, setting: string, named: string): Promise<Inject> {
  const fail = (reason: string, cause?: unknown): never => {
    throw setup(`${named} names ${setting}, which ${reason}.`, cause);
  };
  let file: string;
  try {
    file = await realpath(resolve(root, setting));
  } catch (error) {
    return fail("is not there", error);
  }
  if (!file.startsWith((await realpath(root)) + sep)) fail("lies outside the site's folder");
  let module: { default?: unknown };
  try {
    const { mtimeMs } = await stat(file);
    // Node keeps every module it has loaded: a changed file is another one.
    module = (await import(`${pathToFileURL(file).href}?at=${mtimeMs}`)) as { default?: unknown };
  } catch (error) {
    return fail(`does not load: ${messageOf(error)}`, error);
  }
  return typeof module.default === "function"
    ? (module.default as Inject)
    : fail("has no function as its default export");
}
