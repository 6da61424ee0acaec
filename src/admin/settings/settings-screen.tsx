/** The settings of the server, to read, and the hooks with their last deliveries. */
import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import type { Json } from "../json.ts";
import { route } from "../router.ts";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { RowCount, Table } from "../ui/lists/table.tsx";
import { Hooks } from "./hooks.tsx";
import { useLoaded } from "../ui/loaded.ts";

interface Setting {
  readonly setting: string;
  readonly value: Json;
  /** The file or variable that has it; null: the default. */
  readonly from: string | null;
  readonly help: string;
}

export const SettingsScreen = () => (
  <>
    <div class="heading">
      <ScreenTitle name={text("settings")} />
    </div>
    <Hooks />
    <Settings />
  </>
);

function Settings() {
  const all = useLoaded(() => get<readonly Setting[]>("settings/")) ?? [];
  const [search, setSearch] = useState(route.value.query.get("search") ?? "");
  const [isSetOnly, setSetOnly] = useState(false);
  const wanted = search.trim().toLowerCase();
  const shown = all.filter(
    ({ setting, help, from }) => (!isSetOnly || from !== null) && `${setting} ${help}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-label={text("settingsInEffect")}>
      <h2>{text("settingsInEffect")}</h2>
      <p class="hint">{text("settingsHint")}</p>
      <div class="filters" role="search">
        <input
          type="search"
          defaultValue={search}
          aria-label={text("searchSettings")}
          placeholder={text("searchSettings")}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <label class="flag">
          <input
            type="checkbox"
            checked={isSetOnly}
            onChange={({ currentTarget }) => setSetOnly(currentTarget.checked)}
          />
          {text("changedSettings")}
        </label>
      </div>
      <Table
        class="settings"
        columns={[
          {
            name: text("setting"),
            show: ({ setting, help }) => (
              <>
                <strong class="code">{setting}</strong>
                <span class="address" lang="en">
                  {help}
                </span>
              </>
            ),
          },
          {
            name: text("value"),
            show: ({ value }) => <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          },
          { name: text("cameFrom"), show: ({ from }) => from ?? <span class="none">{text("isDefault")}</span> },
        ]}
        rows={shown}
        keyOf={({ setting }) => setting}
      />
      <RowCount count={shown.length} />
    </section>
  );
}
