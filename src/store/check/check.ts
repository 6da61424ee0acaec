/**
 * The checks of `cms check`: problems of content that loads, such as records that do not fit each other.
 *
 * They do not stop the service, and finding them means reading everything, so they run only on request.
 */
import type { Locales } from "../../model/language/locale.ts";
import { folded, nameError } from "../../model/address/possible-names.ts";
import type { Problem } from "../../model/text/problem.ts";
import { underRule, type Check } from "./finding.ts";
import { mediaAddressFindings, trashedMediaFindings } from "./media.ts";
import { completenessFindings, unusedMediaFindings } from "./completeness.ts";
import { mergeCommentProblems } from "./merge-comments.ts";
import { metaFindings } from "./meta.ts";
import { textLinkFindings } from "./text-links.ts";
import type { ReadMarkdown } from "./texts/text-markup.ts";
import { listFindings, type FindListError } from "./lists.ts";
import { linkFindings } from "./links.ts";
import { pageFindings } from "./pages.ts";
import { addId, derivedIdWarning, lacksId } from "./identity.ts";
import { templateFindings, type HasTemplate } from "./templates.ts";
import { nameFindings } from "./names.ts";
import { peopleFindings, releaseFindings } from "./releases.ts";
import { roleFindings } from "./roles.ts";
import { unknownKeys } from "./unknown.ts";
import { dataIn, locate, locateAddress, type KeyPath, type Position } from "../codec/codec.ts";
import { draftLang } from "../records/draft-files.ts";
import { mainPart, type AnyKind, type Base, type Part, type Reader } from "../records/record-type.ts";
import type { Store } from "../write/store.ts";

const CHECKS: readonly Check[] = [
  pageFindings,
  underRule("former-permalink", nameFindings),
  underRule("missing-reference", linkFindings),
  underRule("invalid-data", metaFindings),
  underRule("release", releaseFindings),
  underRule("missing-reference", peopleFindings),
  underRule("missing-reference", roleFindings),
  completenessFindings,
];

/** Without an option, the check that needs it is skipped. */
export interface CheckOptions {
  /** The setting `MEDIA.URL`. */
  readonly mediaUrl?: string;
  /** See `Places`. */
  readonly files?: ReadonlySet<string>;
  readonly hasTemplate?: HasTemplate;
  readonly listError?: FindListError;
  /** Texts of all templates. */
  readonly templates?: readonly string[];
  /** With it and `mediaUrl`, links in texts are checked. */
  readonly readMarkdown?: ReadMarkdown;
}

const checksWith = ({
  mediaUrl,
  files,
  hasTemplate,
  listError,
  templates,
  readMarkdown,
}: CheckOptions): readonly Check[] => [
  ...CHECKS,
  ...(listError ? [underRule("list", listFindings(listError))] : []),
  ...(hasTemplate ? [underRule("missing-template", templateFindings(hasTemplate))] : []),
  ...(mediaUrl === undefined
    ? []
    : [
        underRule("moved-media", (content) => mediaAddressFindings(content, mediaUrl)),
        underRule("trashed-media", (content) => trashedMediaFindings(content, mediaUrl)),
      ]),
  ...(mediaUrl === undefined || readMarkdown === undefined
    ? []
    : [
        underRule("dead-link", (content, locales) =>
          textLinkFindings(content, locales, {
            mediaUrl,
            readMarkdown,
            ...(files && { files }),
            ...(templates && { templates }),
          }),
        ),
      ]),
  ...(templates && mediaUrl !== undefined
    ? [(content: Reader) => unusedMediaFindings(content, templates, mediaUrl)]
    : []),
];

/** The problems of loading, and those the checks find. */
export async function allProblems(store: Store, locales: Locales, options: CheckOptions = {}): Promise<Problem[]> {
  return [...store.current.problems, ...(await contentProblems(store, locales, options))];
}

