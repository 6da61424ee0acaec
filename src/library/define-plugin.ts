/** The plugin types, with the library as `cms`. */
import type { SitePlugin } from "../plugins/plugin.ts";
import type { Library } from "./library.ts";

export type Plugin = SitePlugin<Library>;

/** Returns the plugin unchanged; for type checking and completion in editors. */
export const definePlugin = (plugin: Plugin): Plugin => plugin;
