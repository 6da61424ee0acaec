/** A form for data with declared fields. */
import type { KindName } from "../../model/fields/definition.ts";
import { useCallback, useContext, useRef } from "preact/hooks";
import { isShown } from "../../model/fields/shown.ts";
import { text } from "../i18n.ts";
import { isList, isRecord, type Json, type Values } from "../json.ts";
import { languages } from "../site.ts";
import { TextLanguage } from "./text-language.ts";
import { ItemList } from "../ui/lists/item-list.tsx";
import { memo } from "../ui/memo.ts";
import { BlocksField } from "./blocks/blocks-field.tsx";
import type { Definitions, FieldDefinition } from "./definition.ts";
import { emptyData, withField } from "./empty-data.ts";
import type { FieldProps } from "./field.ts";
import { beginFields } from "./field-focus.ts";
import { FieldHelp, FieldMessages, Help, Messages } from "./field-messages.tsx";
import { FreeField } from "./kinds/free-data.tsx";
import { LinkField } from "./kinds/link-field.tsx";
import { ColorField, LocationField } from "./kinds/compound-fields.tsx";
import {
  DateField,
  FlagField,
  MomentField,
  NumberField,
  SelectField,
  TextField,
  TimeField,
} from "./kinds/plain-fields.tsx";
import { MediaField, ReferenceField, ReferencesField } from "./kinds/reference-fields.tsx";

interface DataFormProps {
  readonly definitions: Definitions;
  /** Absent: the fields are those of the record itself. */
  readonly path?: string;
  readonly data: Values;
  readonly onChange: (data: Values) => void;
}

const NONE: Definitions = [];

/** Keys of the data that are not declared stay as they are. */
export function DataForm({ definitions, path, data, onChange }: DataFormProps) {
  const latest = useRef({ definitions, data, onChange });
  latest.current = { definitions, data, onChange };
  const change = useCallback((name: string, value: Json) => {
    const { current } = latest;
    current.onChange(withField(current.definitions, current.data, name, value));
  }, []);
  const pathOf = ({ name }: FieldDefinition): string => (path === undefined ? name : `${path}.${name}`);
  const draw = (definition: FieldDefinition) => (
    <Member
      key={definition.name}
      definition={definition}
      path={pathOf(definition)}
      value={data[definition.name]}
      onChange={change}
    />
  );
  const messages = Object.keys(useContext(FieldMessages));
  // A hidden field is shown where its value is refused, to be mended.
  const isSeen = (definition: FieldDefinition): boolean => {
    const at = pathOf(definition);
    return isShown(definition, definitions, data) || messages.some((each) => each === at || each.startsWith(`${at}.`));
  };
  return (
    <>
      {gathered(definitions.filter(isSeen)).map(([first, ...rest]) =>
        first.group === undefined ? (
          draw(first)
        ) : (
          <fieldset key={`group ${first.group}`} class="gathered">
            <legend>{first.group}</legend>
            {[first, ...rest].map(draw)}
          </fieldset>
        ),
      )}
    </>
  );
}

type Gathered = [FieldDefinition, ...FieldDefinition[]];

/** Fields below the same heading together, where the first of them is. */
function gathered(definitions: Definitions): readonly Gathered[] {
  const rows = new Map<string, Gathered>();
  for (const definition of definitions) {
    const key = definition.group === undefined ? `field ${definition.name}` : `group ${definition.group}`;
    const row = rows.get(key);
    if (row) row.push(definition);
    else rows.set(key, [definition]);
  }
  return [...rows.values()];
}

interface MemberProps extends Omit<FieldProps, "onChange"> {
  /** The same for the life of the form, so that of all its fields only the one that is typed into is drawn again. */
  readonly onChange: (name: string, value: Json) => void;
}

const Member = memo(({ definition, path, value, onChange }: MemberProps) => (
  <DeclaredField {...{ definition, path, value }} onChange={(next) => onChange(definition.name, next)} />
));

