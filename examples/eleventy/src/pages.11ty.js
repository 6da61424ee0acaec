import { site } from "../cms/site.js";
import { renderPage } from "../views/page.js";

/** @typedef {{ entry: import("../cms/cms-types.js").AnyPublicPage }} Data */

export default class Pages {
  data() {
    return {
      pagination: { data: "changed", size: 1, alias: "entry" },
      permalink: (/** @type {Data} */ { entry }) => `${entry.routerlink}index.html`,
    };
  }

  render(/** @type {Data} */ { entry }) {
    return renderPage(entry, site());
  }
}
