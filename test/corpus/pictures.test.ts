/** Every file is refused with a field error or stored correctly: no crash, no leftover file, no incomplete record. */
import { describe, expect, it } from "vitest";
import sharp from "sharp";
import { mediaSite, type MediaSite } from "../media/media-site.ts";
import { SPECIMENS } from "./pictures.ts";

const VARIANTS = [
  { name: "sm-webp", width: 40, format: "webp" as const },
  { name: "sm-avif", width: 40, format: "avif" as const },
  { name: "sm-original", width: 40, format: "original" as const },
];

let opened: Promise<MediaSite> | undefined;
/** One site for all files, so that leftovers of one affect the next. */
const theSite = (): Promise<MediaSite> =>
  (opened ??= mediaSite({ MEDIA: { RENDITIONS: { VARIANTS, AVIF_EFFORT: 0 } } }));

describe("the corpus", () => {
  it("has at least 60 files with different names", () => {
    expect(SPECIMENS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(SPECIMENS.map(({ name }) => name)).size).toBe(SPECIMENS.length);
  });

  it("is uploaded file by file, and leaves a consistent library", { timeout: 60_000 }, async () => {
    const site = await theSite();
    const wrong: unknown[] = [];
    let kept = 0;
    const before = site.commits();
    for (const { name, bytes, expected } of SPECIMENS) {
      const answer = await site.form("POST", "api:media", { file: [name, await bytes()] });
      if (expected instanceof RegExp) {
        if (answer.status !== 400 || !expected.test(answer.body.file?.[0] ?? ""))
          wrong.push([name, answer.status, answer.text.slice(0, 200)]);
        continue;
      }
      kept++;
      const complaint = answer.status === 201 ? await complaintAbout(site, answer.body, expected) : answer.text;
      if (complaint) wrong.push([name, complaint]);
    }
    expect(wrong).toEqual([]);
    expect([site.commits() - before, site.leftovers(), site.logged, site.disk.complaints()]).toEqual([
      kept,
      "",
      [],
      "",
    ]);
  });
});

/** The first wrong value of a stored item; undefined if all are right. */
async function complaintAbout(
  site: MediaSite,
  item: any,
  expected: { width: number; height: number; format?: string } | null,
): Promise<string | undefined> {
  const fetched = async (url: string): Promise<Uint8Array> => (await site.ask("GET", new URL(url).pathname)).bytes;
  if ((await fetched(item.file)).length !== item.size) return "its size is another";
  if (!expected)
    return item.thumbnail === null && Object.keys(item.renditions).length === 0 ? undefined : "it has pictures";
  const { width, height, format } = item.image_props;
  if (width !== expected.width || height !== expected.height || (expected.format && format !== expected.format))
    return `it came out as ${JSON.stringify(item.image_props)}`;
  const stored = await sharp(await fetched(item.file)).metadata();
  if (stored.autoOrient.width !== width || stored.autoOrient.height !== height) return "its file has another size";
  const thumbnail = await sharp(await fetched(item.thumbnail)).metadata();
  if (Math.max(thumbnail.width, thumbnail.height) > 50) return "its thumbnail is too large";
  for (const [name, { url, ...stated }] of Object.entries<any>(item.renditions)) {
    const bytes = await fetched(url);
    const found = await sharp(bytes).metadata();
    if (found.width !== stated.width || found.height !== stated.height || bytes.length !== stated.size)
      return `${name} is not what it says`;
    await sharp(bytes).raw().toBuffer();
  }
  return undefined;
}
