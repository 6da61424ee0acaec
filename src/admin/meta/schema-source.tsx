/** The fields of a type as YAML, with completion, and messages at their lines. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { get, type FieldErrors } from "../api.ts";
import { text } from "../i18n.ts";
import { isSame, type Json } from "../json.ts";
import { loadPart } from "../ui/load-part.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { sentDefinitions, type Choice } from "./field-settings.ts";
import type { JsonSchema } from "./schema-completion.ts";
import type { ReadYaml } from "./schema-yaml.ts";
import type { YamlEditor } from "./yaml-editor.ts";

interface SchemaSourceProps {
  readonly fields: Json | undefined;
  readonly models: readonly Choice[];
  readonly errors: FieldErrors;
  readonly onChange: (fields: readonly Json[]) => void;
  /** Called with whether the text is a list, as far as YAML goes. */
  readonly onRead: (isList: boolean) => void;
}

type Parts = typeof import("./schema-yaml.ts");

interface Loaded {
  readonly editor: YamlEditor;
  readonly parts: Parts;
}

/** The schemas of the API's own description. */
let components: Promise<Readonly<Record<string, JsonSchema>>> | undefined;

async function loadComponents(): Promise<Readonly<Record<string, JsonSchema>>> {
  components ??= get<{ components: { schemas: Readonly<Record<string, JsonSchema>> } }>("openapi.json").then(
    (described) => described.components.schemas,
  );
  return components.catch((error: unknown) => {
    components = undefined;
    throw error;
  });
}

export function SchemaSource({ fields, models, errors, onChange, onRead }: SchemaSourceProps) {
  const host = useRef<HTMLDivElement>(null);
  const [loaded, setLoaded] = useState<Loaded | undefined>(undefined);
  const [read, setRead] = useState<ReadYaml>({ fields: undefined, findings: [] });
  const typed = useRef("");
  const latest = useRef({ fields, onChange, onRead });
  latest.current = { fields, onChange, onRead };
  useEffect(() => {
    let opened: YamlEditor | undefined;
    let isGone = false;
    const editorParts = loadPart(() => Promise.all([import("./schema-yaml.ts"), import("./yaml-editor.ts")]));
    void Promise.all([editorParts, loadComponents()]).then(([[parts, { openYamlEditor }], schemas]) => {
      if (isGone) return;
      typed.current = parts.yamlOf(sentDefinitions(latest.current.fields));
      opened = openYamlEditor(host.current!, {
        label: text("fieldsAsYaml"),
        text: typed.current,
        isReadOnly: host.current!.closest("fieldset:disabled") !== null,
        schema: {
          items: { $ref: "#/components/schemas/FieldDefinitionInput" },
          resolve: (ref) => schemas[ref.replace("#/components/schemas/", "")],
        },
        values: {
          target_model: models.map(({ value, label }) => ({ label: value, insert: value, description: label })),
        },
        onTyped(source) {
          typed.current = source;
          const next = parts.readYaml(source, text("yamlNotList"));
          setRead(next);
          latest.current.onRead(next.fields !== undefined);
          if (next.fields) latest.current.onChange(next.fields);
        },
      });
      setLoaded({ editor: opened, parts });
    }, notifyFailure);
    return () => {
      isGone = true;
      latest.current.onRead(true);
      opened?.close();
    };
  }, []);
  // Discarded, or saved by another editor: what was typed here stays while it means the same.
  useLayoutEffect(() => {
    if (!loaded || read.findings.length > 0) return;
    const meant = loaded.parts.readYaml(typed.current, "").fields;
    if (isSame(meant, fields ?? []) || isSame(meant, sentDefinitions(fields))) return;
    typed.current = loaded.parts.yamlOf(sentDefinitions(fields));
    loaded.editor.show(typed.current);
  }, [loaded, fields]);
  const findings = loaded
    ? [...read.findings, ...loaded.parts.placeErrors(typed.current, read.findings.length > 0 ? {} : errors, "schema")]
    : [];
  const key = JSON.stringify(findings);
  useEffect(() => loaded?.editor.mark(findings), [loaded, key]);
  return (
    <div class="field">
      <p class="hint">{text("yamlHint")}</p>
      <div ref={host} class="markdown source-text" />
      <div class="findings" role="alert">
        {findings.map(({ line, message }) => (
          <p key={`${line} ${message}`}>
            {text("atLine", { line })}: {message}
          </p>
        ))}
      </div>
    </div>
  );
}
