/** The latest commits, and problems of files with their lines: for accounts of staff. */
import { ApiError, get } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { useLoaded } from "../ui/loaded.ts";

interface ChangedFile {
  readonly path: string;
  readonly record: { readonly model: string; readonly id: number } | null;
}

export interface Change {
  readonly commit: string;
  readonly date: string;
  readonly author: string;
  readonly subject: string;
  readonly file_count: number;
  readonly files: readonly ChangedFile[];
}

interface Problem {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly severity: "error" | "warning";
  readonly message: string;
}

/** @returns undefined until the list is there, and for an account that may not see it */
const useList = <Item,>(path: string): readonly Item[] | undefined =>
  useLoaded(() =>
    get<readonly Item[]>(path).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return undefined;
      throw error;
    }),
  );

export function LatestChanges() {
  const changes = useList<Change>("changes/?items=10");
  if (!changes) return null;
  return (
    <section class="card later" aria-label={text("latestChanges")}>
      <h2>{text("latestChanges")}</h2>
      {changes.length === 0 && <p class="hint">{text("noChanges")}</p>}
      <ul class="links">
        {changes.map((change) => (
          <li key={change.commit}>
            <ChangeSubject change={change} />
            <span class="address">
              {change.author}, <time dateTime={change.date}>{showMoment(change.date)}</time>
              {change.file_count > 1 && `, ${text("fileCount", { count: change.file_count })}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A link to the page that the commit changed, where it is one page: to its history, where the change can be undone, unless only a draft changed. */
function ChangeSubject({ change: { subject, files } }: { change: Change }) {
  const changed = files.filter(({ record }) => record?.model === "Page");
  const [id, ...others] = new Set(changed.map(({ record }) => record!.id));
  if (id === undefined || others.length > 0) return <>{subject}</>;
  const isDraft = changed.every(({ path }) => /\.draft\.[^./]+\.ya?ml$/.test(path));
  return <a href={hrefOf(`pages/${id}${isDraft ? "" : "/history"}`)}>{subject}</a>;
}

export function Problems() {
  const problems = useList<Problem>("problems/");
  if (!problems || problems.length === 0) return null;
  return (
    <section class="card" aria-label={text("problems")}>
      <h2>
        {text("problems")} <span class="badge TRS">{problems.length}</span>
      </h2>
      <ul class="links">
        {problems.map(({ path, line, column, severity, message }) => (
          <li key={`${path} ${line} ${column} ${message}`}>
            <code>{[path, line, column].filter((part) => part !== null).join(":")}</code>
            <p>
              {text(severity === "error" ? "problemError" : "problemWarning")}: {message}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
