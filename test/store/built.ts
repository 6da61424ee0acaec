/** Compiled modules, of which threads can be started: Node 20 starts none from TypeScript. */
import type { Fs } from "../../src/store/git/fs.ts";

/** @param path below store/git, without extension */
export const built = (path: string): Promise<unknown> =>
  import(new URL(`../../dist/store/git/${path}.js`, import.meta.url).href);

export const builtDiskFs = async (): Promise<Fs> => ((await built("fs")) as { diskFs: Fs }).diskFs;

/** @param warned gets the warnings */
export const warningsTo = (warned: string[]) => ({
  info: () => undefined,
  warn: (text: string) => void warned.push(text),
  error: () => undefined,
});
