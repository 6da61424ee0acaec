import { changedPages, finish, prepare } from "./cms/incremental.js";
import { localOnly, preview } from "./cms/preview.js";
import { DATA, readSite } from "./cms/site.js";

/** @param {any} eleventy its configuration, which has no types */
export default function configure(eleventy) {
  eleventy.addPassthroughCopy({ public: "/", [`${DATA}/media`]: "media", [`${DATA}/_redirects`]: "_redirects" });
  eleventy.setUseGitIgnore(false); // the data is not committed, but watched
  eleventy.addWatchTarget(DATA);
  eleventy.on("eleventy.before", () => prepare(readSite()));
  eleventy.addGlobalData("changed", () => changedPages());
  eleventy.on("eleventy.after", () => finish());
  // The server of `eleventy --serve`, which only developers run.
  eleventy.setServerOptions({ middleware: [localOnly, preview] });
  return { dir: { input: "src", output: "_site" } };
}
