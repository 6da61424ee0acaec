/** Examples of each command, for its help and for docs/commands.md. */

export type Example = readonly [line: string, what: string];

/** By the command's full name. */
const EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  init: [
    ["cms init", "asks for the folder, the starter and the languages, in a terminal"],
    ["cms init my-site", "the example site, in English and Italian"],
    ["cms init my-site --starter blog", "articles with pictures, subjects and a feed"],
    ["cms init my-site --bare-site --languages de,fr", "a home page and templates alone, in German and French"],
    ["cms init .", "in a repository that exists: adds what is missing, commits nothing"],
  ],
  serve: [
    ["cms serve --open", "the site in a browser, with live reload in a terminal"],
    ["cms serve --production --log json --host 0.0.0.0", "as behind a reverse proxy or in a container"],
    ["cms serve --sync --every 60", "exchanges commits with the remote each minute and after each write"],
    ["cms serve --read-only --sync", "a replica, which follows the remote"],
  ],
  "user add": [
    ["cms user add anna --staff", "an editor; asks for the password"],
    ["cms user add root --superuser < password.txt", "an administrator; the password from a file"],
  ],
  "user list": [["cms user list --json", "every account, without secrets"]],
  "user passwd": [["cms user passwd anna", "asks for the new password, and revokes the token"]],
  audit: [
    ["cms audit --items 20", "the latest sign-ins, refusals and changes of accounts"],
    ["cms audit --account anna --json", "what anna did, and what was done to her account"],
  ],
  backup: [
    ["cms backup ../private.backup < passphrase.txt", "accounts, tokens, hooks' positions; the passphrase from a file"],
  ],
  restore: [["cms restore ../private.backup", "in a clone without accounts; asks for the passphrase"]],
  "user reset": [["cms user reset anna", "she has lost her telephone, and signs in by her password again"]],
  "user remove": [["cms user remove anna", "her commits stay hers"]],
  "import markdown": [
    ["cms import markdown ../old-site --dry-run", "what would be imported, and what cannot be"],
    ["cms import markdown ../old-site --from jekyll --time-zone Europe/Rome", "dates without a zone are those of Rome"],
  ],
  "import camomilla": [
    ["cms import camomilla dump.json --media old-site/media --dry-run", "what would be imported, and what cannot be"],
    ["cms import camomilla https://old.example --token $TOKEN", "pages, files and accounts of a running service"],
  ],
  "import wordpress": [
    [
      "cms import wordpress site.xml --uploads wp-content/uploads --dry-run",
      "what would be imported, and what cannot be",
    ],
    [
      "cms import wordpress site.xml --markdown --allow-media-from old.example",
      "fetches the files, and writes one commit",
    ],
  ],
  token: [
    ["cms token anna", "prints her token"],
    ["cms token anna --name deploy --read-only --expires 90d", "a token of its own for a program, which may only read"],
    [
      "cms token anna --name news --may view,create,edit --models article --below /journal",
      "which may write articles of the journal",
    ],
    ["cms token anna --rotate", "a new one; the previous one is refused from now on"],
  ],
  "publish-scheduled": [
    ["cms publish-scheduled --dry-run", "prints what is due"],
    ["cms publish-scheduled --json", "publishes it, and prints a list, as for a cron job"],
  ],
  build: [
    ["cms build --publish-due", "publishes due drafts, then renders what changed into dist/"],
    ["cms build --full --out /srv/www/site", "every page, into another folder"],
    [
      "cms build --server https://cms.example.org",
      "the content of a running service, with the templates of this folder",
    ],
    ["cms build --at v1.4 --out /tmp/v1.4", "the site as it was, with the templates and media of that commit"],
    ["cms build --as-of 2026-12-24T08:00:00Z", "the site as it will be then, with all that is scheduled"],
    ["cms build --verify", "compares the output with that of a full build"],
  ],
  "regenerate-renditions": [
    ["cms regenerate-renditions --missing", "those that are not on disk, as after a clone"],
    ["cms regenerate-renditions 12 15", "those of two media items, after a change of MEDIA.RENDITIONS"],
  ],
  check: [
    ["cms check", "every problem, with file, line and column"],
    ["cms check --strict --json", "for CI: warnings count as errors"],
    ["cms check --push origin/main HEAD --as anna", "whether anna may push these commits"],
    ["cms check --format sarif", "for code scanning; github and gitlab for their reports"],
  ],
  config: [
    ["cms config --set", "what the settings file and the environment set"],
    ["cms config MEDIA.RENDITIONS", "one group"],
    ["CMS_ROUTER_CACHE=60 cms config ROUTER_CACHE --json", "from is CMS_ROUTER_CACHE"],
  ],
  search: [
    ["cms search flour water", "where both words stand, with the file of each"],
    ["cms search '\"flour and water\"' --language en --json", "a phrase, as data"],
  ],
  diff: [
    ["cms diff main..design", "what a branch changes: records, fields and public paths"],
    ["cms diff 2026-03-01T00:00:00Z..", "what has changed since a moment"],
    ["cms diff origin/main..HEAD --markdown", "for the comment of a pull request"],
  ],
  due: [
    ["cms due && cms build --publish-due", "builds only when the time has changed something"],
    ["cms due --before 1h", "whether something changes within the hour"],
    ["cms due --json", "due, and the next change"],
  ],
  manifest: [["cms manifest > manifest.json", "every public page with the hash of its content"]],
  setup: [
    ["cms setup", "once in each clone"],
    ["cms setup --pre-receive --root /srv/git/site.git", "judges what is pushed there"],
  ],
  "merge-driver": [["git config merge.cms.driver", "the line with which git calls it; `cms setup` writes it"]],
  sync: [
    ["cms sync", "fetches, merges and pushes"],
    ["cms sync --dry-run", "fetches, and prints what would be merged and pushed"],
    ["cms sync --no-push --json", "merges only, and prints the outcome as JSON"],
  ],
  conflicts: [["cms conflicts --json", "both values of each conflict, with their authors"]],
  "hooks test": [["cms hooks test 0", "a test delivery to the first entry of HOOKS"]],
  schemas: [
    ["cms schemas", "JSON Schemas of settings and content files, for editors"],
    ["cms schemas --mapping", "the setting yaml.schemas of an editor"],
  ],
  types: [
    ["cms types", "TypeScript types of what the site serves, in cms-types.d.ts"],
    ["cms types --out -", "on the terminal"],
  ],
  completion: [
    ["source <(cms completion bash)", "in ~/.bashrc; for zsh the same in ~/.zshrc, after compinit"],
    ["cms completion fish > ~/.config/fish/completions/cms.fish", "for fish"],
  ],
};

/** @param name with those of the commands it belongs to: `user add` */
export const examplesOf = (name: string): readonly Example[] => EXAMPLES[name] ?? [];

/** The commands that have examples. */
export const EXAMPLE_NAMES: readonly string[] = Object.keys(EXAMPLES);
