/** Uploads: names, types, optimisation, thumbnails and renditions. */
import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { jpeg, mediaSite, picture, png } from "./media-site.ts";

const NINE = [
  "sm-webp",
  "md-webp",
  "lg-webp",
  "sm-avif",
  "md-avif",
  "lg-avif",
  "sm-original",
  "md-original",
  "lg-original",
];
const KEYS = [
  "id",
  "links",
  "is_image",
  "alt_text",
  "title",
  "description",
  "file",
  "thumbnail",
  "created",
  "size",
  "mime_type",
  "image_props",
  "renditions",
  "srcset",
  "renditions_config",
  "folder",
  "translations",
].sort();

/** Renditions of a size that takes no time. */
const SMALL = {
  MEDIA: {
    RENDITIONS: {
      VARIANTS: [
        { name: "sm-webp", width: 40, format: "webp" as const },
        { name: "sm-original", width: 40, format: "original" as const },
      ],
    },
  },
};

describe("a photograph", () => {
  it("of 4000x3000 is stored within the limits, with a thumbnail and nine correct renditions", async () => {
    const site = await mediaSite();
    const before = site.commits();
    const item = await site.upload("holiday snap.jpg", await jpeg(4000, 3000), { alt_text: "Waves", title: "Sea" });
    expect(Object.keys(item).sort()).toEqual(KEYS);
    expect(item).toMatchObject({
      is_image: true,
      links: [],
      alt_text: "Waves",
      title: "Sea",
      description: null,
      mime_type: "image/jpeg",
      folder: null,
      renditions_config: null,
      file: "http://test.local/media/holiday_snap.jpg",
      thumbnail: "http://test.local/media/holiday_snap_thumb.jpg",
      image_props: { mode: "RGB", width: 1866, height: 1400, format: "JPEG" },
      created: "2026-03-01T12:00:00Z",
    });
    expect(Object.keys(item.renditions)).toEqual(NINE);
    for (const [name, { url, width, height, format, size }] of Object.entries<any>(item.renditions)) {
      const served = await site.ask("GET", url.replace("http://test.local", ""));
      const found = await sharp(served.bytes).metadata();
      expect([name, served.bytes.length, found.width, found.height]).toEqual([name, size, width, height]);
      expect(served.headers.get("content-type")).toBe(
        { webp: "image/webp", avif: "image/avif", original: "image/jpeg" }[format as string],
      );
    }
    const of = (format: string): string =>
      [400, 800, 1600]
        .map((width, at) => `${item.renditions[`${["sm", "md", "lg"][at]}-${format}`].url} ${width}w`)
        .join(", ");
    expect(item.srcset).toEqual({ webp: of("webp"), avif: of("avif"), original: of("original") });
    expect(site.commits()).toBe(before + 1);
    expect(site.leftovers()).toBe("");
    expect((await site.ask("GET", "/media/holiday_snap.jpg")).bytes.length).toBe(item.size);
    expect((await site.ask("GET", `api:media/${item.id}`, { as: "reader" })).body).toEqual(item);
    expect(site.disk.complaints()).toBe("");
  });

  it("narrower than a variant has no such rendition, and a very small one has none", async () => {
    const site = await mediaSite();
    expect(Object.keys((await site.upload("m.png", await png(801, 3))).renditions)).toEqual(
      expect.not.arrayContaining(["lg-webp"]),
    );
    expect(await site.upload("s.png", await png(400, 300))).toMatchObject({
      renditions: {},
      srcset: {},
      thumbnail: expect.stringContaining("s_thumb.png"),
    });
  });

  it("is rotated by its EXIF orientation, and has no metadata", async () => {
    const site = await mediaSite(SMALL);
    const turned = await picture(120, 80)
      .jpeg()
      .withExif({ IFD0: { Make: "Secret Camera" }, IFD3: { GPSLatitude: "41/1 53/1 0/1" } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const item = await site.upload("turned.jpg", turned);
    expect(item.image_props).toMatchObject({ width: 80, height: 120 });
    const { bytes } = await site.ask("GET", "/media/turned.jpg");
    const found = await sharp(bytes).metadata();
    expect([found.orientation ?? 1, found.width, found.density]).toEqual([1, 80, 30]);
    expect(Buffer.from(bytes).includes("Secret Camera")).toBe(false);
  });

  it("keeps its colours when it has another colour profile", async () => {
    const site = await mediaSite(SMALL);
    const wide = await sharp({ create: { width: 60, height: 60, channels: 3, background: { r: 200, g: 60, b: 60 } } })
      .withIccProfile("p3")
      .png()
      .toBuffer();
    const { file } = await site.upload("wide.png", wide);
    const shown = await sharp((await site.ask("GET", file.replace("http://test.local", ""))).bytes)
      .toColourspace("srgb")
      .raw()
      .toBuffer();
    expect([...shown.subarray(0, 3)].map((value, at) => Math.abs(value - [200, 60, 60][at]!) <= 3)).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("within the limits that would not get smaller is stored unchanged", async () => {
    const site = await mediaSite(SMALL);
    const bytes = await picture(300, 200).jpeg({ quality: 40 }).toBuffer();
    await site.upload("small.jpg", bytes);
    expect(Buffer.from((await site.ask("GET", "/media/small.jpg")).bytes).equals(bytes)).toBe(true);
  });

  // oxfmt-ignore
  it.each([
    [{ OPTIMIZE: { ENABLE: false } },            { width: 2100, height: 100 }],
    [{ OPTIMIZE: { MAX_WIDTH: 500 } },           { width: 500, height: 23 }],
    [{},                                         { width: 1980, height: 94 }],
  ])("follows the settings: %j", async (MEDIA, size) => {
    const site = await mediaSite({ MEDIA: { ...SMALL.MEDIA, ...MEDIA } });
    expect((await site.upload("wide.png", await png(2100, 100))).image_props).toMatchObject(size);
  });

  it("gets no renditions while they are disabled, and keeps those it has", async () => {
    const off = await mediaSite({ MEDIA: { RENDITIONS: { ENABLE: false } } });
    expect(await off.upload("a.png", await png(500, 300))).toMatchObject({
      renditions: {},
      srcset: {},
      thumbnail: expect.any(String),
    });
    expect(off.files()).toEqual(["a.png", "a_thumb.png"]);
  });

  it("can have its own variants", async () => {
    const site = await mediaSite(SMALL);
    const config = [{ name: "hero", width: 60, format: "jpeg" }];
    const item = await site.upload("a.png", await png(100, 80), { renditions_config: JSON.stringify(config) });
    expect(item).toMatchObject({
      renditions_config: config,
      renditions: {
        hero: { width: 60, height: 48, format: "jpeg", url: "http://test.local/media/renditions/a/hero.jpg" },
      },
    });
    expect(Object.keys(item.srcset)).toEqual(["jpeg"]);
  });

  it("drops renditions that are larger than the source, unless configured otherwise", async () => {
    const dots = await sharp(
      Buffer.alloc(90 * 90, 0).map((_, at) => (at % 7 === 0 ? 255 : 0)),
      { raw: { width: 90, height: 90, channels: 1 } },
    )
      .png({ palette: true })
      .toBuffer();
    const VARIANTS = [{ name: "large", width: 89, format: "original" as const }];
    for (const [PREVENT_INFLATE, names] of [
      [true, []],
      [false, ["large"]],
    ] as const) {
      const site = await mediaSite({ MEDIA: { RENDITIONS: { VARIANTS, PREVENT_INFLATE } } });
      expect([PREVENT_INFLATE, Object.keys((await site.upload("dots.png", dots)).renditions)]).toEqual([
        PREVENT_INFLATE,
        names,
      ]);
    }
  });
});

describe("other files", () => {
  // oxfmt-ignore
  it.each([
    ["logo.svg",   "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml",            true],
    ["page.html",  "<!doctype html><script>alert(1)</script>",  "text/html",                false],
    ["data.bin",   "\0\x01\x02",                                "application/octet-stream", false],
    ["notes.txt",  "hello",                                     "text/plain",               false],
    ["paper.pdf",  "%PDF-1.7",                                  "application/pdf",          false],
    ["noext",      "hello",                                     "application/octet-stream", false],
  ])("%s is stored unchanged, without a thumbnail", async (name, text, mime_type, is_image) => {
    const site = await mediaSite();
    const item = await site.upload(name, Buffer.from(text));
    expect(item).toMatchObject({ mime_type, is_image, size: text.length, thumbnail: null, image_props: {}, renditions: {}, srcset: {}, file: `http://test.local/media/${name}` });
    expect((await site.ask("GET", `/media/${name}`)).text).toBe(text);
  });

  it("that are images with another extension get that of their type", async () => {
    const site = await mediaSite(SMALL);
    expect((await site.upload("photo.png", await jpeg(60, 40))).file).toMatch(/\/photo\.jpg$/);
    expect((await site.upload("picture.pdf", await png(60, 40))).file).toMatch(/\/picture\.png$/);
    expect((await site.upload("page.jpg", Buffer.from("<!doctype html>"))).file).toMatch(/\/page\.html$/);
  });
});

describe("names", () => {
  it("that are used get a random suffix, and each item its own folder of renditions", async () => {
    const site = await mediaSite(SMALL);
    const items = [
      await site.upload("img.jpg", await jpeg(60, 40)),
      await site.upload("img.png", await png(60, 40)),
      await site.upload("img.jpg", await jpeg(60, 40)),
    ];
    expect(items.map(({ file }) => file.slice("http://test.local/media/".length))).toEqual([
      "img.jpg",
      "img.png",
      expect.stringMatching(/^img_[0-9a-z]{7}\.jpg$/),
    ]);
    const folders = items.map(({ renditions }) => renditions["sm-webp"].url.split("/").slice(0, -1).join("/"));
    expect(folders.slice(0, 2)).toEqual([
      "http://test.local/media/renditions/img",
      "http://test.local/media/renditions/img_png",
    ]);
    expect(new Set(folders).size).toBe(3);
    expect(new Set(items.map(({ thumbnail }) => thumbnail)).size).toBe(3);
    expect(site.leftovers()).toBe("");
  });

  it("uploaded twice at the same time are two files", async () => {
    const site = await mediaSite(SMALL);
    const bytes = await jpeg(60, 40);
    const items = await Promise.all(Array.from({ length: 4 }, () => site.upload("Same.jpg", bytes)));
    expect(new Set(items.map(({ file }) => file.toLowerCase())).size).toBe(4);
    expect(new Set(items.map(({ id }) => id)).size).toBe(4);
    expect(site.leftovers()).toBe("");
  });

  // oxfmt-ignore
  it.each([
    ["fòto più bèlla.jpg", "f%C3%B2to_pi%C3%B9_b%C3%A8lla.jpg"],
    ["日本語.jpg",          "%E6%97%A5%E6%9C%AC%E8%AA%9E.jpg"],
    ["../../../x.jpg",     "x.jpg"],
    ["..",                 "file.jpg"],
    ["renditions",         expect.stringMatching(/^renditions\.jpg$/)],
  ])("%s is served as %s", async (name, url) => {
    const site = await mediaSite(SMALL);
    const { file, thumbnail } = await site.upload(name, await jpeg(60, 40));
    expect(file.slice("http://test.local/media/".length)).toEqual(url);
    for (const each of [file, thumbnail]) expect((await site.ask("GET", new URL(each).pathname)).status).toBe(200);
  });

  it("cannot be that of the folder of renditions", async () => {
    const site = await mediaSite();
    expect((await site.upload("renditions", Buffer.from("x"))).file).toMatch(/\/renditions_[0-9a-z]{7}$/);
  });
});

describe("forms", () => {
  const file = async (): Promise<[string, Uint8Array]> => ["a.jpg", await jpeg(60, 40)];

  it("have texts of the active language as parts, or of all languages in `data`, which takes precedence", async () => {
    const site = await mediaSite(SMALL);
    const plain = await site.form("POST", "api:media?language=it", {
      file: await file(),
      title: "Mare",
      title_en: "Sea",
    });
    expect(plain.body.translations).toMatchObject({ it: { title: "Mare" }, en: { title: "Sea" } });
    const data = JSON.stringify({
      title: "Over",
      translations: { it: { alt_text: "Onde" } },
      __proto__: { polluted: 1 },
    });
    const both = await site.form("POST", "api:media", {
      file: await file(),
      title: "Under",
      description: "Kept",
      data,
    });
    expect(both.body).toMatchObject({ title: "Over", description: "Kept", translations: { it: { alt_text: "Onde" } } });
    expect(({} as any).polluted).toBeUndefined();
  });

  // oxfmt-ignore
  it.each<[string, Record<string, string | [string, Uint8Array]>, object]>([
    ["no file",             { title: "x" },                                             { file: ["No file was submitted."] }],
    ["an empty file",       { file: ["a.jpg", new Uint8Array()] },                      { file: ["The submitted file is empty."] }],
    ["a long name",         { file: [`${"a".repeat(300)}.jpg`, Buffer.from("x")] },     { file: ["Ensure this filename has at most 100 characters (it has 304)."] }],
    ["text as a picture",   { file: ["a.jpg", Buffer.from("no picture")] },             { file: [expect.stringContaining("Upload a valid image.")] }],
    ["an unknown folder",   { file: ["a.txt", Buffer.from("x")], folder: "99" },        { folder: ['Invalid pk "99" - object does not exist.'] }],
    ["no folder at all",    { file: ["a.txt", Buffer.from("x")], folder: "x" },         { folder: ["Incorrect type. Expected pk value, received str."] }],
    ["a text too long",     { file: ["a.txt", Buffer.from("x")], title: "x".repeat(201) }, { title_en: ["Ensure this field has no more than 200 characters."] }],
    ["data that is no JSON", { file: ["a.txt", Buffer.from("x")], data: "{" },          { data: ["Value must be valid JSON."] }],
    ["data that is a list", { file: ["a.txt", Buffer.from("x")], data: "[1]" },         { data: ["Invalid data. Expected a dictionary, but got list."] }],
    ["odd variants",        { file: ["a.txt", Buffer.from("x")], renditions_config: '[{"name":"a","width":0,"format":"webp"}]' }, { renditions_config: { 0: { width: [expect.any(String)] } } }],
    ["variants as text",    { file: ["a.txt", Buffer.from("x")], renditions_config: "nine" }, { renditions_config: ["Value must be valid JSON."] }],
    ["an LFS pointer",      { file: ["a.jpg", Buffer.from("version https://git-lfs.github.com/spec/v1\nsize 1\n")] }, { file: [expect.stringContaining("Git LFS")] }],
    ["several mistakes",    { title: "x".repeat(201), folder: "x" },                    { file: [expect.any(String)], title_en: [expect.any(String)], folder: [expect.any(String)] }],
  ])("with %s are refused, and leave no files", async (_what, parts, errors) => {
    const site = await mediaSite();
    const before = site.commits();
    const answer = await site.form("POST", "api:media", parts);
    expect([answer.status, answer.body]).toEqual([400, errors]);
    expect([site.commits(), site.files(), site.leftovers()]).toEqual([before, [], ""]);
  });

  // oxfmt-ignore
  it.each<[string, string | undefined, string, number]>([
    ["two files",        "multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="b"\r\n\r\ny\r\n--b--\r\n', 400],
    ["one cut short",    "multipart/form-data; boundary=b", '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx', 400],
    ["no boundary",      "multipart/form-data", "x", 400],
    ["nothing at all",   "multipart/form-data; boundary=b", "", 400],
    ["url-encoded",      "application/x-www-form-urlencoded", "title=x", 415],
    ["another type",     "text/plain", "x", 415],
    ["JSON, no file",    "application/json", "{}", 400],
    ["JSON, file text",  "application/json", '{"file":"a.jpg"}', 400],
    ["JSON list",        "application/json", "[]", 400],
    ["broken JSON",      "application/json", "{", 400],
  ])("that are malformed (%s) are refused", async (_what, type, body, status) => {
    const site = await mediaSite();
    const answer = await site.ask("POST", "api:media", { as: "staff", body, headers: { "content-type": type! } });
    expect([answer.status, Object.keys(answer.body).length > 0]).toEqual([status, true]);
    expect([site.files(), site.leftovers(), site.logged]).toEqual([[], "", []]);
  });

  it("above the limit are 413, whatever length they declare", async () => {
    const site = await mediaSite({ API: { MAX_UPLOAD: 2048 } });
    const answer = await site.form("POST", "api:media", { file: ["a.bin", new Uint8Array(4096)] });
    expect([answer.status, answer.body.file]).toEqual([413, ["The file is larger than the 2048 bytes allowed."]]);
    const declared = await site.ask("POST", "api:media", {
      as: "staff",
      body: "x",
      headers: { "content-type": "multipart/form-data; boundary=b", "content-length": "99999999" },
    });
    expect(declared.status).toBe(413);
    expect([site.files(), site.leftovers()]).toEqual([[], ""]);
  });

  it.each([
    ["reader", 403],
    [null, 401],
  ] as const)("sent by %s are refused with %s", async (as, status) => {
    const site = await mediaSite();
    expect((await site.form("POST", "api:media", { file: ["a.txt", Buffer.from("x")] }, as)).status).toBe(status);
  });
});
