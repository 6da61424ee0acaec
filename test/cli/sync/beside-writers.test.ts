/** Commands while a server writes all the time: what they meet half done or gone is no failure of the site's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { jpeg } from "../../media/media-site.ts";
import { cms, serve, site, tokenFor, type Server } from "../process.ts";

const CONFIG = "LANGUAGE_CODE: en\nMEDIA:\n  RENDITIONS:\n    VARIANTS: [{ name: sm-webp, width: 40, format: webp }]\n";
const TIMES = 2;
const COMMANDS = [
  ["check"],
  ["build", "--quiet"],
  ["regenerate-renditions"],
  ["regenerate-renditions", "--missing"],
  ["manifest"],
  ["publish-scheduled"],
];

interface Writer {
  readonly server: Server;
  readonly token: string;
  isOver(): boolean;
  readonly failures: string[];
}

/** Makes, moves and removes pages, each several files or folders of its own. */
async function pages({ server, isOver, failures }: Writer, name: string): Promise<void> {
  const ids: number[] = [];
  for (let n = 0; !isOver(); n++) {
    const made = await server.ask("POST", "api/cms/pages/", { title_en: `${name} ${n}`, parent_page: ids[0] });
    if (made.status !== 201) failures.push(`${made.status} ${JSON.stringify(made.body)}`);
    ids.push(made.body.id);
    if (ids.length < 4) continue;
    await server.ask("PATCH", `api/cms/pages/${ids[2]}/`, { title_en: `${name} moved ${n}` });
    await server.ask("DELETE", `api/cms/pages/${ids.splice(1, 1)[0]}/`);
  }
}

/** Uploads files and removes them again, with everything made of them. */
async function media({ server, token, isOver, failures }: Writer): Promise<void> {
  const bytes = await jpeg(60, 40);
  const ids: number[] = [];
  for (let n = 0; !isOver(); n++) {
    const form = new FormData();
    form.set("file", new Blob([Uint8Array.from(bytes)]), `picture-${n}.jpg`);
    const made = await fetch(`${server.url}api/cms/media/`, {
      method: "POST",
      headers: { authorization: `Token ${token}` },
      body: form,
    });
    if (made.status !== 201) failures.push(`${made.status} ${await made.text()}`);
    else ids.push(((await made.json()) as { id: number }).id);
    if (ids.length > 2) await server.ask("DELETE", `api/cms/media/${ids.shift()}/`);
  }
}

it("they end well, over and over", { timeout: 300_000 }, async () => {
  const { dir, git } = site({ "cms.config.yaml": CONFIG });
  mkdirSync(join(dir, "media"));
  for (const name of ["a.jpg", "b.jpg"]) writeFileSync(join(dir, "media", name), await jpeg(60, 40));
  git("add", "--all");
  git("commit", "--quiet", "--message=pictures");
  const token = await tokenFor(dir);
  const server = await serve(dir, [], { token });
  let isOver = false;
  const failures: string[] = [];
  const writer: Writer = { server, token, isOver: () => isOver, failures };
  const writers = Promise.all([pages(writer, "One"), pages(writer, "Two"), media(writer)]);
  const ended: string[] = [];
  try {
    for (let n = 0; n < TIMES; n++) {
      for (const args of COMMANDS) {
        const { code, err, out } = await cms([...args, "--root", dir], { timeoutMs: 60_000 });
        if (code !== 0) ended.push(`${args.join(" ")}: ${code}\n${err}${args[0] === "check" ? out : ""}`);
      }
    }
  } finally {
    isOver = true;
    await writers;
  }
  expect(ended).toEqual([]);
  expect(failures).toEqual([]);
  expect(await cms(["check", "--root", dir])).toMatchObject({ code: 0 });
  expect(git("status", "--porcelain", "content")).toBe("");
});
