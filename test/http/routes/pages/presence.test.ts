/** Who else has a page open in an editor. */
import { expect, it } from "vitest";
import { memorySite } from "../../../site.ts";

it("tells the others at the page, and its version", async () => {
  const { page, ask } = await memorySite();
  const { id } = await page({ title: "About" });
  const at = `api:pages/${id}/open/`;
  const version = (await ask("GET", `api:pages/${id}/`, { as: "staff" })).headers.get("etag");
  expect((await ask("POST", at, { as: "staff" })).body).toEqual({ version, others: [] });
  expect((await ask("POST", `${at}?language=it`, { as: "superuser" })).body).toMatchObject({
    version,
    others: [{ name: expect.stringMatching(/./), language: "en", since: "2026-03-01T12:00:00Z" }],
  });
  await ask("PATCH", `api:pages/${id}/draft/`, { as: "staff", body: { title: "Changed" } });
  const { body } = await ask("POST", at, { as: "staff" });
  expect(body).toMatchObject({ others: [{ language: "it" }] });
  expect((body as { version: string }).version).not.toBe(version);
  expect((await ask("DELETE", at, { as: "superuser" })).status).toBe(204);
  expect((await ask("POST", at, { as: "staff" })).body).toMatchObject({ others: [] });
});

it("is 404 for a page that does not exist", async () => {
  const { ask } = await memorySite();
  expect((await ask("POST", "api:pages/999/open/", { as: "staff" })).status).toBe(404);
});
