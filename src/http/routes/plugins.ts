/** The routes of plugins, below `/api/cms/plugins/<name>/`. */
import { CmsError } from "../../errors.ts";
import { openLibrary } from "../../library/library.ts";
import { pluginFailure } from "../../plugins/extensions.ts";
import type { AnyPlugin, PluginAccess, PluginRequest, PluginRoute } from "../../plugins/plugin.ts";
import { ANYTHING } from "../../schema/json-schema.ts";
import { json, noContent, type Reply } from "../request/reply.ts";
import type { Access, Call, Route } from "../app/route.ts";

export const pluginRoutes = (plugins: readonly AnyPlugin[] = []): readonly Route[] =>
  plugins.flatMap(({ name, routes = [] }) =>
    routes.map((route): Route => ({
      method: route.method,
      path: `plugins/${name}/${route.path}`,
      access: accessOf(route.access),
      types: ["text/html", "text/plain"],
      operation: {
        summary: `${route.method} ${route.path} of the plugin ${name}`,
        answer: ANYTHING,
        ...(route.method !== "GET" && route.method !== "DELETE" && { body: ANYTHING, isBodyOptional: true }),
      },
      handle: (call) => answer(name, route, call),
    })),
  );

function accessOf(access: PluginAccess): Access {
  if (typeof access === "object") return { any: [access.permission] };
  return access === "staff" ? { staff: true } : access;
}

async function answer(plugin: string, route: PluginRoute<unknown>, call: Call): Promise<Reply> {
  const { ctx } = call;
  try {
    return await replyOf(await route.handle(requestOf(call), { cms: openLibrary(ctx), log: ctx.env.log }));
  } catch (error) {
    throw knownError(error) ?? pluginFailure(plugin, `${route.method} ${route.path}`, error);
  }
}

const requestOf = (call: Call): PluginRequest => ({
  method: call.method,
  url: new URL(call.url.href),
  headers: call.web.headers,
  params: call.params,
  lang: call.lang,
  user: call.user && { id: call.user.id, username: call.user.username, is_staff: call.user.is_staff },
  author: () => call.author(),
  body: () => call.body(),
});

async function replyOf(result: unknown): Promise<Reply> {
  if (result === undefined) return noContent();
  if (!(result instanceof Response)) return json(result);
  const body = result.body === null ? null : new Uint8Array(await result.arrayBuffer());
  return { status: result.status, headers: Object.fromEntries(result.headers), body };
}

/** A plugin may have loaded the package a second time, whose `CmsError` is another class of the same name. */
function knownError(error: unknown): CmsError | undefined {
  if (error instanceof CmsError) return error;
  if (!(error instanceof Error) || error.name !== "CmsError") return undefined;
  const { code, message, fields } = error as CmsError;
  return new CmsError(code, message, { fields, cause: error });
}
