/** The compiled code of the program, which `bin/load.cjs` keeps for the next start. */
let keep: () => void = () => undefined;

/** @param by keeps what has been compiled so far; later calls of it do nothing */
export const keepCodeBy = (by: () => void): void => void (keep = by);

/** A command that runs on calls it once it has started: V8 forgets code that has not run for a while. */
export const keepCompiledCode = (): void => keep();
