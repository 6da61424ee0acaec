import { defineConfig } from "astro/config";
import { gitCms } from "./cms/integration";

export default defineConfig({
  integrations: [gitCms()],
  trailingSlash: "always",
  build: { inlineStylesheets: "never" },
  // A build writes into the output of the last one.
  vite: { build: { emptyOutDir: false } },
  devToolbar: { enabled: false },
});
