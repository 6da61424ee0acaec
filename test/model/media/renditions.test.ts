/** Which renditions an image has, and where. */
import { fitWithin } from "../../../src/model/media/fitted-size.ts";
import { describe, expect, it } from "vitest";
import type { RasterFormat } from "../../../src/model/media/media-type.ts";
import {
  planRenditions,
  renditionFile,
  renditionFolder,
  thumbnailEncoding,
  thumbnailFile,
  type Variant,
} from "../../../src/model/media/renditions.ts";

const variant = (width: number, format: Variant["format"] = "webp"): Variant => ({
  name: `w${width}-${format}`,
  width,
  format,
});
const any = (): boolean => true;

describe("thumbnailEncoding", () => {
  it.each<[RasterFormat, string]>([
    ["jpeg", ".jpg"],
    ["webp", ".webp"],
    ["png", ".png"],
    ["gif", ".png"],
    ["avif", ".png"],
    ["tiff", ".png"],
  ])("of %s has the extension %s", (source, extension) => {
    expect(thumbnailEncoding(source).extension).toBe(extension);
  });
});

describe("fitWithin", () => {
  // oxfmt-ignore
  it.each([
    // source         limits          result
    [[3000, 1000], [1980, 1400], [1980, 660]],
    [[1000, 3000], [1980, 1400], [466, 1400]],
    [[2000, 2000], [1980, 1400], [1400, 1400]],
    [[1981, 1400], [1980, 1400], [1980, 1399]],
    [[3000, 2500], [1980, 1400], [1680, 1400]], // both limits apply
    [[1900, 1500], [1980, 1400], [1773, 1400]], // never enlarged
    [[4000, 3000], [1980, 1400], [1866, 1400]],
    [[1980, 1400], [1980, 1400], [1980, 1400]],
    [[20000, 1],   [1980, 1400], [1980, 1]],    // at least one pixel
    [[1, 20000],   [1980, 1400], [1, 1400]],
    [[1, 1],       [50, 50],     [1, 1]],
    [[1980, 1320], [50, 50],     [50, 33]],
  ])("%j within %j is %j", ([width, height], [maxWidth, maxHeight], [w, h]) => {
    expect(fitWithin({ width: width!, height: height! }, { width: maxWidth!, height: maxHeight! })).toEqual({ width: w, height: h });
  });
});

describe("planRenditions", () => {
  // oxfmt-ignore
  it.each([
    // width of the source, variants, planned widths
    [1000, [400, 800, 1600], [400, 800]],
    [400,  [400, 800, 1600], []],         // as wide as the source
    [401,  [400, 800, 1600], [400]],
    [5000, [400, 800, 1600], [400, 800, 1600]],
    [1000, [],               []],
  ])("a source %s wide, variants %j: %j", (width, widths, planned) => {
    const plan = planRenditions(widths.map((each) => variant(each)), { width, height: 500, format: "jpeg" }, any);
    expect(plan.map((each) => each.width)).toEqual(planned);
  });

  // oxfmt-ignore
  it.each([
    [[1000, 500],  400, 200],
    [[500, 333],   400, 266],  // 266.4
    [[801, 3],     400, 1],    // 1.498
    [[466, 1400],  400, 1202], // 1201.7
    [[800, 1],     400, 1],    // 0.5, but at least one pixel
    [[800, 5],     400, 2],    // 2.5 to the even side
    [[800, 7],     400, 4],    // 3.5 to the even side
  ])("%j at width %s is %s high", ([width, height], target, expected) => {
    expect(planRenditions([variant(target)], { width: width!, height: height!, format: "png" }, any)[0]?.height).toBe(expected);
  });

  // oxfmt-ignore
  it.each<[RasterFormat, Variant["format"], string]>([
    ["jpeg", "original", "jpeg .jpg"],
    ["png",  "original", "png .png"],
    ["webp", "original", "webp .webp"],
    ["avif", "original", "avif .avif"],
    ["gif",  "original", "gif .gif"],
    ["tiff", "original", "jpeg .jpg"], // browsers cannot show TIFF
    ["png",  "jpeg",     "jpeg .jpg"],
    ["jpeg", "png",      "png .png"],
    ["jpeg", "webp",     "webp .webp"],
    ["jpeg", "avif",     "avif .avif"],
  ])("of a %s source, %s is kept as %s", (format, wanted, expected) => {
    const [plan] = planRenditions([variant(10, wanted)], { width: 20, height: 20, format }, any);
    expect([`${plan?.encode} ${plan?.extension}`, plan?.format]).toEqual([expected, wanted]);
  });

  it("omits formats without an encoder", () => {
    const variants = [variant(400, "avif"), variant(400, "webp"), variant(400, "original")];
    const plan = planRenditions(variants, { width: 1000, height: 500, format: "jpeg" }, (format) => format !== "avif");
    expect(plan.map(({ format }) => format)).toEqual(["webp", "original"]);
  });
});

describe("renditionFolder", () => {
  // oxfmt-ignore
  it.each([
    ["img.jpg",       [],                                        "renditions/img"],
    ["img.png",       ["renditions/img"],                        "renditions/img_png"],
    ["img.PNG",       ["renditions/img"],                        "renditions/img_png"],
    ["img.png",       ["renditions/img", "renditions/img_png"],  "renditions/img_png-2"],
    ["a/b/img.jpg",   ["renditions/img"],                        "renditions/a/b/img"],
    ["noextension",   [],                                        "renditions/noextension"],
    ["v1.2/noext",    [],                                        "renditions/v1.2/noext"],
    ["archive.tar.gz", [],                                       "renditions/archive.tar"],
  ])("of %s, beside %j, is %s", (file, others, expected) => {
    expect(renditionFolder("renditions", file, (folder) => others.includes(folder))).toBe(expected);
  });
});

describe("renditionFile", () => {
  it("is the name of the variant in the folder of the image", () => {
    expect(renditionFile("renditions/a/img", "sm-webp", ".webp")).toBe("renditions/a/img/sm-webp.webp");
  });
});

describe("thumbnailFile", () => {
  // oxfmt-ignore
  it.each([
    ["",       "img.jpg",   [],                                    "img_thumb.jpg"],
    ["",       "a/img.png", ["a/img_thumb.jpg"],                   "a/img_thumb-2.jpg"],
    ["thumbs", "a/img.png", [],                                    "thumbs/a/img_thumb.jpg"],
    ["thumbs", "img.tiff",  ["thumbs/img_thumb.jpg", "thumbs/img_thumb-2.jpg"], "thumbs/img_thumb-3.jpg"],
  ])("below %j of %s, beside %j, is %s", (folder, file, others, expected) => {
    expect(thumbnailFile(folder, file, ".jpg", (path) => others.includes(path))).toBe(expected);
  });
});
