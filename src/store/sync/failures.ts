/** What git says of a fetch or push that failed, as one sentence with the remedy. */
import { unavailable, type CmsError } from "../../errors.ts";

interface Explanation {
  readonly pattern: RegExp;
  readonly says: string;
}

/** In this order: the first that matches is shown. */
const FAILURES: readonly Explanation[] = [
  {
    pattern:
      /does not appear to be a git repository|repository not found|\.git[/']* not found|not a git repository|\/' not found/i,
    says: "The remote repository does not exist, or these credentials may not see it: check `git remote -v`.",
  },
  {
    pattern: /no such remote|no configured push destination/i,
    says: "There is no such remote: add it with `git remote add`.",
  },
  {
    pattern:
      /authentication failed|could not read (?:username|password)|permission denied \(|invalid credentials|returned error: 40[13]|access denied|terminal prompts disabled/i,
    says: "The remote refused the credentials: check the credential helper, the ssh key or the token of this user.",
  },
  {
    pattern: /host key verification failed/i,
    says: "The remote's ssh host key is not known: connect once by hand as this user.",
  },
  {
    pattern: /could not resolve host|name or service not known|temporary failure in name resolution/i,
    says: "The remote's host name cannot be resolved: check network and address.",
  },
  {
    pattern: /connection refused|connection timed out|unable to connect|network is unreachable|no route to host/i,
    says: "The remote does not answer: check network, address and port.",
  },
  {
    pattern: /'lfs' is not a git command|git-lfs' was not found/i,
    says: "Git LFS is not installed on this machine: install it.",
  },
  {
    pattern:
      /\(missing\)|unable to find source for object|smudge filter lfs failed|object does not exist on the server/i,
    says: "Git LFS objects are missing: fetch them with `git lfs fetch --all` from a clone that has them.",
  },
  {
    pattern: /protected branch|gh006|you are not allowed to push|denyCurrentBranch|branch is currently checked out/i,
    says: "The remote does not accept pushes to this branch: it is protected. Push to another one (`PUSH_BRANCH`), or allow it.",
  },
  {
    pattern: /\((?:fetch first|non-fast-forward)\)|is at \w+ but expected/i,
    says: "Other pushes came first, again and again: everything is merged here, and is pushed next time.",
  },
  {
    pattern: /cannot lock ref|failed to update ref/i,
    says: "The branch is locked on the remote: another push runs, or was killed there, and left its lock file.",
  },
  {
    pattern: /pre-receive hook declined|hook declined|update hook/i,
    says: "A hook of the remote refused the push.",
  },
  { pattern: /pre-push/i, says: "The pre-push hook of this clone refused the push." },
  {
    pattern: /fsck error|invalid index-pack output/i,
    says: "The remote has an object that is malformed or unsafe: see `fetch.fsck` in `git help config`.",
  },
  {
    pattern: /early eof|unexpected disconnect|hung up unexpectedly|rpc failed|index-pack failed|bad object|corrupt/i,
    says: "The remote's answer broke off or is damaged.",
  },
];

const SAID_MAX = 300;

/** @param said git's standard error; what a remote prints is in it */
export function syncFailure(verb: "fetch" | "push", said: string): CmsError {
  const found = FAILURES.find(({ pattern }) => pattern.test(said));
  const sentence = found?.says ?? `\`git ${verb}\` failed.`;
  return unavailable(`${sentence} Git says: ${lastLines(said)}`, "repair");
}

/** A rejected push that succeeds after another fetch. */
export const isOutrun = (said: string): boolean =>
  /\((?:fetch first|non-fast-forward)\)|cannot lock ref|failed to update ref/i.test(said);

function lastLines(said: string): string {
  // Credentials in an address must not get into logs and answers.
  const text = said.replace(/:\/\/[^/\s@]{1,500}@/g, "://");
  const lines = text.split("\n").map((line) => line.replace(/\p{Cc}/gu, " ").trim());
  const told = lines.filter((line) => line !== "" && !line.startsWith("hint:")).join(" / ");
  return told === "" ? "nothing" : told.slice(-SAID_MAX);
}
