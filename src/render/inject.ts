/** The site's own function that adds to what every page template sees: the setting RENDER.PAGE.INJECT_CONTEXT. */
import { realpath } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Config } from "../config.ts";
import { messageOf, setup } from "../errors.ts";
import type { RequestFacts } from "./request.ts";

/** Gets the request, where there is one, and the context so far; what it returns is laid over that. */
export type Inject = (request: RequestFacts | undefined, context: object) => object | null | undefined | Promise<object | null | undefined>;

/** @throws CmsError `setup` when the module is not below the site's root, does not load, or exports no function */
export async function loadInject(root: string, config: Config): Promise<Inject | null> {
  const setting = config.RENDER.PAGE.INJECT_CONTEXT;
  if (setting === null || typeof setting === "function") return setting as Inject | null;
  const fail = (reason: string, cause?: unknown): never => {
    throw setup(`RENDER.PAGE.INJECT_CONTEXT names ${setting}, which ${reason}.`, cause);
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
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    return fail(`does not load: ${messageOf(error)}`, error);
  }
  return typeof module.default === "function" ? (module.default as Inject) : fail("has no function as its default export");
}
