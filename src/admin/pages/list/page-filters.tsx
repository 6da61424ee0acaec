/** What narrows the list of pages; it is in the address, so that going back shows the same list. */
import { useEffect, useState } from "preact/hooks";
import { get } from "../../api.ts";
import { text } from "../../i18n.ts";
import { go, goWith, route } from "../../router.ts";
import { contentLanguage } from "../../site.ts";
import { SearchField } from "../../ui/search-field.tsx";
import type { Status } from "../page-record.ts";
import { pageModels, pageTemplates } from "../page-models.ts";
import { templateName } from "../settings/template-name.ts";

const STATUSES: readonly Status[] = ["PUB", "DRF", "PLA", "TRS"];
const FILTERS = ["search", "status", "model", "template", "mine", "sort"];

/** Whether the address narrows or sorts the pages, which then are no tree. */
export const isNarrowed = (): boolean =>
  route.value.query.get("as") === "list" || FILTERS.some((name) => route.value.query.get(name));

/** @param mine the pages into which the account typed something that is not saved */
export function listQuery(mine: readonly number[]): string {
  const { query } = route.value;
  const wanted = new URLSearchParams({ language: contentLanguage.value });
  const [search, sort] = [query.get("search"), query.get("sort")];
  if (search) wanted.set("search", search);
  if (sort) wanted.set("sort", sort);
  const status = query.get("status");
  wanted.append("fltr", status ? `status=${status}` : "alive=true");
  if (query.get("model")) wanted.append("fltr", `model='${query.get("model")}'`);
  if (query.get("template")) wanted.append("fltr", `template='${query.get("template")}'`);
  if (query.get("mine")) wanted.append("fltr", `id__in=[${mine.length > 0 ? mine : 0}]`);
  return wanted.toString();
}

/** The ids of the pages into which the account typed something that is not saved; undefined until they are known. */
export function useMine(isAsked: boolean): readonly number[] | undefined {
  const [mine, setMine] = useState<readonly number[] | undefined>(undefined);
  useEffect(() => {
    if (!isAsked) return;
    get<readonly { page: number }[]>("autosaves/").then(
      (all) => setMine([...new Set(all.map(({ page }) => page))]),
      () => setMine([]),
    );
  }, [isAsked]);
  return mine;
}

export function PageFilters() {
  const { query } = route.value;
  const [models, setModels] = useState<readonly string[]>([]);
  const [templates, setTemplates] = useState<readonly string[]>([]);
  useEffect(() => {
    pageModels().then(
      (all) => setModels(all.map(({ name }) => name)),
      () => undefined,
    );
    void pageTemplates("pages").then(setTemplates);
  }, []);
  return (
    <div class="filters" role="search">
      <SearchField
        label={text("searchPages")}
        initial={query.get("search") ?? ""}
        onSearch={(value) => goWith({ search: value })}
      />
      <Choice
        name="status"
        any={text("anyStatus")}
        label={text("status")}
        values={STATUSES}
        shown={(each) => text(each as Status)}
      />
      {models.length > 0 && (
        <Choice name="model" any={text("anyModel")} label={text("model")} values={["page", ...models]} />
      )}
      {templates.length > 1 && (
        <Choice
          name="template"
          any={text("anyTemplate")}
          label={text("template")}
          values={templates}
          shown={(each) => templateName(each, templates)}
        />
      )}
      <label class="flag">
        <input
          type="checkbox"
          checked={query.get("mine") !== null}
          onChange={({ currentTarget }) => goWith({ mine: currentTarget.checked ? "1" : "" })}
        />
        {text("unsavedTexts")}
      </label>
      <div class="tabs" role="group" aria-label={text("shownAs")}>
        <button aria-pressed={!isNarrowed()} onClick={() => go(`pages?lang=${contentLanguage.value}`)}>
          {text("tree")}
        </button>
        <button aria-pressed={isNarrowed()} onClick={() => goWith({ as: "list" })}>
          {text("list")}
        </button>
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly any: string;
  readonly values: readonly string[];
  readonly shown?: (value: string) => string;
}

const Choice = ({ name, label, any, values, shown = (value) => value }: ChoiceProps) => (
  <select
    aria-label={label}
    value={route.value.query.get(name) ?? ""}
    onChange={({ currentTarget: { value } }) => goWith({ [name]: value })}
  >
    <option value="">{any}</option>
    {values.map((value) => (
      <option key={value} value={value}>
        {shown(value)}
      </option>
    ))}
  </select>
);
