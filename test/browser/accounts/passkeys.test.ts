/** Passkeys with a virtual authenticator of the browser, and what a captured answer of one is worth. */
import * as OTPAuth from "otpauth";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../../support/browser.ts";
import { findings, openEditor, PASSWORD, signIn } from "../editor-site.ts";

it.skipIf(!CHROMIUM)(
  withChromium(
    "a passkey is made, signs in, confirms, and is worth nothing when its answer is sent again or from elsewhere",
  ),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor({}, "profile");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    const key = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const;
    const options = { ...key, isUserVerified: true, automaticPresenceSimulation: true };
    await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
    // Passkeys need a name of the host, not an address.
    const site = server.url.replace("127.0.0.1", "localhost");
    await page.goto(`${site}admin/profile`);
    await signIn(page);
    const passkeys = page.getByRole("region", { name: "Passkeys" });
    await passkeys.getByRole("textbox", { name: "Name of the device" }).fill("Laptop");
    await passkeys.getByRole("button", { name: "Add a passkey" }).click();
    await passkeys.getByRole("row", { name: /^Laptop localhost Never/ }).waitFor();
    expect(await findings(page)).toEqual([]);

    const sent: { readonly body: string; readonly cookie: string }[] = [];
    page.on("request", (request) => {
      if (!request.url().endsWith("auth/passkey/")) return;
      void request.allHeaders().then(({ cookie = "" }) => sent.push({ body: request.postData()!, cookie }));
    });
    await page.getByRole("button", { name: "ada" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in by a passkey" }).click();
    await passkeys.getByRole("row", { name: /^Laptop localhost .*20\d\d/ }).waitFor();

    await expect.poll(() => sent.length).toBe(1);
    const [{ body, cookie }] = sent as [{ body: string; cookie: string }];
    const again = (to: string, changed = body, origin = to) =>
      fetch(`${to}api/cms/auth/passkey/`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json", origin: origin.replace(/\/$/, "") },
        body: changed,
      }).then(({ status }) => status);
    expect([await again(site), await again(server.url)]).toEqual([400, 400]);
    expect(await again(site, body, "https://evil.example")).toBe(403);
    for (const forge of [
      (response: Answer) => (response.response.signature = response.response.signature.replace(/^..../, "AAAA")),
      (response: Answer) => (response.id = "AAAA"),
      (response: Answer) => (response.response.clientDataJSON = encoded({ origin: "https://evil.example" })),
    ]) {
      const forged = JSON.parse(body) as { response: Answer };
      forge(forged.response);
      expect(await again(site, JSON.stringify(forged))).toBe(400);
    }
    for (const nothing of ["{}", '{"response":null}', '{"response":{"id":1}}', '{"response":"x"}'])
      expect(await again(site, nothing)).toBe(400);

    // One-time codes for who has no passkey at hand.
    const codes = page.getByRole("region", { name: "One-time codes" });
    await codes.getByRole("button", { name: "Turn on codes…" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn on codes…" });
    const secret = (await dialog.locator("code").innerText()).replaceAll(" ", "");
    expect(await findings(page)).toEqual([]);
    await dialog.getByRole("textbox", { name: "Code" }).fill(new OTPAuth.TOTP({ secret }).generate());
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "Recovery codes" }).getByRole("listitem");
    await shown.first().waitFor();
    const recovery = await shown.allInnerTexts();
    expect(recovery).toHaveLength(10);
    await page.getByRole("button", { name: "Cancel" }).click();
    await codes.getByText("Codes are on. Recovery codes left: 10").waitFor();
    await page.context().clearCookies();
    await page.reload();
    await signIn(page, PASSWORD);
    await page.getByRole("textbox", { name: "Code" }).fill(recovery[0]!);
    await page.keyboard.press("Enter");
    await codes.getByText("Codes are on. Recovery codes left: 9").waitFor();
    expect(failures).toEqual([]);
  },
);

interface Answer {
  id: string;
  response: { signature: string; clientDataJSON: string };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
