import { defineConfig } from "astro/config";
import { gitCms } from "./cms/integration";

export default defineConfig({
  integrations: [gitCms()],
  trailingSlash: "always",
  build: { inlineStylesheets: "never" },
  // A build writes into the output of the last one.
  vite: { build: { emptyOutDir: false } },
  // The development server shows drafts, with the token of whoever runs it.
  server: { host: "127.0.0.1" },
  devToolbar: { enabled: false },
});
