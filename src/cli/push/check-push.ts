/**
 * `cms check --push`: whether a range of commits may be pushed, by the roles of the content before it.
 *
 * Of one author, the range is judged as a whole, by what is different after it. Without a named author each commit is judged
 * as its signer's, on top of the one before.
 */
import { openAccounts } from "../../actions/accounts/accounts.ts";
import { openReviewGuard } from "../../actions/review/review-guard.ts";
import type { Cms } from "../../cms.ts";
import { settingsFiles, settingsOfCommit } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import { committedSettings } from "../../library/moments/committed-code.ts";
import { NO_RIGHTS, sameUsername } from "../../model/account/account.ts";
import type { Principal } from "../../model/access/role-rights.ts";
import { pushRefusals } from "../../store/access/judged-push.ts";
import { changedRecords } from "../../store/content/changes.ts";
import type { Loaded } from "../../store/content/advance.ts";
import { runGit } from "../../store/git/command.ts";
import { UsageError } from "../command.ts";

/** The variables in which forges and their jobs name who pushes, the surest first. */
const FORGES = [
  "GL_USERNAME",
  "GITEA_PUSHER_NAME",
  "GL_USER",
  "GITHUB_USER_LOGIN",
  "GITLAB_USER_LOGIN",
  "GITHUB_ACTOR",
];

export interface Push {
  readonly from: string;
  readonly to: string;
  /** A user name or an e-mail address; absent: as a forge says, else by the signatures of the commits. */
  readonly as?: string | undefined;
}

/** A range of commits that one author answers for. */
interface Step {
  readonly from: string;
  readonly to: string;
  readonly author: string;
}

const NO_SETTINGS = { name: "cms.config.yaml", bytes: Buffer.from("{}") };

/**
 * Why a push is refused, line by line; empty when it may be made.
 *
 * @throws UsageError for what is no commit; CmsError `forbidden` for commits of nobody
 */
export async function checkPush(cms: Cms, { from, to, as }: Push, env: NodeJS.ProcessEnv, stateDir: string) {
  const [old, newest] = [await commitOf(cms, from), await commitOf(cms, to)];
  const author = as ?? FORGES.map((name) => env[name]).find(Boolean);
  // Who may push is said by the commit that is there already, not by the one that is pushed.
  const { name, bytes } = (await committedSettings(cms.store.repo, old, settingsFiles.names)) ?? NO_SETTINGS;
  const config = settingsOfCommit(name, bytes) ?? cms.config;
  const steps = author ? [{ from: old, to: newest, author }] : await signedSteps(cms.root, old, newest);
  const refusals: string[] = [];
  let before: Loaded = await cms.store.contentAt(old);
  const roles = before.snapshot;
  for (const step of steps) {
    const paths = await changedPaths(cms.root, step);
    const after = await cms.store.contentAt(step.to, { content: before, blobs: await blobsAt(cms, step.to, paths) });
    const principal = await principalOf({ ...cms, config }, step.author, stateDir);
    const change = { before: before.snapshot, after: after.snapshot, paths };
    const found = principal
      ? [
          ...pushRefusals(principal, change, cms.store.kinds, cms.locales, roles),
          ...(principal.is_superuser ? [] : unreviewed({ ...cms, config }, step, change)),
        ]
      : [`${step.author} is no account of this site, and is not in PUSH.ROLES.`];
    refusals.push(...found.map((reason) => (author ? reason : `${step.to.slice(0, 12)}: ${reason}`)));
    before = after;
  }
  return refusals;
}

/** What needs approvals that it does not have. */
function unreviewed(
  { config, locales, env }: Cms,
  { author }: Step,
  { before, after }: Parameters<typeof pushRefusals>[1],
) {
  const changes = new Map(
    [...changedRecords(before, after)].map(([kind, records]) => [
      kind,
      new Map([...records].map(([id, record]) => [id, record.after ?? null])),
    ]),
  );
  try {
    const by = { name: author, email: author };
    openReviewGuard(config, locales, true)({ by, before, changes, now: env.now() });
    return [];
  } catch (error) {
    if (!(error instanceof CmsError)) throw error;
    return [error.message];
  }
}

/** The account of a name or an address, or what the settings say of it; undefined for neither. */
async function principalOf({ config, env }: Cms, name: string, stateDir: string): Promise<Principal | undefined> {
  const accounts = await openAccounts(stateDir, env).store.list();
  const isNamed = (known: string): boolean => known !== "" && known.toLowerCase() === name.toLowerCase();
  const account = accounts.find(({ username, email }) => sameUsername(username, name) || isNamed(email));
  if (account) return account;
  const entry = Object.entries(config.PUSH.ROLES).find(([known]) => isNamed(known));
  if (!entry) return undefined;
  const [username, roles] = entry;
  return { ...NO_RIGHTS, username, roles, is_superuser: roles.includes("superuser") };
}

async function commitOf({ root }: Cms, text: string): Promise<string> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${text}^{commit}`];
  const { code, stdout } = await runGit(root, args, { timeoutMs: 60_000 });
  if (code !== 0) throw new UsageError(`${text} is no commit of this repository.`);
  return stdout.trim();
}

async function git(root: string, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await runGit(root, args, { timeoutMs: 60_000 });
  if (code !== 0) throw new CmsError("unavailable", `git ${args[0]}: ${stderr.trim()}`);
  return stdout;
}

const changedPaths = async (root: string, { from, to }: Step): Promise<readonly string[]> =>
  (await git(root, "diff", "--no-renames", "--name-only", "-z", from, to)).split("\0").filter((path) => path !== "");

/** The blobs of some paths at a commit; null where it has none. */
async function blobsAt({ store }: Cms, commit: string, paths: readonly string[]) {
  const content = paths.filter((path) => /^(content|media)\//.test(path));
  const found = await store.repo.committed(commit, content);
  return new Map(content.map((path) => [path, found.get(path) ?? null]));
}

/** The commits of a range along its first parents, each as its signer's. @throws CmsError `forbidden` for an unsigned one */
async function signedSteps(root: string, old: string, newest: string): Promise<readonly Step[]> {
  const lines = await git(root, "log", "--reverse", "--first-parent", "--format=%H%x00%G?%x00%GS", `${old}..${newest}`);
  let from = old;
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [to = "", state, signer = ""] = line.split("\0");
      // "U" is good, too, but of a key that nobody has said to trust: whoever made it chose the name in it.
      if (state !== "G")
        throw new CmsError(
          "forbidden",
          `${to.slice(0, 12)} has no good signature of a trusted key: sign it, or name its author with --as.`,
        );
      const step = { from, to, author: /<([^<>]+)>/.exec(signer)?.[1] ?? signer };
      from = to;
      return step;
    });
}
