/** Where a page is, and what leads from it: to the site, to a link for others, to a page below it, to its history. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { get, onHost, request } from "../api.ts";
import { showMoment, text } from "../i18n.ts";
import { isList, isRecord, type Values } from "../json.ts";
import { hrefOf } from "../router.ts";
import { isStaff, may, mayEdit } from "../session.ts";
import { DropMenu } from "../ui/drop-menu.tsx";
import { FormDialog, momentIn, MomentInput } from "../ui/form-dialog.tsx";
import { attempt, copyText, notifyFailure } from "../ui/notices.tsx";
import { isNarrow } from "../ui/viewport.ts";
import { askForNewPage } from "./new-page.tsx";
import { plannedMoment } from "./page-record.ts";
import type { PageState } from "./page-state.ts";

interface PageLinksProps {
  readonly page: PageState;
  /** More of the menu that a phone has in place of the links. */
  readonly children: ComponentChildren;
}

export function PageLinks({ page, children }: PageLinksProps) {
  const [isLinking, setLinking] = useState(false);
  const { id, title, routerlink, status } = page.record.value;
  const shows = useShown(page);
  const links = (
    <>
      {children}
      {/* Who may edit has it among the verbs. */}
      {status === "PUB" && routerlink && !mayEdit(page.collection) && (
        <a href={onHost(routerlink)} target="_blank" rel="noopener">
          {text("viewPage")}
        </a>
      )}
      {routerlink && (
        <button
          type="button"
          onClick={() => void copyText(location.origin + onHost(routerlink), text("addressCopied"))}
        >
          {text("copyAddress")}
        </button>
      )}
      {shows.length > 0 && (
        <button type="button" onClick={() => setLinking(true)}>
          {text("previewLink")}
        </button>
      )}
      {page.collection === "pages" && may("add_page") && status !== "TRS" && (
        <button type="button" onClick={() => void askForNewPage({ id, title: title || `#${id}` })}>
          {text("newPageBelow")}
        </button>
      )}
      <a href={hrefOf(`${page.collection}/${page.id}/history?lang=${page.lang}`)}>{text("history")}</a>
    </>
  );
  return (
    <div class="page-links">
      {routerlink && <span class="address inline">{routerlink}</span>}
      {isNarrow.value ? <DropMenu name={text("thisPage")}>{links}</DropMenu> : links}
      {isLinking && <PreviewLink page={page} choices={shows} onClose={() => setLinking(false)} />}
    </div>
  );
}

/** In days. */
const LINK_LIFE = 7;

/** What a link can show: the page at a moment that something is planned for, or after a release. */
interface Shown {
  readonly name: string;
  readonly body: Values;
}

const NOTHING: readonly Shown[] = [];

/** Empty where nothing is planned for the page. */
function useShown(page: PageState): readonly Shown[] {
  const record = page.record.value;
  const [releases, setReleases] = useState<readonly string[]>([]);
  useEffect(() => {
    if (isStaff()) releasesWith(page.id).then(setReleases, notifyFailure);
  }, [record]);
  if (!isStaff()) return NOTHING;
  const planned = plannedMoment(record);
  return [
    ...(planned === null ? [] : [{ name: showMoment(planned), body: { at: planned } }]),
    ...releases.map((release) => ({ name: `${text("release")}: ${release}`, body: { release } })),
  ];
}

interface PreviewLinkProps {
  readonly page: PageState;
  readonly choices: readonly Shown[];
  readonly onClose: () => void;
}

function PreviewLink({ page, choices, onClose }: PreviewLinkProps) {
  const make = (form: FormData): Promise<void> =>
    attempt(async () => {
      const { body } = choices[Number(form.get("shown"))]!;
      const { value } = await request<{ url: string }>("POST", `preview-links/?language=${page.lang}`, {
        body: { page: page.id, expires_at: momentIn(form, "until"), ...body },
      });
      onClose();
      await copyText(value.url, text("previewLinkCopied"));
    });
  return (
    <FormDialog
      title={text("previewLink")}
      verb={text("copyLink")}
      onClose={onClose}
      onSubmit={(form) => void make(form)}
    >
      <p class="hint">{text("previewLinkHint")}</p>
      <label>
        {text("previewLinkShows")}
        <select name="shown">
          {choices.map(({ name }, at) => (
            <option key={name} value={at}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <MomentInput
        name="until"
        label={text("previewLinkUntil")}
        initial={new Date(Date.now() + LINK_LIFE * 86_400_000).toISOString()}
      />
    </FormDialog>
  );
}

/** The names of the releases that are not published yet and have the page. */
async function releasesWith(page: number): Promise<readonly string[]> {
  const all = await get<readonly Values[]>("releases/");
  return all
    .filter(({ published_at: published, items }) => !published && isList(items) && items.some((item) => isOf(item)))
    .map(({ name }) => String(name));
  function isOf(item: Values[string]): boolean {
    return isRecord(item) && item.page === page && item.action === "publish";
  }
}