/** Everything the checks find, with positions in the files on disk. */
export async function contentProblems(store: Store, locales: Locales, options: CheckOptions = {}): Promise<Problem[]> {
  const texts = new Map<string, string>();
  const textOf = async (file: string): Promise<string> => {
    const text = texts.get(file) ?? new TextDecoder().decode((await store.repo.read(file))?.bytes);
    texts.set(file, text);
    return text;
  };
  const problems: Problem[] = [];
  const findings = checksWith(options).flatMap((check) => [...check(store.current, locales)]);
  for (const { kind, id, path, draft, message, address, severity, rule, fix, file: otherFile = kind.dir } of findings) {
    const { base = "", files } = store.current.table(kind).byId.get(id) ?? {};
    const parts = [...(files?.keys() ?? [])];
    const part = draft === undefined ? parts[0] : parts.find((each) => draftLang(each, locales) === draft);
    const file = part === undefined ? undefined : base + part;
    const text = file === undefined ? "" : await textOf(file);
    const position = (address === undefined ? undefined : locateAddress(text, path, address)) ?? nearest(text, path);
    problems.push({
      path: file ?? otherFile,
      ...position,
      message: path.length > 0 && file !== undefined ? `${path.join(".")}: ${message}` : message,
      ...(severity && { severity }),
      ...(rule && { rule }),
      ...(fix && { fix }),
    });
  }
  return [
    ...problems,
    ...impossibleNames(store),
    ...(await fileProblems(store, locales)),
    ...(await mergeCommentProblems(store)),
  ];
}

/** The position of a key; of the nearest key above it where it is missing. */
function nearest(text: string, path: KeyPath): Position | undefined {
  for (let length = path.length; length > 0; length--) {
    const position = locate(text, path.slice(0, length));
    if (position) return position;
  }
  return undefined;
}

/** Files that a clone on another system cannot have, or only one of two whose names differ by case or Unicode form. */
function impossibleNames({ kinds, current }: Store): Problem[] {
  const entries = kinds.flatMap((kind) => [...current.table(kind).byBase.values()]);
  const paths = new Set(entries.flatMap(({ base, files }) => [...files.keys()].map((part) => base + part)));
  const byName = new Map<string, string>();
  return [...paths].sort().flatMap((path): Problem[] => {
    const name = folded(path);
    const other = byName.get(name);
    if (other === undefined) byName.set(name, path);
    const error = path.split("/").map(nameError).find(Boolean);
    const difference = `Its name differs from that of ${other} by case or Unicode form only`;
    return [
      ...(error === undefined ? [] : [{ path, rule: "file-name" as const, message: `${error} Rename the file.` }]),
      ...(other === undefined
        ? []
        : [
            {
              path,
              rule: "file-name" as const,
              message: `${difference}, and some machines can hold only one of the two: rename it.`,
            },
          ]),
    ];
  });
}

/** Problems within a record's main file: unknown keys, and a missing `id`. */
async function fileProblems(store: Store, locales: Locales): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const kind of store.kinds) {
    if (kind.opaque) continue;
    for (const [base, parts] of partsByBase(store, kind)) {
      const main = mainPart(parts);
      if (main === undefined) continue;
      const file = await store.repo.read(base + main);
      if (!file) continue;
      const text = new TextDecoder().decode(file.bytes);
      const data = dataIn(base + main, file.bytes);
      if (!data) continue;
      if (main === ".md" && Object.keys(data).length === 0)
        problems.push({
          path: base + main,
          line: 1,
          column: 1,
          severity: "warning",
          rule: "plain-markdown",
          message: PLAIN,
        });
      if (lacksId(kind, main, data))
        problems.push({
          path: base + main,
          severity: "warning",
          rule: "missing-id",
          message: derivedIdWarning(base),
          fix: addId(base),
        });
      for (const { key, message } of kind.untoldHiders?.(main, data, locales) ?? [])
        problems.push({
          path: base + main,
          ...locate(text, [key]),
          severity: "warning",
          rule: "unknown-key",
          message: `${key}: ${message}`,
        });
      for (const { path, message } of unknownKeys(
        kind,
        parts,
        kind.inOwnForm?.(main, data, locales) ?? data,
        locales,
      )) {
        problems.push({
          path: base + main,
          ...locate(text, path),
          rule: "unknown-key",
          message: `${path.join(".")}: ${message}`,
        });
      }
    }
  }
  return problems;
}

/** Those of records, and those that do not load: the error that keeps a file from loading is not its only one. */
function partsByBase({ current }: Store, kind: AnyKind): ReadonlyMap<Base, readonly Part[]> {
  const found = new Map<Base, readonly Part[]>();
  for (const [base, { files }] of current.table(kind).byBase) if (files.size > 0) found.set(base, [...files.keys()]);
  for (const { path } of current.problems) {
    const place = kind.split(path);
    if (place) found.set(place.base, [...(found.get(place.base) ?? []), place.part]);
  }
  return found;
}

const PLAIN = "It has no front matter: its title is its first heading, and it is a draft.";
