import { defineConfig } from "astro/config";
import gitCms from "git-cms/astro";

export default defineConfig({
  integrations: [gitCms({ preview: "./src/Preview.astro" })],
  trailingSlash: "always",
  build: { inlineStylesheets: "never" },
  // Pages whose `cacheKey` is that of the last build are copied, not rendered.
  experimental: { incrementalBuild: true },
  // The development server shows drafts, with the token of whoever runs it.
  server: { host: "127.0.0.1" },
  devToolbar: { enabled: false },
});
