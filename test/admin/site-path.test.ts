import { describe, expect, it, vi } from "vitest";

// The module reads below which path the site is when it is loaded.
vi.stubGlobal("location", new URL("https://example.org/below/it/admin/pages"));
const base = { dataset: { site: "/below/it" } };
const root = { documentElement: {}, baseURI: "https://example.org/below/it/admin/", cookie: "" };
vi.stubGlobal("document", { ...root, querySelector: () => base });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("navigator", { languages: ["en"] });
vi.stubGlobal("localStorage", { getItem: () => null });

describe("a site below a path", async () => {
  const { API, onHost, onSite } = await import("../../src/admin/api.ts");

  it("has its API there", () => expect(API).toBe("/below/it/api/cms/"));

  it.each([
    ["/media/sea.jpg", "/below/it/media/sea.jpg"],
    ["//cdn.example/sea.jpg", "//cdn.example/sea.jpg"],
    ["https://cdn.example/sea.jpg", "https://cdn.example/sea.jpg"],
    ["sea.jpg", "sea.jpg"],
  ])("shows %s from %s", (address, expected) => expect(onHost(address)).toBe(expected));

  it.each([
    ["https://example.org/below/it/media/sea.jpg", "/media/sea.jpg"],
    ["https://example.org/media/sea.jpg", "https://example.org/media/sea.jpg"],
    ["https://cdn.example/sea.jpg", "https://cdn.example/sea.jpg"],
  ])("keeps %s in texts as %s", (address, expected) => expect(onSite(address)).toBe(expected));
});
