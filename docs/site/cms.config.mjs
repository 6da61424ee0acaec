/** Settings of the documentation's site. scripts/docs-site.mjs adds its content. */
import plugin from "./docs-plugin.mjs";

export default {
  LANGUAGES: { en: "English" },
  MEDIA: { URL: "/assets/" }, // /media/ is a page
  SITE_SEARCH: true,
  CONTENT_SECURITY_POLICY: `default-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'`,
  plugins: [plugin],
};
