import { renderPage } from "../views/page.js";

/** @typedef {{ entry: import("../cms/site.js").Entry, cms: import("../cms/site.js").Site }} Data */

export default class Pages {
  data() {
    return {
      pagination: { data: "cms.changed", size: 1, alias: "entry" },
      permalink: (/** @type {Data} */ { entry }) => `${entry.path}index.html`,
    };
  }

  render(/** @type {Data} */ { entry, cms }) {
    return renderPage(entry.page, cms);
  }
}
