/** The folder of a public path: never outside the output, never in place of a file of the build. */
import { expect, it } from "vitest";
import { folderOfPath } from "../../src/static-site/output/output-path.ts";

// oxfmt-ignore
it.each([
  ["/",                    ""],
  ["/it/",                 "it"],
  ["/it",                  "it"],
  ["/about/the-team/",     "about/the-team"],
  ["/About/",              "About"],
  ["/perché/",             "perché"],
  ["/a.b/c_d/",            "a.b/c_d"],
  ["/console/",            "console"],
  ["/giornale/la-lampada-si-fermò/", "giornale/la-lampada-si-fermò"],
  ["/mediation/",          "mediation"],
  ["/x/media/",            "x/media"],
  [`/${"a".repeat(255)}/`, "a".repeat(255)],
])("%s is built into '%s'", (path, folder) => expect(folderOfPath(path, "/media/")).toBe(folder));

it.each([
  "/media/",
  "/media",
  "/media/x/",
  "/MEDIA/x/",
  "/con/",
  "/x/nul/",
  "/x/nul",
  "/aux/x/",
  "/com1/",
  "/lpt9.txt/",
  "/CON/",
  "/../x/",
  "/x/../y/",
  "/./x/",
  "/.git/",
  "/x\\y/",
  "/c:/",
  "/x?/",
  "/x\u0000/",
  "/x./",
  "/x /",
  "/404.html/",
  "/_data/",
  "/_headers/",
  "/Robots.txt/",
  "/sitemap-2.xml/",
  "/index.html/",
  "/x/INDEX.JSON/",
  `/${"a".repeat(256)}/`,
  `/${"è".repeat(128)}/`,
])("%j is refused", (path) => expect(folderOfPath(path, "/media/")).toBeUndefined());
