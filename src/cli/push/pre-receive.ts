/** The hook that judges what is pushed to a repository, bare ones of forges included: `cms setup --pre-receive`. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { CmsError } from "../../errors.ts";
import { runGit } from "../../store/git/command.ts";
import { PROGRAM_ROOT } from "../../version.ts";

const MARK = "# Written by `cms setup --pre-receive`.";

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * What is pushed is in quarantine, and a bare repository has no working tree: the hook makes a clone with the new
 * commits and the content of the old one, without larger files, and has `cms check --push` judge it.
 *
 * @param program the command that runs `cms`
 */
export const hookText = (branch: string, program: readonly string[]): string => `#!/bin/sh
${MARK}
# Judges what is pushed to ${branch} by the roles of the site. The forge names who pushes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r old new ref; do
  [ "$ref" = ${quoted(`refs/heads/${branch}`)} ] || continue
  case "$new" in *[!0]*) ;; *) echo "cms: $ref is not deleted." >&2; exit 1 ;; esac
  case "$old" in *[!0]*) ;; *) continue ;; esac
  site="$work/site"
  rm -rf "$site" && mkdir "$site"
  {
    git rev-list --objects --no-walk --filter=blob:limit=1m "$old"
    git rev-list --objects --filter=blob:limit=1m "$old..$new"
  } | cut -d' ' -f1 | sort -u | git pack-objects -q --stdout > "$work/pack"
  for name in cms.config.yaml cms.config.yml cms.config.json; do
    git cat-file blob "$old:$name" > "$site/$name" 2> /dev/null || rm -f "$site/$name"
  done
  (
    unset $(git rev-parse --local-env-vars) GIT_QUARANTINE_PATH
    cd "$site"
    git init -q
    git index-pack --stdin < "$work/pack" > /dev/null
    echo "$old" > .git/shallow
    git update-ref refs/heads/site "$old"
    git symbolic-ref HEAD refs/heads/site
    ${program.map(quoted).join(" ")} check --quiet --push "$old" "$new" --root "$site" >&2
  ) || exit 1
done
`;

/**
 * @param root a bare repository, or a clone
 * @returns the file of the hook
 * @throws CmsError `conflict` where another hook is in its place
 */
export async function writePreReceive(root: string): Promise<string> {
  const { code, stdout, stderr } = await runGit(root, ["rev-parse", "--git-path", "hooks/pre-receive"], {
    timeoutMs: 10_000,
  });
  if (code !== 0) throw new CmsError("conflict", `${root} is no git repository: ${stderr.trim()}`);
  const file = resolve(root, stdout.trim());
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined && !known.includes(MARK))
    throw new CmsError("conflict", `${file} is another hook: run \`cms check --push\` from it.`);
  const branch = await runGit(root, ["symbolic-ref", "--short", "HEAD"], { timeoutMs: 10_000 });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, hookText(branch.stdout.trim() || "main", [process.execPath, `${PROGRAM_ROOT}/bin/cms.cjs`]));
  await chmod(file, 0o755);
  return file;
}
