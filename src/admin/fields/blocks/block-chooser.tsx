/** The kinds of sections to choose from, by category. */
import { useState } from "preact/hooks";
import { text } from "../../i18n.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { BlockType } from "./block-types.ts";

interface ChooserProps {
  readonly types: readonly BlockType[];
  readonly onChoose: (type: BlockType) => void;
  /** Absent: there is nothing to paste here. */
  readonly onPaste?: () => void;
  readonly onClose: () => void;
}

export function BlockChooser({ types, onChoose, onPaste, onClose }: ChooserProps) {
  const [search, setSearch] = useState("");
  const found = foundTypes(types, search);
  const chooseFirst = (value: string): void => {
    const [first] = foundTypes(types, value);
    if (first && value.trim() !== "") onChoose(first);
  };
  const categories = [...new Set(found.map(({ category }) => category))];
  return (
    <Dialog title={text("chooseSection")} onClose={onClose} isWide>
      <SearchField label={text("search")} autofocus onSearch={setSearch} onEnter={chooseFirst} />
      {categories.map((category) => (
        <section key={category} class="block-category">
          {(category !== "" || categories.length > 1) && <h3>{category || text("otherSections")}</h3>}
          <ul class="block-choices">
            {found
              .filter((type) => type.category === category)
              .map((type) => (
                <li key={type.name}>
                  <button type="button" onClick={() => onChoose(type)}>
                    {type.preview_url === "" ? (
                      <Icon name={type.icon} />
                    ) : (
                      <img src={type.preview_url} alt="" loading="lazy" />
                    )}
                    <strong>{type.label}</strong>
                    {type.description !== "" && <small>{type.description}</small>}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
      {found.length === 0 && <p class="none">{text("nothingFound")}</p>}
      <div class="actions">
        {onPaste && (
          <button type="button" onClick={onPaste}>
            {text("pasteSection")}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {text("cancel")}
        </button>
      </div>
    </Dialog>
  );
}

/** The types that have all words; those whose label begins with them come first. */
function foundTypes(types: readonly BlockType[], search: string): readonly BlockType[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = types.filter(({ name, label, description, category }) => {
    const all = `${name} ${label} ${description} ${category}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const isNamed = ({ label }: BlockType): boolean => label.toLowerCase().startsWith(search.trim().toLowerCase());
  return search.trim() === "" ? found : [...found.filter(isNamed), ...found.filter((type) => !isNamed(type))];
}
