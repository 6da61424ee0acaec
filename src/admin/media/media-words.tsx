/** The alternative text of a picture that was chosen somewhere, in a dialog. */
import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { text } from "../i18n.ts";
import { MEDIA_MODEL, remember } from "../records/known-records.ts";
import { contentLanguage } from "../site.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useLoaded } from "../ui/loaded.ts";
import type { MediaItem } from "./media-item.ts";
import { MediaTexts } from "./media-texts.tsx";

interface MediaWordsProps {
  readonly id: number;
  /** The label of the field that has the picture. */
  readonly name: string;
  readonly isMissing: boolean;
}

export function MediaWords({ id, name, isMissing }: MediaWordsProps) {
  const [isOpen, setOpen] = useState(false);
  const words = text(isMissing ? "altTextMissing" : "altText");
  return (
    <>
      <button
        type="button"
        class={isMissing ? "missing" : undefined}
        aria-label={`${words}: ${name}`}
        onClick={() => setOpen(true)}
      >
        {words}
      </button>
      {isOpen && <WordsDialog id={id} onClose={() => setOpen(false)} />}
    </>
  );
}

function WordsDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const item = useLoaded(() => get<MediaItem>(`media/${id}/?language=${contentLanguage.value}`));
  return (
    <Dialog title={text("altText")} onClose={onClose}>
      <p class="hint">{text("altHint")}</p>
      {item && (
        <MediaTexts
          item={item}
          fields={["alt_text"]}
          onSaved={(saved) => {
            const { alt_text: words = null } = saved.translations[contentLanguage.value] ?? {};
            remember(MEDIA_MODEL, { ...saved, alt_text: words });
            onClose();
          }}
        />
      )}
      <button type="button" onClick={onClose}>
        {text("cancel")}
      </button>
    </Dialog>
  );
}
