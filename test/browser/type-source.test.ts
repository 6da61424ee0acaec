/** The fields of a content type as YAML. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

const BOAT = `id: 50
key: boat
name: Boat
schema:
  - { name: sail_area, label: Sail area, kind: number }
`;

it.skipIf(!CHROMIUM)(
  withChromium("fields are typed as YAML with completion, and what is wrong is said at its line"),
  { timeout: 120_000 },
  async () => {
    const { page, server, git, failures } = await openEditor({ "content/meta-types/boat.yaml": BOAT }, "types/50");
    await page.getByRole("button", { name: "YAML" }).click();
    const source = page.getByRole("textbox", { name: "Fields as YAML" });
    await source.click();
    expect(await source.innerText()).toContain("label: Sail area");
    expect(await page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);

    await page.keyboard.press("Control+End");
    await page.keyboard.type("- na");
    const proposed = (name: string) => page.getByRole("option", { name, exact: true });
    await proposed("name").click();
    await page.keyboard.type("crew\nki");
    await proposed("kind").click();
    await page.keyboard.type("re");
    await proposed("ref").waitFor();
    await picture(page, "type-source");
    await proposed("ref").click();
    await page.keyboard.press("Control+s");
    await page.getByRole("alert").getByText("Line 4: Choose what it refers to.").waitFor();
    expect(await findings(page)).toEqual([]);

    await page.keyboard.type("\ntarget");
    await proposed("target_model").click();
    await page.keyboard.type("cms.Pa");
    await proposed("cms.Page").click();
    await page.keyboard.press("Control+s");
    await page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    expect(git("show", "HEAD:content/meta-types/boat.yaml")).toMatch(
      /name: crew\n\s+kind: ref\n\s+target_model: cms\.Page\n/,
    );

    // A text that is no YAML is neither saved nor left for the form.
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.keyboard.type("- name: oars");
    await page.keyboard.type("\nkind: text\nkind: html");
    await page
      .getByRole("alert")
      .getByText(/^Line \d+: /)
      .first()
      .waitFor();
    const head = git("rev-parse", "HEAD");
    await page.keyboard.press("Control+s");
    await page.getByRole("status").getByText("The YAML cannot be read yet").waitFor();
    await page.getByRole("button", { name: "Form", exact: true }).click();
    await source.waitFor();
    expect(git("rev-parse", "HEAD")).toBe(head);
    await source.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("heading", { name: "Boat", exact: true }).waitFor();
    await expect.poll(() => git("show", "HEAD:content/meta-types/boat.yaml"), { timeout: 30_000 }).not.toMatch(/crew/);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
