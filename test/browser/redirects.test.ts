/** Redirects, settings and hooks in the editor, used by roles and names alone. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, goToSection, openEditor } from "./editor-site.ts";

const SETTINGS = `LANGUAGE_CODE: en
LANGUAGES: { en: English, it: Italiano }
ROUTER_CACHE: 5
HOOKS: [{ URL: "http://127.0.0.1:9/?key=hidden", EVENTS: [publish], PRIVATE: true }]
`;

it.skipIf(!CHROMIUM)(
  withChromium("a redirect is added and removed; settings and deliveries of hooks are shown"),
  { timeout: 180_000 },
  async () => {
    const { page, server, git, failures } = await openEditor(
      { "content/redirects.yaml": "# Old ones\n- { from: /old, to: /about }\n", "cms.config.yaml": SETTINGS },
      "redirects",
    );
    const lastCommit = (): string => git("log", "-1", "--name-only", "--format=%an: %s").trim();
    await page.getByRole("row", { name: /^\/old \/about English For good/ }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.getByText("New redirect").click();
    const form = page.getByRole("form", { name: "New redirect" });
    await form.getByRole("textbox", { name: "From" }).fill("press");
    await form.getByRole("textbox", { name: "To" }).fill("/about");
    await form.getByRole("combobox", { name: "How long" }).selectOption("For now (302)");
    await form.getByRole("combobox", { name: "Language" }).selectOption("Italiano");
    await page.keyboard.press("Enter");
    await form.getByRole("button", { name: "Add the redirect" }).click();
    await form.getByRole("alert").getByText("a path that begins with one slash").waitFor();
    expect(await findings(page)).toEqual([]);
    await form.getByRole("textbox", { name: "From" }).fill("/stampa");
    await form.getByRole("textbox", { name: "From" }).press("Enter");
    await page.getByRole("row", { name: /^\/stampa \/about Italiano For now/ }).waitFor();
    expect(lastCommit()).toBe("ada: Redirect /stampa to /about\n\ncontent/redirects.yaml");
    expect((await server.ask("GET", "it/stampa")).headers.get("location")).toContain("/it/about");
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await page.getByRole("searchbox", { name: "Search redirects" }).fill("stam");
    await page.getByRole("button", { name: "Remove the redirect from /old" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove the redirect from /stampa" }).click();
    await page.getByRole("status").getByText("Nothing found.").waitFor();
    expect(lastCommit()).toBe("ada: Remove the redirect from /stampa\n\ncontent/redirects.yaml");
    expect(git("show", "HEAD:content/redirects.yaml")).toBe("# Old ones\n- { from: /old, to: /about }\n");

    await page.setViewportSize({ width: 1280, height: 800 });
    await goToSection(page, "Settings", "Administration");
    await page.getByRole("article", { name: "http://127.0.0.1:9/?…" }).getByText("publish").waitFor();
    await page.getByRole("row", { name: /^ROUTER_CACHE .* 5 cms\.config\.yaml$/ }).waitFor();
    await page.getByRole("row", { name: /^APPEND_SLASH .* true Default$/ }).waitFor();
    expect(await page.getByText("hidden").count()).toBe(0);
    expect(await findings(page)).toEqual([]);
    await page.getByRole("checkbox", { name: "Only those that are set" }).check();
    await page.getByRole("status").getByText("Found: 4").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
