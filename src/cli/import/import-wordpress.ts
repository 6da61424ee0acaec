/** `cms import wordpress`: an export of WordPress. */
import type { Command } from "commander";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openTimeZone } from "../../model/time/time-zone.ts";
import { collect, run, UsageError } from "../command.ts";
import { runImport, withImportOptions, type ImportFlags } from "./run-import.ts";
import type { Io } from "../terminal.ts";

interface Flags extends ImportFlags {
  readonly uploads?: string;
  readonly allowMediaFrom?: readonly string[];
  readonly markdown?: boolean;
  readonly timeZone?: string;
  readonly postsPage?: string;
  readonly categoryBase?: string;
  readonly tagBase?: string;
}

export function registerImportWordPress(imports: Command, io: Io): void {
  withImportOptions(imports.command("wordpress"))
    .description("import an export of WordPress (Tools, Export)")
    .argument("<export...>", "the file, WXR in XML, or the files of an export in several parts")
    .option("--uploads <dir>", "the folder wp-content/uploads of the old site")
    .option(
      "--allow-media-from <host>",
      "fetch files that are not in --uploads from this host; may be repeated",
      collect,
    )
    .option("--markdown", "turn texts into Markdown; without it they stay HTML")
    .option("--time-zone <zone>", "of the old site, for dates without one in UTC; without it TIME_ZONE, else UTC")
    .option("--posts-page <path>", "where the lists of categories, tags and authors redirect to (default: /)")
    .option("--category-base <path>", "where the old site has its categories (default: /category)")
    .option("--tag-base <path>", "where the old site has its tags (default: /tag)")
    .action(run(io, (files: readonly string[], flags: Flags) => importWordPress(io, files, flags)));
}

async function importWordPress(io: Io, files: readonly string[], flags: Flags): Promise<number> {
  const zone = flags.timeZone === undefined ? undefined : openTimeZone(flags.timeZone);
  if (flags.timeZone !== undefined && !zone) throw new UsageError(`${flags.timeZone} is no time zone, as Europe/Rome.`);
  const addresses = {
    category: pathFlag("--category-base", flags.categoryBase ?? "/category"),
    post_tag: pathFlag("--tag-base", flags.tagBase ?? "/tag"),
    author: "/author",
    posts: `${pathFlag("--posts-page", flags.postsPage ?? "/")}/`,
  };
  for (const file of files)
    if (!(await stat(file).catch(() => undefined))?.isFile()) throw new UsageError(`There is no file ${file}.`);
  if (flags.uploads !== undefined && !(await stat(flags.uploads).catch(() => undefined))?.isDirectory())
    throw new UsageError(`There is no folder ${flags.uploads}.`);
  return runImport(io, flags, "wordpress", async ({ cms }) => {
    const [{ readWordPress }, { asHtml, markdownFormat }, { openDownloads }] = await Promise.all([
      import("../../import/wordpress/read-wordpress.ts"),
      import("../../import/texts/html-markdown.ts"),
      import("../../import/sources/download.ts"),
    ]);
    const temporary = await mkdtemp(join(tmpdir(), "cms-import-"));
    const close = (): Promise<void> => rm(temporary, { recursive: true, force: true });
    try {
      const source = {
        file: resolve(files[0]!),
        parts: files.slice(1).map((each) => resolve(each)),
        uploads: flags.uploads,
        downloads: openDownloads({ hosts: flags.allowMediaFrom ?? [], maxSize: cms.config.API.MAX_UPLOAD }),
        temporary,
        zone: zone ?? cms.locales.timeZone,
        format: flags.markdown ? await markdownFormat() : asHtml,
        addresses,
      };
      return { site: await readWordPress(source, cms.locales), close };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

/** A path with its first slash and without final ones; "" for the root. */
function pathFlag(flag: string, path: string): string {
  if (!/^\/(?!\/)[^\s?#\\]*$/.test(path))
    throw new UsageError(`${flag} is a path that begins with one slash: ${path} is not.`);
  return path.replace(/\/$/, "");
}
