/** Before Astro's work the content is fetched and the pages to render are chosen; after it, pages that are gone are removed. */
import type { AstroIntegration } from "astro";
import { fetchContent } from "./content";
import { finish, prepare } from "./incremental";

export const gitCms = (): AstroIntegration => ({
  name: "git-cms",
  hooks: {
    async "astro:config:setup"({ command, injectRoute }) {
      if (command !== "build" && command !== "dev") return;
      const content = await fetchContent();
      prepare(content, command === "build");
      // A build has no previews, and needs no token.
      if (command === "dev")
        injectRoute({ pattern: "/preview/[...path]", entrypoint: "./cms/Preview.astro", prerender: false });
    },
    "astro:build:done": () => finish(),
  },
});
