/** Settings of the documentation's site. scripts/docs-site.mjs adds its content. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import plugin from "./docs-plugin.mjs";

const script = readFileSync(new URL("templates/search.js", import.meta.url));
const hash = createHash("sha256").update(script).digest("base64");

export default {
  LANGUAGES: { en: "English" },
  MEDIA: { URL: "/assets/" }, // /media/ is a page
  CONTENT_SECURITY_POLICY: `default-src 'self'; script-src 'sha256-${hash}'; style-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'`,
  plugins: [plugin],
};