/** The controls by kind; a kind of a plugin has none. */
const CONTROLS: { readonly [kind in KindName]: (props: FieldProps) => preact.JSX.Element } = {
  string: TextField,
  text: TextField,
  textarea: TextField,
  html: TextField,
  email: TextField,
  url: TextField,
  phone: TextField,
  integer: NumberField,
  number: NumberField,
  boolean: FlagField,
  date: DateField,
  datetime: MomentField,
  time: TimeField,
  color: ColorField,
  location: LocationField,
  select: SelectField,
  media: MediaField,
  ref: ReferenceField,
  queryset: ReferencesField,
  permalink: LinkField,
  group: GroupField,
  list: ListField,
  blocks: (props) => <BlocksField {...props} form={DataForm} />,
};

function DeclaredField(props: FieldProps) {
  const { definition, path, value, onChange } = props;
  const { help } = definition;
  if (help !== undefined) {
    const { help: _, ...untold } = definition;
    return (
      <FieldHelp.Provider value={{ path, help }}>
        <DeclaredField {...props} definition={untold} />
      </FieldHelp.Provider>
    );
  }
  if (definition.translated) return <TranslatedField {...props} />;
  const { kind = "string" } = definition;
  const Control = kind in CONTROLS ? CONTROLS[kind as KindName] : undefined;
  if (!Control) return <FreeField name={definition.label} path={path} value={value ?? null} onChange={onChange} />;
  return <Control {...props} />;
}

/** A language without a value has no entry. */
function withLanguage(values: Values, lang: string, value: Json): Values {
  const { [lang]: _, ...others } = values;
  return value === null ? others : { ...values, [lang]: value };
}

/** A value for each language. */
function TranslatedField({ definition, path, value, onChange }: FieldProps) {
  const { translated: _, ...own } = definition;
  const values = isRecord(value) ? value : {};
  return (
    <fieldset data-field={path}>
      <legend>{definition.label}</legend>
      <Help path={path} />
      {languages.value.map(({ id, name }) => (
        <TextLanguage.Provider key={id} value={id}>
          <DeclaredField
            definition={{ ...own, label: `${definition.label} (${name})` }}
            path={`${path}.${id}`}
            value={values[id]}
            onChange={(next: Json) => onChange(withLanguage(values, id, next))}
          />
        </TextLanguage.Provider>
      ))}
      <Messages path={path} />
    </fieldset>
  );
}

/** An optional group is absent until it is added, since its own fields may be required. */
function GroupField({ definition, path, value, onChange }: FieldProps) {
  const { label, required, children = [] } = definition;
  const isThere = required || isRecord(value);
  return (
    <fieldset data-field={path}>
      <legend>{label}</legend>
      <Help path={path} />
      {isThere && (
        <DataForm definitions={children} path={path} data={isRecord(value) ? value : {}} onChange={onChange} />
      )}
      {!required && (
        <button type="button" onClick={() => onChange(isThere ? null : emptyData(children))}>
          {text(isThere ? "removeGroup" : "addGroup", { name: label })}
        </button>
      )}
      <Messages path={path} />
    </fieldset>
  );
}

function ListField({ definition, path, value, onChange }: FieldProps) {
  const { label, children = NONE } = definition;
  const items = isList(value) ? value : [];
  const drawItem = useCallback(
    (item: Json, at: number, change: (item: Json) => void) => (
      <DataForm definitions={children} path={`${path}.${at}`} data={isRecord(item) ? item : {}} onChange={change} />
    ),
    [children, path],
  );
  return (
    <>
      <ItemList
        name={label}
        items={items}
        empty={(): Json => {
          const item = emptyData(children);
          beginFields(`${path}.${items.length}`, children, item);
          return item;
        }}
        onChange={onChange}
      >
        {drawItem}
      </ItemList>
      <Help path={path} />
      <Messages path={path} />
    </>
  );
}
