import { appendFile } from "node:fs/promises";
import { definePlugin } from "../../../src/index.ts";

/** Writes a line for each commit to a file outside of the repository. */
export const commitLog = (file: string) =>
  definePlugin({
    name: "commit-log",
    async afterCommit({ id, author, message }) {
      await appendFile(file, `${id.slice(0, 10)} ${author.name}: ${message.split("\n")[0]}\n`);
    },
  });
