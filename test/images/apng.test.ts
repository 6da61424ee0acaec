/** PNG files with several frames, of which sharp reads the first alone. */
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { expect, it } from "vitest";
import { probeImage } from "../../src/images/decode.ts";

const chunk = (name: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)]);
};

/** A picture with the chunk that says how many frames follow. @param place before the image data, or after it */
async function png(frames: number | undefined, place: "before" | "after" = "before"): Promise<Buffer> {
  const plain = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#123" } })
    .png()
    .toBuffer();
  if (frames === undefined) return plain;
  const control = Buffer.alloc(8);
  control.writeUInt32BE(frames, 0);
  const at = plain.indexOf(place === "before" ? "IDAT" : "IEND") - 4;
  return Buffer.concat([plain.subarray(0, at), chunk("acTL", control), plain.subarray(at)]);
}

it.each([
  [undefined, "before", false],
  [1, "before", false],
  [2, "before", true],
  [2, "after", false], // decoders take it for a still picture
] as const)("a PNG with acTL of %s frames %s its data: animated is %s", async (frames, place, isAnimated) => {
  expect((await probeImage(await png(frames, place))).isAnimated).toBe(isAnimated);
});

it("a PNG that ends within a chunk is no animation, and takes no time", async () => {
  const cut = (await png(2)).subarray(0, 20);
  await expect(probeImage(cut)).rejects.toThrow();
});
