/** What can be completed after each command, read from the commands themselves. */
import type { Command } from "commander";

/** What a value is: the name of a folder, one of some words, or anything. */
export type Value = "folder" | "any" | readonly string[];

export interface FlagCompletion {
  /** `--port` */
  readonly flag: string;
  readonly help: string;
  /** null for a flag without a value. */
  readonly value: Value | null;
}

export interface CommandCompletion {
  /** From the program on, without its name: `[]`, `["user", "add"]`. */
  readonly path: readonly string[];
  readonly help: string;
  readonly commands: readonly { readonly name: string; readonly help: string }[];
  readonly flags: readonly FlagCompletion[];
  /** What its first argument is; "any" without one. */
  readonly argument: Value;
}

/** The program and all its commands, each before those below it. */
export function completionsOf(command: Command, path: readonly string[] = []): readonly CommandCompletion[] {
  const own: CommandCompletion = {
    path,
    help: command.description(),
    commands: command.commands.map((each) => ({ name: each.name(), help: each.description() })),
    flags: command.options
      .filter(({ long }) => long !== undefined && long !== null)
      .map(({ long, flags, description }) => ({ flag: long!, help: description, value: valueOf(flags) })),
    argument: valueOf(`<${command.registeredArguments[0]?.name() ?? ""}>`) ?? "any",
  };
  return [own, ...command.commands.flatMap((each) => completionsOf(each, [...path, each.name()]))];
}

/** @param flags as they are declared: `--out <dir>`, `--log <human|json>` */
function valueOf(flags: string): Value | null {
  const name = /[<[]([^<>[\]]*)[>\]]/.exec(flags)?.[1];
  if (name === undefined) return null;
  if (name === "dir") return "folder";
  return name.includes("|") ? name.split("|") : "any";
}
