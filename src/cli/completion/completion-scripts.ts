/**
 * Completion scripts for shells, made from the commands.
 *
 * A script asks no process: it holds every command and flag, and has to be made again by a newer version.
 */
import type { CommandCompletion, FlagCompletion } from "./completion-tree.ts";

type Tree = readonly CommandCompletion[];

/** Both names of the program. */
const NAMES = ["cms", "git-cms"];

/** The words before the cursor that belong to the command, as the scripts write them: ` user add`. */
const keyOf = ({ path }: CommandCompletion): string => path.map((name) => ` ${name}`).join("");

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const cases = (keys: readonly string[], body: string): string =>
  keys.length === 0 ? "" : `    ${keys.map((key) => `"${key}"`).join("|")}) ${body} ;;\n`;

/** The flags of all commands whose value is of one type. */
const keysOf = (tree: Tree, isWanted: (value: FlagCompletion["value"]) => boolean): string[] =>
  tree.flatMap((command) =>
    command.flags.filter(({ value }) => isWanted(value)).map(({ flag }) => `${keyOf(command)} ${flag}`),
  );

interface Choice {
  readonly key: string;
  readonly words: readonly string[];
}

const choicesOf = (tree: Tree): readonly Choice[] =>
  tree.flatMap((command) =>
    command.flags.flatMap(({ flag, value }) =>
      Array.isArray(value) ? [{ key: `${keyOf(command)} ${flag}`, words: value }] : [],
    ),
  );

const wordsOf = ({ commands, flags, argument }: CommandCompletion): readonly string[] => [
  ...commands.map(({ name }) => name),
  ...(Array.isArray(argument) ? argument : []),
  ...flags.map(({ flag }) => flag),
  "--help",
];

function bash(tree: Tree): string {
  const folders = tree.filter(({ argument }) => argument === "folder").map(keyOf);
  return `# Completion of cms in bash.
_cms() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} command="" words="" index
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$command \${COMP_WORDS[index]}" in
${cases(tree.slice(1).map(keyOf), 'command+=" ${COMP_WORDS[index]}"')}    esac
  done
  case "$command $before" in
${choicesOf(tree)
  .map(({ key, words }) => cases([key], `COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$word")); return`))
  .join("")}${cases(
    keysOf(tree, (value) => value === "folder"),
    "_cms_folders; return",
  )}${cases(
    keysOf(tree, (value) => value === "any"),
    "return",
  )}  esac
  case "$command" in
${tree.map((command) => cases([keyOf(command)], `words=${quoted(wordsOf(command).join(" "))}`)).join("")}  esac
  case "$command" in
${cases(folders, "[[ $word == -* ]] || { _cms_folders; return; }")}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
_cms_folders() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -d -- "$word"))
}
complete -F _cms ${NAMES.join(" ")}
`;
}

/** \`_describe\` separates a word from its help by a colon. */
const described = (name: string, help: string): string => quoted(`${name.replaceAll(":", "\\:")}:${help}`);

function zsh(tree: Tree): string {
  const found = (command: CommandCompletion): string =>
    [
      ...command.commands.map(({ name, help }) => described(name, help)),
      ...(Array.isArray(command.argument) ? command.argument.map((word) => described(word, command.help)) : []),
      ...command.flags.map(({ flag, help }) => described(flag, help)),
      described("--help", "display help for command"),
    ].join(" ");
  const folders = tree.filter(({ argument }) => argument === "folder").map(keyOf);
  return `#compdef ${NAMES.join(" ")}
# Completion of cms in zsh.
_cms() {
  local command="" index
  local -a found
  for ((index = 2; index < CURRENT; index++)); do
    case "$command \${words[index]}" in
${cases(tree.slice(1).map(keyOf), 'command+=" ${words[index]}"')}    esac
  done
  case "$command \${words[CURRENT-1]}" in
${choicesOf(tree)
  .map(({ key, words }) => cases([key], `compadd -- ${words.join(" ")}; return`))
  .join("")}${cases(
    keysOf(tree, (value) => value === "folder"),
    "_files -/; return",
  )}${cases(
    keysOf(tree, (value) => value === "any"),
    "return",
  )}  esac
  case "$command" in
${tree.map((command) => cases([keyOf(command)], `found=(${found(command)})`)).join("")}  esac
  case "$command" in
${cases(folders, "[[ ${words[CURRENT]} == -* ]] || _files -/")}  esac
  _describe cms found
}
if [[ \${funcstack[1]} == _cms ]]; then _cms "$@"; else compdef _cms ${NAMES.join(" ")}; fi
`;
}

function fish(tree: Tree): string {
  const lines = tree.flatMap((command) => {
    const line = (rest: string): string => `complete -c cms -n ${quoted(`__cms_in ${command.path.join(" ")}`)} ${rest}`;
    const words = Array.isArray(command.argument) ? command.argument : [];
    return [
      ...command.commands.map(({ name, help }) => line(`-a ${name} -d ${quoted(help)}`)),
      ...(words.length > 0 ? [line(`-a ${quoted(words.join(" "))}`)] : []),
      ...(command.argument === "folder" ? [line("-a '(__fish_complete_directories)'")] : []),
      ...command.flags.map((flag) => line(fishFlag(flag))),
    ];
  });
  const paths = tree.slice(1).map(({ path }) => ` ${path.join(" ")}`);
  return `# Completion of cms in fish.
# Whether the line has this command and no inner one: the words before its first flag or argument.
function __cms_in
  set -l command ''
  for word in (commandline -opc)[2..-1]
    switch "$command $word"
      case ${paths.map(quoted).join(" ")}
        set command "$command $word"
      case '*'
        break
    end
  end
  test (string trim -- "$command") = "$argv"
end
complete -c cms -f\n${lines.join("\n")}\ncomplete -c git-cms -w cms\n`;
}

function fishFlag({ flag, help, value }: FlagCompletion): string {
  const takes =
    value === null
      ? ""
      : value === "any"
        ? " -x"
        : ` -x -a ${quoted(value === "folder" ? "(__fish_complete_directories)" : value.join(" "))}`;
  return `-l ${flag.slice(2)} -d ${quoted(help)}${takes}`;
}

export type Shell = "bash" | "zsh" | "fish";
export const SHELLS: Readonly<Record<Shell, (tree: Tree) => string>> = { bash, zsh, fish };
