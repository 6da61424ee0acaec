/** `cms import camomilla`: a running camomilla, or the dump of its database. */
import type { Command } from "commander";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { collect, run, UsageError } from "../command.ts";
import { runImport, withImportOptions, type ImportFlags } from "./run-import.ts";
import type { Io } from "../terminal.ts";

interface Flags extends ImportFlags {
  readonly token?: string;
  readonly media?: string;
  readonly mediaUrl?: string;
  readonly site?: readonly string[];
  readonly model?: readonly string[];
  readonly allowMediaFrom?: readonly string[];
  readonly markdown?: boolean;
}

export function registerImportCamomilla(imports: Command, io: Io): void {
  withImportOptions(imports.command("camomilla"))
    .description("import a running camomilla, or a dump of its database")
    .argument("<source>", "its address, or the JSON file that Django's dumpdata wrote")
    .option("--token <token>", "of an account that may read everything (default: CMS_IMPORT_TOKEN)")
    .option("--media <dir>", "the folder MEDIA_ROOT of the old site, where files of a dump are")
    .option("--media-url <path>", "where the files of a dump were served (default: /media/)")
    .option("--site <url>", "where the old site's pages were served, for links in texts; may be repeated", collect)
    .option("--model <name>", "a page model at models/<name>/ of the interface; may be repeated", collect)
    .option("--allow-media-from <host>", "fetch files also from this host; may be repeated", collect)
    .option("--markdown", "turn the texts of articles into Markdown; without it they stay HTML")
    .action(run(io, (source: string, flags: Flags) => importCamomilla(io, source, flags)));
}

async function importCamomilla(io: Io, source: string, flags: Flags): Promise<number> {
  const base = /^https?:\/\//i.test(source) ? baseOf(source) : undefined;
  const mediaUrl = flags.mediaUrl ?? "/media/";
  if (!/^(?:\/|https?:\/\/)\S*$/i.test(mediaUrl))
    throw new UsageError(`--media-url is a path or an address: ${mediaUrl} is not.`);
  for (const site of flags.site ?? [])
    if (!/^https?:\/\//i.test(site) || !URL.canParse(site))
      throw new UsageError(`--site is an address: ${site} is not.`);
  for (const model of flags.model ?? [])
    if (!/^[\w-]+$/.test(model))
      throw new UsageError(`--model is a name of letters, digits, - and _: ${model} is not.`);
  if (base === undefined && !(await stat(source).catch(() => undefined))?.isFile())
    throw new UsageError(`There is no file ${source}.`);
  if (flags.media !== undefined && !(await stat(flags.media).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder ${flags.media}.`);
  const token = flags.token ?? io.env.CMS_IMPORT_TOKEN;
  return runImport(io, flags, "camomilla", async ({ cms, onStep }) => {
    const [{ readCamomilla }, { asHtml, markdownFormat }] = await Promise.all([
      import("../../import/camomilla/read-camomilla.ts"),
      import("../../import/texts/html-markdown.ts"),
    ]);
    const temporary = await mkdtemp(join(tmpdir(), "cms-import-"));
    const close = (): Promise<void> => rm(temporary, { recursive: true, force: true });
    try {
      const options = {
        source: base === undefined ? { file: resolve(source) } : { base, token, models: flags.model ?? [] },
        sites: flags.site ?? [],
        mediaUrl,
        media: flags.media,
        mediaHosts: flags.allowMediaFrom ?? [],
        temporary,
        format: flags.markdown ? await markdownFormat() : asHtml,
        onStep,
      };
      return { site: await readCamomilla(options, cms), close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** The address of the interface: of a mere host, where camomilla has it. */
function baseOf(source: string): string {
  if (!URL.canParse(source)) throw new UsageError(`${source} is no address.`);
  const url = new URL(source);
  if (url.username !== "" || url.password !== "")
    throw new UsageError("Give a token with --token, no password in the address.");
  const path = url.pathname === "/" ? "/api/camomilla/" : `${url.pathname.replace(/\/$/, "")}/`;
  return url.origin + path;
}
