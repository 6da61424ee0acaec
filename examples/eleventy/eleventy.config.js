import gitCms from "git-cms/eleventy";
import { filesClient } from "git-cms/files";
import { articlesOn } from "./cms/site.js";
import { renderPage } from "./views/page.js";

const { CMS_DATA = "data" } = process.env;

/** @param {any} eleventy its configuration, which has no types */
export default function configure(eleventy) {
  eleventy.addPassthroughCopy({ public: "/", [`${CMS_DATA}/media`]: "media" });
  eleventy.setUseGitIgnore(false); // the data is not committed, but watched
  eleventy.addWatchTarget(CMS_DATA);
  eleventy.addPlugin(gitCms, {
    client: filesClient(CMS_DATA),
    code: ["cms", "views"],
    shows: articlesOn,
    preview: renderPage,
  });
  return { dir: { input: "src", output: "_site" } };
}
