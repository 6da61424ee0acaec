/** The settings of a page beside its text: address, place, search engines, dates. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { focusField, type FieldFocus } from "../../fields/field-focus.ts";
import { showMoment, text } from "../../i18n.ts";
import { useOwnValues } from "../../records/own-values.ts";
import { mayEdit } from "../../session.ts";
import type { TextKey } from "../../texts/en.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isNarrow } from "../../ui/viewport.ts";
import { PageBlocks } from "./page-blocks.tsx";
import { TEXTS, SHARED } from "../page-fields.ts";
import { PageFields, PlaceFields, SearchFields } from "./page-parts.tsx";
import type { PageState } from "../page-state.ts";

const STORED = "git-cms.page-settings";
/** Form and preview keep the width that they need beside them from this width on. */
const ROOM = "(min-width: 100rem)";

/** On a desktop: as it was left, at first where there is room. */
const panel = signal((localStorage.getItem(STORED) ?? String(matchMedia(ROOM).matches)) === "true");
/** On a phone, over the text. */
const sheet = signal(false);

const isShown = (): boolean => (isNarrow.value ? sheet.value : panel.value);

function show(isOpen: boolean): void {
  if (isNarrow.value) return void (sheet.value = isOpen);
  panel.value = isOpen;
  localStorage.setItem(STORED, String(isOpen));
}

/** The fields that are beside the settings. */
const IN_TEXT = ["title", "description", "content", "template_data"];
const isSetting = (path: string): boolean => {
  const [name = ""] = path.split(".");
  return [...TEXTS, ...SHARED].includes(name) && !IN_TEXT.includes(name);
};

/** Shows the settings where one of the fields is among them. @param paths names and indexes joined by dots */
export function showSettingsOf(paths: readonly string[]): void {
  if (!isShown() && paths.some(isSetting)) show(true);
}

/** Moves the focus to the control of a field of the page, wherever it is. */
export function focusPageField(path: string, how?: FieldFocus): void {
  showSettingsOf([path]);
  requestAnimationFrame(() => focusField(document, path, how));
}

export const SettingsButton = () => (
  <button type="button" class="settings-button" aria-expanded={isShown()} onClick={() => show(!isShown())}>
    <Icon name="gear" />
    {text("pageSettings")}
  </button>
);

export function SettingsPanel({ page }: { page: PageState }) {
  if (!isShown()) return null;
  const close = (): void => show(false);
  if (isNarrow.value)
    return (
      <Dialog title={text("pageSettings")} look="sheet" onClose={close}>
        <SettingsForm page={page} />
        <button type="button" onClick={close}>
          {text("close")}
        </button>
      </Dialog>
    );
  return (
    <aside class="panel" aria-label={text("pageSettings")}>
      <h2>
        {text("pageSettings")}
        <button type="button" class="quiet" aria-label={text("close")} onClick={close}>
          ×
        </button>
      </h2>
      <SettingsForm page={page} />
    </aside>
  );
}

const SettingsForm = ({ page }: { page: PageState }) => (
  <fieldset class="form" disabled={!mayEdit(page.collection)}>
    <AddressFields page={page} />
    {page.collection === "articles" && <PageFields page={page} names={["tags", "highlight_image", "author"]} />}
    <PlaceFields page={page} />
    <SearchFields page={page} />
    <PageBlocks page={page} />
    <Facts page={page} />
  </fieldset>
);

/** The settings that another language has for itself, below its text. */
export const OwnSettings = ({ page }: { page: PageState }) => (
  <>
    <AddressFields page={page} />
    <SearchFields page={page} />
  </>
);

function AddressFields({ page }: { page: PageState }) {
  const { autopermalink } = useOwnValues(page, ["autopermalink"]);
  return (
    <>
      <PageFields page={page} names={["autopermalink"]} />
      {autopermalink !== true && <PageFields page={page} names={["permalink"]} />}
    </>
  );
}

/** What is not changed here, but asked for. */
function Facts({ page }: { page: PageState }) {
  const { published_at: published, date_updated_at: updated, date_created: created } = page.record.value;
  const told = (key: TextKey, value: ComponentChildren) => (
    <div>
      <dt>{text(key)}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <dl class="facts">
      {published && told("publishedAt", showMoment(published))}
      {told("changed", showMoment(updated))}
      {created && told("created", showMoment(created))}
      {page.model && told("model", page.model.name)}
    </dl>
  );
}
