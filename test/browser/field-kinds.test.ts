/** Fields with a format, help, headings and conditions in the form of an instance, used by roles and names alone. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";

const TYPE = `id: 60
key: venue
name: Venue
schema:
  - { name: about, kind: textarea, help: Without Markdown. }
  - { name: mail, kind: email, group: Contact }
  - { name: site, kind: url, group: Contact }
  - { name: phone, kind: phone, group: Contact, help: With the prefix. }
  - { name: opens, kind: time }
  - { name: tint, kind: color }
  - { name: place, kind: location, help: Of the entrance. }
  - { name: days, kind: select, multiple: true, choices: [{ value: sat, label: Saturday }, { value: sun, label: Sunday }] }
  - { name: code, pattern: "^[A-Z]{2}$", message: Two capital letters. }
  - { name: online, kind: boolean }
  - { name: stream, kind: url, required: true, show_if: { online: true } }
`;
const { EDITOR_SCREENS } = process.env;

it.skipIf(!CHROMIUM)(
  withChromium("each kind with a format has its control, and a field that is hidden is not asked for"),
  { timeout: 240_000 },
  async () => {
    const { page, server, failures, git } = await openEditor(
      { "content/meta-types/venue.yaml": TYPE, "content/meta-instances/venue/hall.yaml": "id: 61\nidentifier: hall\n" },
      "types/60/instances/61",
    );
    const box = (name: string) => page.getByRole("textbox", { name, exact: true });
    await box("About").fill("One\nTwo");
    const contact = page.getByRole("group", { name: "Contact" });
    for (const [name, type, value] of [
      ["Mail", "email", "ada@example"],
      ["Site", "url", "https://example.org/"],
      ["Phone", "tel", "+39 02 1234"],
    ] as const) {
      const control = contact.getByRole("textbox", { name, exact: true });
      expect(await control.getAttribute("type")).toBe(type);
      await control.fill(value);
    }
    expect(await contact.getByRole("textbox", { name: "Phone" }).getAttribute("aria-describedby")).not.toBeNull();
    await page.getByLabel("Opens", { exact: true }).fill("06:30");
    await box("Tint").fill("#FA0");
    await page.getByRole("spinbutton", { name: "Latitude" }).fill("41.9");
    await page.getByRole("spinbutton", { name: "Longitude" }).fill("12.5");
    await page.getByRole("checkbox", { name: "Sunday" }).check();
    await box("Code").fill("abc");
    expect(await box("Stream").count()).toBe(0);
    await page.getByRole("checkbox", { name: "Online" }).check();
    await box("Stream").waitFor();
    await page.getByRole("checkbox", { name: "Online" }).uncheck();

    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await page.getByRole("alert").getByText("Enter a valid email address.").waitFor();
    await page.getByRole("alert").getByText("Two capital letters.").waitFor();
    expect(await findings(page)).toEqual([]);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      for (const colorScheme of EDITOR_SCREENS ? (["light", "dark"] as const) : []) {
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: join(EDITOR_SCREENS!, `field-kinds-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
    }
    await box("Mail").fill("ada@example.org");
    await box("Code").fill("AB");
    await save.click();
    await expect
      .poll(() => git("show", "HEAD:content/meta-instances/venue/hall.yaml"), { timeout: 30_000 })
      .toMatch(/mail: ada@example\.org[^]*opens: "06:30"[^]*tint: "#ffaa00"[^]*latitude: 41\.9[^]*- sun[^]*code: AB/);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
