/** What is pasted and dropped into a long text in the editor. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { findings, openEditor } from "./editor-site.ts";
import { picture } from "./pictures.ts";

/** What the test uses of the browser. */
declare const navigator: { readonly clipboard: { write(items: readonly ClipboardItem[]): Promise<void> } };
declare class ClipboardItem {
  constructor(data: Readonly<Record<string, Blob>>);
}
declare class DataTransfer {
  readonly items: { add(file: File): void };
}
declare class ClipboardEvent extends Event {
  constructor(type: string, options: object);
}
declare class DragEvent extends ClipboardEvent {}

const PAGE = `id: 20
model: note
date_created: 2026-01-02T00:00:00.000Z
translations: { en: { title: Nook, permalink: /nook, template_data: { body: "" } } }
`;

const OFFICE = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><h2><b>Opening</b></h2>
<p><span style="font-weight:700">Every</span> day, <span style="font-style:italic">not</span> on
<a href="javascript:alert(1)">Monday</a>, <a href="https://example.com/a">see *there*</a>.</p></b>
<img src="data:image/png;base64,AAAA"><img src="file:///c:/x.png" onerror="alert(1)"><script>alert(1)</script>
<table><tr><th>Day</th><th>Hours</th></tr><tr><td>Tue</td><td>9|12</td></tr></table>`;
const OFFICE_TEXT = `## Opening

