/** `cms search`: where words stand in the content, and in which files. */
import type { Command } from "commander";
import { readSite, run, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { paint, printable, processIo, type Io } from "../terminal.ts";
import type { SearchItem } from "../../views/search/search.ts";

interface SearchFlags extends SiteOptions {
  readonly language?: string;
  readonly model?: string;
  readonly items: string;
  readonly json?: boolean;
}

export function registerSearch(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("search <words...>"))
    .description("find words in all content, drafts and the trash included")
    .option("--language <code>", "only texts in this language")
    .option(
      "--model <name>",
      "only this kind of record: page, article, media, menu, content, metainstance, tag, or a page model",
    )
    .option("--items <number>", "how many results are shown", "10")
    .option("--json", "print the answer as JSON, as the API has it, with the file of each result")
    .action(
      run(io, async (words: readonly string[], flags: SearchFlags) => {
        const items = /^[1-9]\d{0,3}$/.test(flags.items) ? Number(flags.items) : undefined;
        if (items === undefined) throw new UsageError(`--items takes a number from 1 to 9999, not "${flags.items}".`);
        const { searchSite } = await import("../../library/search.ts");
        const { langOf, viewOf } = await import("../../library/options.ts");
        const { kindOfModel } = await import("../../views/search/content-index.ts");
        return await readSite(flags, async (cms) => {
          const { language, model } = flags;
          const options = {
            ...{ words: words.join(" "), from: 0, items },
            lang: language === undefined ? undefined : langOf(cms, language),
            chosen: model === undefined ? {} : { model },
          };
          const found = await searchSite(cms, viewOf(cms, "editor"), options, () => true);
          const files = found.items.map(
            (item) => cms.store.current.pathsOf(kindOfModel(item.model), item.id)[0] ?? null,
          );
          if (flags.json) {
            const withFiles = found.items.map((item, at) => ({ ...item, file: files[at] }));
            io.stdout.write(`${JSON.stringify({ ...found, items: withFiles }, null, 2)}\n`);
          } else {
            for (const [at, item] of found.items.entries()) io.stdout.write(textOf(io, item, files[at] ?? ""));
            io.stdout.write(`${found.total === 1 ? "1 result" : `${found.total} results`}.\n`);
          }
          return found.total === 0 ? 1 : 0;
        });
      }),
    );
}

function textOf(io: Io, { title, model, id, language, status, passages }: SearchItem, file: string): string {
  const about = [`${model} ${id}`, language, ...(status === null ? [] : [status]), file].join("  ");
  const lines = passages.map(({ field, text, marks }) => {
    const ends = [0, ...marks.flat(), text.length];
    const parts = ends.slice(1).map((end, at) => {
      const part = printable(text.slice(ends[at], end));
      return at % 2 === 1 ? paint(io, io.stdout, "yellow", part) : part;
    });
    return `    ${printable(field)}: ${parts.join("")}\n`;
  });
  return `${paint(io, io.stdout, "bold", printable(title))}  ${printable(about)}\n${lines.join("")}`;
}
