/** A plugin of a site, with `cms` as `openCms` returns it. */
import type { SitePlugin } from "../plugins/plugin.ts";
import type { Library } from "./library.ts";

export type Plugin = SitePlugin<Library>;

/** Returns the plugin as it is; the types of its parts are checked. */
export const definePlugin = (plugin: Plugin): Plugin => plugin;
