/** MEDIA.URL as the address of a CDN. */
import { expect, it } from "vitest";
import { jpeg, mediaSite } from "./media-site.ts";

it("is in front of every file in payloads, while the server serves the path", async () => {
  const site = await mediaSite({
    MEDIA: {
      URL: "https://cdn.example.org/files/",
      RENDITIONS: { VARIANTS: [{ name: "sm-webp", width: 40, format: "webp" as const }] },
    },
  });
  const item = await site.upload("photo.jpg", await jpeg(120, 80));
  expect(item).toMatchObject({
    file: "https://cdn.example.org/files/photo.jpg",
    thumbnail: "https://cdn.example.org/files/photo_thumb.jpg",
  });
  expect(JSON.stringify(item.renditions)).toContain("https://cdn.example.org/files/renditions/");
  expect(JSON.stringify(item)).not.toContain("test.local");
  expect((await site.ask("GET", "/files/photo.jpg")).status).toBe(200);
  const written = await site.form("PATCH", `api:media/${item.id}/`, { file: item.file, title: "Sent back" });
  expect(written.status).toBe(200);
});
