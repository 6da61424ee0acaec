/** The editor of a company whose people sign in by a provider of OpenID Connect. */
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { openIdentityProvider } from "../../support/identity-provider.ts";
import { findings, openEditor, sectionsOf } from "../editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium("somebody of a group with a role signs in for the first time, and is in the editor"),
  { timeout: 120_000 },
  async () => {
    const redirects: string[] = [];
    const provider = await openIdentityProvider(redirects);
    const settings = `LANGUAGES: { en: English, it: Italiano }
AUTH:
  OIDC:
    - { NAME: company, LABEL: the company, ISSUER: "${provider.issuer}", CLIENT_ID: cms, CLIENT_SECRET: "file:.git/secret", ROLES: { web: editor } }
`;
    const { page, server, failures } = await openEditor(
      { "cms.config.yaml": settings, ".git/secret": "provider-secret" },
      "pages/12",
    );
    redirects.push(`${server.url}api/cms/auth/oidc/company/callback/`);
    await page.getByRole("heading", { name: "About" }).waitFor();
    await page.context().clearCookies();
    await page.reload();
    const button = page.getByRole("link", { name: "Sign in by the company" });
    await button.waitFor();
    expect(await findings(page)).toEqual([]);
    provider.person = { sub: "1", preferred_username: "anna", given_name: "Anna", groups: ["other"] };
    await button.click();
    await page.getByRole("alert").getByText("You are known there").waitFor();

    await page.context().clearCookies();
    await page.goto(`${server.url}admin/pages/12`);
    provider.person = { ...provider.person, groups: ["web"] };
    await button.click();
    await page.getByRole("heading", { name: "About" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/admin/pages/12");
    expect(await sectionsOf(page)).toContain("Pages");
    await page.getByRole("textbox", { name: "Title", exact: true }).fill("About us");
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("status").getByText("Published", { exact: true }).waitFor();
    expect(failures).toEqual([]);
  },
);
