/** The items of a release: pages, and what happens to them, each with what the check found of it. */
import { useState } from "preact/hooks";
import { fieldErrors, type FieldErrors } from "../api.ts";
import { pathLabel } from "../fields/field-labels.ts";
import { showMoment, text } from "../i18n.ts";
import { LINK_TARGET, knownRecord } from "../records/known-records.ts";
import { RecordPicker } from "../records/record-picker.tsx";
import { hrefOf } from "../router.ts";
import { contentLanguage, languages } from "../site.ts";
import type { ReleaseAction, ReleaseItem } from "../../model/page/release.ts";
import { ACTIONS, itemKey, type ReleaseCheck } from "./release.ts";

const ACTION_NAMES = { publish: "publishAction", unpublish: "unpublishAction", trash: "trashAction" } as const;

interface ReleaseItemsProps {
  readonly items: readonly ReleaseItem[];
  readonly check: ReleaseCheck | undefined;
  /** The errors of the last write, by position. */
  readonly errors: FieldErrors;
  readonly previewed: ReleaseItem | undefined;
  readonly onChange: (items: readonly ReleaseItem[]) => void;
  /** Absent: there is no such state of the site. */
  readonly onPreview: ((item: ReleaseItem) => void) | undefined;
}

export function ReleaseItems({ items, check, errors, previewed, onChange, onPreview }: ReleaseItemsProps) {
  const [isAdding, setAdding] = useState(false);
  return (
    <fieldset class="release-items">
      <legend>{text("releaseItems")}</legend>
      {items.length === 0 && <p class="hint">{text("noReleaseItems")}</p>}
      <ul>
        {items.map((item, at) => (
          <li key={itemKey(item)}>
            <OneItem
              item={item}
              isPreviewed={previewed !== undefined && itemKey(previewed) === itemKey(item)}
              onChange={(next) => onChange(items.map((each, index) => (index === at ? next : each)))}
              onRemove={() => onChange(items.filter((_, index) => index !== at))}
              onPreview={onPreview && item.action === "publish" ? () => onPreview(item) : undefined}
            />
            <Findings item={item} check={check} refused={messagesAt(errors, at)} />
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setAdding(true)}>
        {text("addPages")}
      </button>
      {isAdding && (
        <RecordPicker
          canChooseMany
          model={LINK_TARGET}
          title={text("addPages")}
          onClose={() => setAdding(false)}
          onChoose={(records) => {
            setAdding(false);
            const there = new Set(items.map(({ page, language }) => `${page} ${language}`));
            const added = records.map(({ id }): ReleaseItem => ({
              page: id,
              language: contentLanguage.value,
              action: "publish",
            }));
            onChange([...items, ...added.filter(({ page, language }) => !there.has(`${page} ${language}`))]);
          }}
        />
      )}
    </fieldset>
  );
}

/** Messages of one item: `items.2.page` as `page`. */
const messagesAt = (errors: FieldErrors, at: number): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([path, messages]) =>
      path.startsWith(`items.${at}.`) ? [[path.slice(`items.${at}.`.length), messages]] : [],
    ),
  );

interface OneItemProps {
  readonly item: ReleaseItem;
  readonly isPreviewed: boolean;
  readonly onChange: (item: ReleaseItem) => void;
  readonly onRemove: () => void;
  readonly onPreview: (() => void) | undefined;
}

function OneItem({ item: { page, language, action }, isPreviewed, onChange, onRemove, onPreview }: OneItemProps) {
  const name = knownRecord(LINK_TARGET, page)?.name ?? `#${page}`;
  const act = (next: ReleaseAction): void =>
    onChange({ page, language: next === "trash" ? null : (language ?? contentLanguage.value), action: next });
  return (
    <div class="release-item">
      <a href={hrefOf(`pages/${page}?lang=${language ?? contentLanguage.value}`)}>{name}</a>
      <select
        aria-label={text("languageOf", { name })}
        value={language ?? ""}
        disabled={action === "trash"}
        onChange={({ currentTarget }) => onChange({ page, language: currentTarget.value, action })}
      >
        {action === "trash" && <option value="">{text("everyLanguageShort")}</option>}
        {languages.value.map(({ id, name: shown }) => (
          <option key={id} value={id}>
            {shown}
          </option>
        ))}
      </select>
      <select
        aria-label={text("actionOf", { name })}
        value={action}
        onChange={({ currentTarget }) => act(currentTarget.value as ReleaseAction)}
      >
        {ACTIONS.map((each) => (
          <option key={each} value={each}>
            {text(ACTION_NAMES[each])}
          </option>
        ))}
      </select>
      <span class="actions">
        {onPreview && (
          <button
            type="button"
            aria-label={text("previewItem", { name })}
            aria-pressed={isPreviewed}
            onClick={onPreview}
          >
            {text("previewRelease")}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          aria-label={text("removeFrom", { name })}
          title={text("removeFrom", { name })}
          onClick={onRemove}
        >
          ×
        </button>
      </span>
    </div>
  );
}

interface FindingsProps {
  readonly item: ReleaseItem;
  readonly check: ReleaseCheck | undefined;
  readonly refused: FieldErrors;
}

function Findings({ item, check, refused }: FindingsProps) {
  const isThis = (other: ReleaseItem): boolean => itemKey(other) === itemKey(item);
  const failed = check?.failed.find(isThis);
  const errors = { ...(failed && fieldErrors(failed.errors)), ...refused };
  // Overlaps name the item of the other release.
  const overlaps = check?.overlaps.filter(
    ({ page, language }) =>
      page === item.page && (language === null || item.language === null || language === item.language),
  );
  return (
    <>
      {Object.entries(errors).map(([path, messages]) => (
        <p key={path} class="error">
          {path === "" || path === "non_field_errors" ? "" : `${pathLabel(path.split("."))}: `}
          {messages.join(" ")}
        </p>
      ))}
      {check?.idle.some(isThis) && <p class="hint">{text("itemIdle")}</p>}
      {overlaps?.map(({ release, publish_at: at, fields }) => (
        <p key={release} class="hint">
          {text(at === null ? "itemOverlaps" : "itemOverlapsAt", {
            release,
            moment: at === null ? "" : showMoment(at),
            fields: fields.map((field) => pathLabel([field])).join(", "),
          })}
        </p>
      ))}
    </>
  );
}