**Every** day, *not* on Monday, [see \\*there\\*](https://example.com/a).

| Day | Hours |
| --- | --- |
| Tue | 9\\|12 |`;
const item = (level: number, sign: string, text: string): string =>
  `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
  `<span style='mso-list:Ignore'>${sign}<span>&nbsp; </span></span><![endif]>${text}</p>`;
const WORD = `${item(1, "·", "Boats")}${item(2, "1.", "Dory")}${item(2, "2.", "Yawl")}${item(1, "·", "Oars")}<p>End</p>`;
const DOCS = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2"><ul style="margin:0">
<li dir="ltr" aria-level="1"><p><a href="https://www.google.com/url?q=https://example.com/a%3Fb%3D1&amp;sa=D&amp;source=editors" style="x:y">Boats</a></p></li>
<ul onclick="alert(1)"><li aria-level="2"><p>Dory</p></li><ol><li aria-level="3"><p>Oar</p></li></ol></ul>
<li aria-level="1"><p><img src="https://example.com/b.png" style="width:1px"></p></li></ul></b><style>p { color: red }</style>`;
const DOCS_TEXT =
  "-   [Boats](https://example.com/a?b=1)\n    -   Dory\n        1.  Oar\n-   ![](https://example.com/b.png)";
const WORD_TEXT = "-   Boats\n    1.  Dory\n    2.  Yawl\n-   Oars\n\nEnd";

it.skipIf(!CHROMIUM)(
  withChromium("HTML is pasted as Markdown, and pictures are uploaded where they were dropped"),
  { timeout: 120_000 },
  async () => {
    const { page, server, failures } = await openEditor(
      {
        "content/page-models/note.yaml": "schema: [{ name: body, kind: text }]\n",
        "content/pages/nook.yaml": PAGE,
      },
      "pages/20",
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const body = page.getByRole("textbox", { name: "Body" });
    await page.getByRole("button", { name: "Bold" }).waitFor();
    const typed = async (): Promise<string> => {
      const isLatest = (sent: string | null): boolean => sent?.includes("¦") ?? false;
      const answer = page.waitForResponse(
        (response) => response.url().includes("/autosave/") && response.ok() && isLatest(response.request().postData()),
      );
      await page.keyboard.press("Control+End");
      await page.keyboard.type("¦");
      const sent = (await answer).request().postDataJSON() as { values: { template_data: { body: string } } };
      await page.keyboard.press("Backspace");
      return sent.values.template_data.body.replace(/¦$/, "");
    };
    /** Writing, the browser itself reads the HTML in the page, and reports what it has of styles and code. */
    const copy = async (html: string, plain: string): Promise<void> => {
      expect(failures).toEqual([]);
      await page.evaluate(
        async ([one, two]) => {
          const data = {
            "text/html": new Blob([one!], { type: "text/html" }),
            "text/plain": new Blob([two!], { type: "text/plain" }),
          };
          await navigator.clipboard.write([new ClipboardItem(data)]);
        },
        [html, plain],
      );
      (failures as string[]).splice(0);
    };
    /** As the browser does it when files are pasted at the caret. */
    const give = (event: "paste" | "drop", files: readonly (readonly [name: string, bytes: string])[]): Promise<void> =>
      body.evaluate(
        (element, { kind, given }) => {
          const data = new DataTransfer();
          for (const [name, bytes] of given) {
            const content = Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0));
            data.items.add(new File([content], name, { type: "image/png" }));
          }
          const { left, top } = element.getBoundingClientRect();
          const options = { bubbles: true, cancelable: true, composed: true };
          element.dispatchEvent(
            kind === "paste"
              ? new ClipboardEvent("paste", { ...options, clipboardData: data })
              : new DragEvent("drop", { ...options, dataTransfer: data, clientX: left + 1, clientY: top + 12 }),
          );
        },
        { kind: event, given: files },
      );

    // The buttons put the caret where the text goes on, and take away what they gave.
    await body.click();
    const press = (name: string): Promise<void> => page.getByRole("button", { name, exact: true }).click();
    await press("Heading");
    await page.keyboard.type("Title");
    await page.keyboard.press("Enter");
    await press("List");
    await page.keyboard.type("one ");
    await press("Bold");
    await page.keyboard.type("two");
    await press("Bold");
    await page.keyboard.type(" three");
    expect(await typed()).toBe("## Title\n- one **two** three");
    await page.keyboard.press("Control+a");
    await press("Quote");
    expect(await typed()).toBe("> ## Title\n> - one **two** three");
    await page.keyboard.press("Control+a");
    await press("Quote");
    await press("Heading");
    await press("Heading");
    await press("Bold");
    await press("Bold");
    expect(await typed()).toBe("Title\none two three");
    await page.keyboard.press("Control+a");
    await copy(OFFICE, "Opening …");
    await page.keyboard.press("Control+v");
    expect(await typed()).toBe(OFFICE_TEXT);
    expect(await typed()).toBe(OFFICE_TEXT);
    await page.keyboard.press("Control+a");
    await copy(WORD, "Boats …");
    await page.keyboard.press("Control+v");
    expect(await typed()).toBe(WORD_TEXT);
    await page.keyboard.press("Control+a");
    await copy(DOCS, "Boats …");
    await page.keyboard.press("Control+v");
    await page.getByRole("status").getByText("Pictures that stay on other sites: 1.").waitFor();
    expect(await typed()).toBe(DOCS_TEXT);
    await page.keyboard.press("Control+a");
    await copy("<p><b>Bold</b> text</p>", "Bold *text*");
    await page.keyboard.press("Control+Shift+v");
    expect(await typed()).toBe("Bold *text*");
    await page.keyboard.press("Control+a");
    await copy("<div><span>Only *text*</span></div>", "Only *text*");
    await page.keyboard.press("Control+v");
    expect(await typed()).toBe("Only *text*");

    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    // The answer waits until more was typed before the place of the picture.
    let answer = (): void => {};
    await page.route("**/api/cms/media/", async (route) => {
      await new Promise<void>((resolve) => (answer = resolve));
      await route.continue();
    });
    await give("drop", [["the-tower.png", png.toString("base64")]]);
    await page.getByRole("progressbar", { name: "Uploading the-tower.png…" }).waitFor();
    await picture(page, "text-upload");
    expect(await findings(page)).toEqual([]);
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Look: ");
    await expect.poll(() => (answer(), page.getByRole("progressbar").count()), { timeout: 30_000 }).toBe(0);
    await page.unroute("**/api/cms/media/");
    const text = await typed();
    expect(text).toMatch(/^Look: !\[the tower\]\(\/media\/[\w-]+\.png\)Only \*text\*$/);
    const address = /\((.*)\)/.exec(text)![1]!;
    expect((await page.request.get(new URL(address, server.url).href)).status()).toBe(200);

    // What the server refuses is said, and changes nothing.
    await give("paste", [["empty.png", ""]]);
    await page.getByRole("status").getByText("empty.png").last().waitFor();
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    expect(await typed()).toBe(text);
    await page.getByRole("status").getByText("That did not work: empty.png:").waitFor();
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);
