// Commits in a loop until it is killed, and prints the id of each commit once it is acknowledged.
import { openGitRepo } from "../../../../dist/store/git/repo.js";

const repo = await openGitRepo(process.argv[2]);
const author = { name: "Edith Editor", email: "edith@example.org" };
for (let n = 0; ; n++) {
  const text = Buffer.from(`n: ${process.pid} ${n}\n`);
  // Several files a commit, in several folders, one of which comes and goes.
  const changes = new Map([
    ["content/home.yaml", text],
    [`content/pages/${n % 5}/page.yaml`, text],
    [`content/passing/${n % 2}/page.yaml`, n % 3 ? text : null],
  ]);
  const expect = new Map();
  for (const path of changes.keys()) expect.set(path, (await repo.read(path))?.oid ?? null);
  const { head } = await repo.state();
  const result = await repo.commit({
    base: head,
    expect,
    commits: [{ author, at: new Date().toISOString(), message: `Write ${n}`, changes }],
  });
  if (result.made) process.stdout.write(`${result.commits[0]}\n`);
}
