/** The content types of the site. */
import { showDay, text } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { RecordList } from "../records/record-list.tsx";
import { isList } from "../json.ts";
import { may } from "../session.ts";

export function TypeList() {
  return (
    <RecordList
      title={text("types")}
      add={may("add_metatype") && ["types/new", text("newType")]}
      path="meta-types"
      searchLabel={text("searchTypes")}
      screenOf={({ id }) => `types/${String(id)}/instances`}
      columns={[
        { name: text("name"), show: ({ name }) => String(name) },
        { name: text("key"), show: ({ key }) => String(key) },
        { name: text("fields"), show: ({ schema }) => (isList(schema) ? schema.length : 0) },
        { name: text("changed"), show: ({ updated_at: at }) => showDay(String(at)) },
        {
          name: text("type"),
          show: ({ id, name }) =>
            may("change_metatype") && (
              <a href={hrefOf(`types/${String(id)}`)} aria-label={`${text("editFields")}: ${String(name)}`}>
                {text("editFields")}
              </a>
            ),
        },
      ]}
    />
  );
}
