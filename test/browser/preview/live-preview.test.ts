/** Front ends on another origin beside the form: they follow what is typed, lead to fields, and can do nothing else. */
import type { Frame, Page } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { CHROMIUM, launchBrowser, withChromium } from "../../support/browser.ts";
import { findings, openEditor } from "../editor-site.ts";
import { openFrontEnd, settingsFor } from "./front-end.ts";

const titleOf = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });
const showAt = (page: Page, path: string) =>
  page.getByRole("combobox", { name: "Where the page is shown" }).selectOption({ label: path });

/** The frame of the preview itself, for what its page knows. */
async function frameOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator(".preview iframe").elementHandle())!.contentFrame();
  return frame!;
}

it.skipIf(!CHROMIUM)(
  withChromium("front ends of three kinds show what is typed, lead to fields and are typed into; nothing is lost"),
  { timeout: 240_000 },
  async () => {
    const front = await openFrontEnd();
    const host = new URL(front.origin).host;
    const settings = settingsFor(front, "/client", "/server", "/static");
    const { page, server, failures } = await openEditor({ "cms.config.yaml": settings }, "tags");
    front.service = new URL(server.url).origin;
    await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
    await page.goto(`${server.url}admin/pages/12`);
    const shown = page.frameLocator(".preview iframe");
    await shown.getByRole("heading", { name: "About" }).waitFor();
    const title = titleOf(page);
    for (const way of ["client", "server", "static"]) {
      await showAt(page, `${host}/${way}`);
      await title.fill(`Seen by ${way}`);
      const heading = shown.getByRole("heading", { name: `Seen by ${way}`, exact: true });
      await heading.waitFor();
      // What is not marked follows where a server makes the page.
      if (way === "server") await shown.getByText("SEEN BY SERVER", { exact: true }).waitFor();
      // Scroll position and focus stay while more is typed.
      const frame = await frameOf(page);
      await frame.evaluate("scrollTo(0, 300); document.title = 'Same document'; globalThis.isSame = true");
      await title.fill(`Shown by ${way}`);
      const again = shown.getByRole("heading", { name: `Shown by ${way}`, exact: true });
      await again.waitFor();
      expect(await frame.evaluate("[scrollY, globalThis.isSame]")).toEqual([300, true]);
      // A click leads to the field, and its text is typed where it stands; what is shown meanwhile leaves the caret.
      await again.click();
      await page.keyboard.press("End");
      await page.keyboard.type("!", { delay: 20 });
      await expect.poll(() => title.inputValue()).toBe(`Shown by ${way}!`);
      await page.keyboard.type("?");
      await expect.poll(() => title.inputValue()).toBe(`Shown by ${way}!?`);
      await page.keyboard.press("Enter");
      await page.getByRole("textbox", { name: "Description", exact: true }).fill(`Words of ${way}`);
      if (way !== "client") await shown.getByText(`Words of ${way}`).waitFor();
      await shown.getByRole("heading", { name: `Shown by ${way}!?`, exact: true }).waitFor();
    }
    expect(await findings(page)).toEqual([]);

    // It goes to another page: this is told, and nothing of this page is shown there.
    front.pages.set(
      "/static/other/",
      `<h1 data-cms-field="title">Other</h1><script src="${front.service}/api/cms/bridge.js"></script>`,
    );
    await (await frameOf(page)).evaluate(`location.href = "/static/other/"`);
    await page.getByText("The preview shows another page: /static/other/").waitFor();
    await title.fill("Typed meanwhile");
    await page.getByText(/^Kept, not (published|saved)$/).waitFor();
    expect(await shown.getByRole("heading").innerText()).toBe("Other");
    await page.getByRole("button", { name: "Back to the page" }).click();
    await shown.getByRole("heading", { name: "Typed meanwhile" }).waitFor();
    await page.getByText("The preview shows another page").waitFor({ state: "detached" });

    // Its process dies in the middle of a sentence that is typed in it.
    await shown.getByRole("heading", { name: "Typed meanwhile" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type(" too");
    await expect.poll(() => title.inputValue()).toBe("Typed meanwhile too");
    const editor = await page.context().newCDPSession(page);
    const process = await page.context().newCDPSession(await frameOf(page));
    process.send("Page.crash").catch(() => {});
    // Playwright takes the editor for dead, too, and is not asked about it any more.
    const run = async (expression: string): Promise<unknown> =>
      (await editor.send("Runtime.evaluate", { expression, awaitPromise: true })).result.value;
    await page.waitForEvent("crash");
    expect(await run("document.querySelector('[data-field=title] input').value")).toBe("Typed meanwhile too");
    const reloaded = `new Promise((done) => {
      addEventListener("message", ({ data }) => data.type === "cms:ready" && done(data.path));
      [...document.querySelectorAll(".preview button")].find(({ textContent }) => textContent === "Reload").click();
    })`;
    expect(await run(reloaded)).toBe("/static/about/");
    expect(await run("document.querySelector('[data-field=title] input').value")).toBe("Typed meanwhile too");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

/** What a page in the frame can try against the editor: each kind of message that it may not send, and what it may not read. */
const ATTACK = (
  service: string,
): string => `<h1 data-cms-field="title">About</h1><script src="${service}/api/cms/bridge.js"></script><script>
  const tell = (message) => parent.postMessage(message, "*");
  const done = (text) => fetch("/told/" + encodeURIComponent(text));
  addEventListener("message", async ({ data }) => {
    if (data.type !== "cms:payload" || globalThis.isDone) return;
    globalThis.isDone = true;
    for (const [field, value] of [
      ["permalink", "/stolen"], ["template", "x.html"], ["gone.title", "x"], ["template_data.none", "x"], ["__proto__.x", "x"],
      ["description", "x".repeat(30000)], ["description", { a: 1 }], ['"],[data-x="', "x"],
    ]) tell({ type: "cms:input", field, value });
    for (const field of ["gone.title", '"] *', "x".repeat(500), null]) tell({ type: "cms:focus", field });
    for (const type of ["cms:save", "cms:payload", "cms:refresh", "cms:outline", "cms:publish"]) tell({ type, page: {}, key: "x" });
    tell(null); tell("cms:ready"); tell([]);
    // With the session of the editor, which the browser does not send along.
    const tries = [["GET", "pages/12/"], ["GET", "pages-router-preview/other/"], ["POST", "pages/12/publish/"]];
    for (const [method, path] of tries)
      await fetch("${service}/api/cms/" + path, { method, credentials: "include" }).then(({ status }) => done(path + " " + status), () => done(path + " refused"));
    try { done("document " + parent.document.title); } catch { done("document refused"); }
    try { top.location.href = "/told/moved"; } catch { done("top refused"); }
    done("end");
  });
</script>`;

it.skipIf(!CHROMIUM)(
  withChromium(
    "a front end that was taken over changes nothing but texts of the form, reads nothing, and cannot leave its frame",
  ),
  { timeout: 240_000 },
  async () => {
    const front = await openFrontEnd();
    const settings = settingsFor(front, "/evil", "/nested", "/markup");
    const { page, server, failures, git } = await openEditor({ "cms.config.yaml": settings }, "tags");
    const { head, host } = { head: git("rev-parse", "HEAD"), host: new URL(front.origin).host };
    front.service = new URL(server.url).origin;
    front.pages.set("/evil/about/", ATTACK(front.service));
    const nested =
      '<iframe src="/static/about/"></iframe><script>addEventListener("message", ({ data }) => fetch("/told/" + data.type))</script>';
    front.pages.set("/nested/about/", nested);
    front.pages.set(
      "/markup/about/",
      `<h1 data-cms-field="title">About</h1><script src="${front.service}/api/cms/bridge.js"></script>`,
    );
    await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
    await page.goto(`${server.url}admin/pages/12`);
    await showAt(page, `${host}/evil`);
    await expect
      .poll(() => front.told.toSorted())
      .toEqual([
        "document refused",
        "end",
        "pages-router-preview/other/ refused",
        "pages/12/ refused",
        "pages/12/publish/ refused",
        "top refused",
      ]);
    // Also after a click, which Chromium takes as leave to lead the window elsewhere.
    expect(await page.locator(".preview iframe").getAttribute("sandbox")).toMatch(
      /^(?!.*top-navigation).*allow-scripts/,
    );
    // What it may send, it may: a text, seen in the form, not saved. So all before it was heard, too.
    const frame = await frameOf(page);
    await frame.evaluate(`tell({ type: "cms:input", field: "description", value: "Theirs" })`);
    const description = page.getByRole("textbox", { name: "Description", exact: true });
    await expect.poll(() => description.inputValue()).toBe("Theirs");
    expect(await titleOf(page).inputValue()).toBe("About");
    expect(await page.getByText("/stolen").count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe("/admin/pages/12");
    await description.fill("");

    // A page within the page in the frame is no page of the editor's, neither to say nor to hear.
    front.told.length = 0;
    await showAt(page, `${host}/nested`);
    const inner = page.frameLocator(".preview iframe").frameLocator("iframe");
    await inner.getByRole("heading", { name: "About" }).waitFor();
    const deep = (await frameOf(page)).childFrames()[0]!;
    await deep.waitForLoadState();
    expect(await deep.evaluate("document.querySelectorAll('script[src*=bridge-frame]').length")).toBe(0);
    await deep.evaluate(`top.postMessage({ type: "cms:ready", path: "/nested/about/" }, "*")`);
    await deep.evaluate(`top.postMessage({ type: "cms:input", field: "title", value: "Nested" }, "*")`);
    await titleOf(page).fill("Not for nested pages");
    await page.getByText(/^Kept, not (published|saved)$/).waitFor();
    expect(await titleOf(page).inputValue()).toBe("Not for nested pages");
    expect(await inner.getByRole("heading").innerText()).toBe("About");
    expect(front.told).toEqual([]);

    // It has no bridge itself, which is told.
    await page.getByText("This site does not answer").waitFor();

    // A text is shown as it is, never as HTML.
    await showAt(page, `${host}/markup`);
    await titleOf(page).fill("<img src=x onerror=fetch('/told/markup')>");
    await page.frameLocator(".preview iframe").getByText("<img src=x").waitFor();
    expect(await (await frameOf(page)).evaluate("document.querySelectorAll('img').length")).toBe(0);

    // A window of another origin that has the editor in hand is not the frame.
    front.pages.set("/opener/", "<p>Opener</p>");
    await page.goto(`${front.origin}/opener/`);
    const [editor] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate(`void (globalThis.editor = open("${server.url}admin/pages/12"))`),
    ]);
    await titleOf(editor).waitFor();
    await page.evaluate(`editor.postMessage({ type: "cms:input", field: "title", value: "From elsewhere" }, "*")`);
    await editor.evaluate("new Promise((done) => setTimeout(done))");
    expect(await titleOf(editor).inputValue()).not.toBe("From elsewhere");
    expect(front.told).toEqual([]);

    // A stranger that has the front end in a frame is told nothing, and changes nothing in it.
    const stranger = `http://127.0.0.1:${new URL(front.origin).port}`;
    front.pages.set(
      "/stranger/",
      `<iframe src="${front.origin}/static/about/"></iframe><script>addEventListener("message", () => fetch("/told/heard"))</script>`,
    );
    await page.goto(`${stranger}/stranger/`);
    const framed = page.frameLocator("iframe").getByRole("heading");
    await framed.waitFor();
    const sent = { type: "cms:payload", page: { title: "Strange", paths: { title: "string" } } };
    await page.evaluate(`frames[0].postMessage(${JSON.stringify(sent)}, "*")`);
    await page.frames()[1]!.evaluate(`postMessage(${JSON.stringify(sent)}, "*")`);
    await framed.click();
    expect([await framed.innerText(), await framed.getAttribute("contenteditable")]).toEqual(["About", null]);
    expect(front.told).toEqual([]);
    expect(git("rev-parse", "HEAD")).toBe(head);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("a front end beside the service has the bar of editors, once the editor has shown it in this browser"),
  { timeout: 120_000 },
  async () => {
    const front = await openFrontEnd("127.0.0.1");
    // Where the service renders nothing, the front end is what is shown.
    const settings = `${settingsFor(front, "/static")}RENDER: { HEADLESS: true }\n`;
    const { page, server, failures } = await openEditor({ "cms.config.yaml": settings }, "tags");
    front.service = new URL(server.url).origin;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
    front.pages.set("/about/", `<h1>About</h1><script src="${front.service}/api/cms/bridge.js"></script>`);
    await page.goto(`${front.origin}/about/`);
    expect(asked).not.toContain("/api/cms/bridge-bar.html");
    await page.goto(`${server.url}admin/pages/12`);
    await page.frameLocator(".preview iframe").getByRole("heading", { name: "About" }).waitFor();
    expect(await page.getByRole("combobox", { name: "Where the page is shown" }).count()).toBe(0);
    await titleOf(page).fill("Seen");
    await page.frameLocator(".preview iframe").getByRole("heading", { name: "Seen" }).waitFor();
    await page.goto(`${front.origin}/about/`);
    const edit = page.frameLocator("iframe").getByRole("link", { name: "Edit this page" });
    await edit.waitFor();
    await expect
      .poll(() => page.locator("iframe").evaluate((frame) => getComputedStyle(frame).visibility))
      .toBe("visible");
    await edit.click();
    await titleOf(page).waitFor();
    await page.context().clearCookies();
    await page.goto(`${front.origin}/about/`);
    await page.frameLocator("iframe").locator("title").waitFor({ state: "attached" });
    expect(await page.locator("iframe").evaluate((frame) => getComputedStyle(frame).visibility)).toBe("hidden");
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("a page becomes like another one with what is equal at both ends of a list untouched"),
  { timeout: 60_000 },
  async () => {
    const front = await openFrontEnd();
    front.pages.set("/", "<!doctype html><body></body>");
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${front.origin}/`);
    /** @returns the HTML that became of it, and the texts of the elements that are still those from before */
    const become = (before: string, after: string): Promise<unknown> =>
      page.evaluate(`import("/bridge/morph.js").then(({ morph }) => {
        const bodyOf = (html) => new DOMParser().parseFromString(html, "text/html").body;
        document.body.innerHTML = ${JSON.stringify(before)};
        const known = [...document.body.querySelectorAll("*")];
        morph(document.body, bodyOf(${JSON.stringify(after)}), document.querySelector("[contenteditable]") ?? undefined);
        return [document.body.innerHTML, known.filter((each) => each.isConnected).map((each) => each.id).join("")];
      })`);
    // oxfmt-ignore
    for (const [before, after, kept] of [
      ["<p id=a>1</p><p id=b>2</p>",            "<p id=a>1</p><p id=b>3</p>",            "ab"],
      ["<p id=a>1</p><p id=c>3</p>",            "<p id=a>1</p><p id=b>2</p><p id=c>3</p>", "ac"],
      ["<p id=a>1</p><p id=b>2</p><p id=c>3</p>", "<p id=a>1</p><p id=c>3</p>",          "ac"],
      ["<p id=a>1</p>",                         "<h1 id=a>1</h1>",                       ""],
      ["<p id=a>1</p>",                         "<p id=a>1</p>and <b id=b>2</b>",        "a"],
      ["text <i id=a>1</i>",                    "<i id=a>1</i>",                         "a"],
      ["<p id=a class=x title=y>1</p>",         '<p id="a" title="z" lang="it">1</p>',   "a"],
      ["<ul id=u><li id=a>1<li id=b>2</ul>",    "<ul id=u><li id=c>0<li id=a>1<li id=b>2</ul>", "uab"],
      ["<!-- a --><p id=a>1</p>",               "<!-- b --><p id=a>1</p>",               "a"],
      ["<p id=a>1</p>",                         "",                                      ""],
      ["<p id=a>1</p>",                         "<p id=a>2</p><p id=b>2</p><p id=c>3</p><p id=d>4</p>", "a"],
    ] as const) {
      const plain = await page.evaluate(`new DOMParser().parseFromString(${JSON.stringify(after)}, "text/html").body.innerHTML`);
      expect([before, after, ...((await become(before, after)) as string[])]).toEqual([before, after, plain, kept]);
    }
    // What is typed into stays, also where all around it changes; scripts that come do not run.
    const typed = '<main id="m"><h1 id="h" contenteditable="">Typed</h1><p id="p">1</p></main>';
    const [html] = (await become(
      typed,
      `<main id="m"><h1 id="h">Sent</h1><p id="q">2</p><script>fetch("/told/ran")</script></main>`,
    )) as string[];
    expect(html).toContain('<h1 id="h" contenteditable="">Typed</h1><p id="q">2</p><script>');
    expect(front.told).toEqual([]);
  },
);
