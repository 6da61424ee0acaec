/** The encoder as a process of its own, as it runs in a built program. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { openImages as OpenImages } from "../../src/images/encoder.ts";
import { makeImages } from "../../src/images/make-images.ts";
import type { ImageJob } from "../../src/model/media/image-results.ts";
import { jpeg } from "../media/media-site.ts";

const BUILT = fileURLToPath(new URL("../../dist/images/encoder.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "git-cms-images-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VARIANTS = [
  { name: "a", width: 50, format: "avif" as const },
  { name: "w", width: 50, format: "webp" as const },
  { name: "o", width: 50, format: "original" as const },
];

function jobOf(name: string, bytes: Uint8Array, more: Partial<ImageJob> = {}): ImageJob {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return {
    file,
    optimise: null,
    thumbnail: null,
    variants: VARIANTS,
    quality: { jpeg: 85, webp: 82, avif: 60, avifEffort: 0 },
    preventInflate: false,
    ...more,
  };
}

describe("without an AVIF encoder", () => {
  it("AVIF renditions are omitted, and the others generated", async () => {
    const result = await makeImages(jobOf("a.jpg", await jpeg(100, 80)), (format) => format !== "avif");
    expect(result.renditions.map(({ name }) => name)).toEqual(["w", "o"]);
  });

  it("an AVIF source is stored unchanged", async () => {
    const { picture } = await import("../media/media-site.ts");
    const job = jobOf("a.avif", await picture(100, 80).avif({ effort: 0 }).toBuffer(), {
      optimise: { max: { width: 50, height: 50 }, dpi: 30, jpegQuality: 85 },
    });
    expect((await makeImages(job, (format) => format !== "avif")).optimised).toBeNull();
  });
});

describe.runIf(existsSync(BUILT))("the process", () => {
  const open = async (options?: Parameters<typeof OpenImages>[0]) => {
    const { openImages } = (await import(BUILT)) as { openImages: typeof OpenImages };
    return openImages(options);
  };

  it("runs concurrent jobs one after the other", async () => {
    const images = await open();
    const job = jobOf("many.jpg", await jpeg(100, 80));
    const results = await Promise.all(Array.from({ length: 4 }, () => images.make(job)));
    expect(
      results.map(({ renditions }) => renditions.map(({ name, width, height }) => `${name} ${width}x${height}`)),
    ).toEqual(Array(4).fill(["a 50x40", "w 50x40", "o 50x40"]));
    await images.close();
  });

  it("rejects a file that cannot be decoded, and continues", async () => {
    const images = await open();
    const good = jobOf("good.jpg", await jpeg(100, 80));
    const bad = jobOf("bad.jpg", Buffer.from("no picture"));
    const [first, second] = await Promise.allSettled([images.make(bad), images.make(good)]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
    expect((first as PromiseRejectedResult).reason.message).toMatch(/Upload a valid image/);
    await images.close();
  });

  it("is stopped when a job takes too long, and the next job gets a new process", async () => {
    const slow = await open({ deadlineMs: 1 });
    const job = jobOf("slow.jpg", await jpeg(1500, 1000), {
      variants: [{ name: "a", width: 1400, format: "avif" }],
      quality: { jpeg: 85, webp: 82, avif: 60, avifEffort: 9 },
    });
    await expect(slow.make(job)).rejects.toThrow(/takes too long/);
    await expect(slow.make(job)).rejects.toThrow(/takes too long/);
    await slow.close();
  });

  it("ends when it is idle, and starts again", async () => {
    const images = await open({ idleMs: 1 });
    const job = jobOf("idle.jpg", await jpeg(100, 80));
    await images.make(job);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await images.make(job)).renditions).toHaveLength(3);
    await images.close();
    await expect(images.make(job)).rejects.toThrow(/closed/);
  });
});
