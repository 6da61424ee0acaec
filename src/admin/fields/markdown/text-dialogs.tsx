/** What is chosen for a text: where a link leads, which picture is shown, and its words. */
import { useState } from "preact/hooks";
import type { MarkdownPicture } from "../../../model/text/markdown-links.ts";
import { onSite } from "../../api.ts";
import { text } from "../../i18n.ts";
import { contentLanguage } from "../../site.ts";
import { MediaPicker } from "../../media/media-picker.tsx";
import { LINK_TARGET } from "../../records/known-records.ts";
import { RecordPicker } from "../../records/record-picker.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Labelled } from "../field-messages.tsx";
import { addressesOf } from "./link-addresses.ts";
import type { LinkAddress } from "./markdown-format.ts";
import type { TextHeading } from "./written-form.ts";

interface LinkDialogProps {
  readonly headings: readonly TextHeading[];
  /** The selected words. */
  readonly words: string;
  /** The address of the link at the caret, which can be taken away. */
  readonly present: string | undefined;
  readonly onClose: () => void;
  /** Called with nothing to take the link away. */
  readonly onChoose: (link?: LinkAddress) => void;
}

/** One search for pages, addresses, and headings of the text. */
export const LinkDialog = ({ headings, words, present, onClose, onChoose }: LinkDialogProps) => (
  <RecordPicker
    model={LINK_TARGET}
    title={text("linkTo")}
    hint={text("linkHint")}
    initial={present === undefined ? words : ""}
    onClose={onClose}
    onChoose={([page]) => page && onChoose({ address: page.address, name: page.name })}
    others={(typed) =>
      addressesOf(typed, headings).map((link) => (
        <li key={link.address}>
          <button type="button" onClick={() => onChoose(link)}>
            <strong>{link.name}</strong> <span class="address">{link.address}</span>
          </button>
        </li>
      ))
    }
    actions={
      present !== undefined && (
        <button type="button" class="danger" title={present} onClick={() => onChoose()}>
          {text("removeLink")}
        </button>
      )
    }
  />
);

interface PictureDialogProps {
  /** The picture at the caret; absent: another one is put there. */
  readonly picture: MarkdownPicture | undefined;
  readonly onClose: () => void;
  readonly onChoose: (picture: MarkdownPicture) => void;
}

/** A picture of the library stands in the text at once; a click on it there asks for its words in this text. */
export function PictureDialog({ picture: initial, onClose, onChoose }: PictureDialogProps) {
  const [picture, setPicture] = useState(initial);
  const [isChoosing, setChoosing] = useState(!initial);
  if (isChoosing || !picture)
    return (
      <MediaPicker
        title={text("picture")}
        isPicture
        onClose={onClose}
        onChoose={({ file, translations }) => {
          const alt = translations[contentLanguage.value]?.alt_text ?? "";
          const chosen = { address: onSite(file), alt, caption: picture?.caption ?? "" };
          if (!initial) return onChoose(chosen);
          setPicture(chosen);
          setChoosing(false);
        }}
      />
    );
  return (
    <FormDialog
      title={text("picture")}
      verb={text("applyChanges")}
      onClose={onClose}
      onSubmit={(form) =>
        onChoose({ address: picture.address, alt: wordsOf(form.get("alt")), caption: wordsOf(form.get("caption")) })
      }
      others={
        <button type="button" onClick={() => setChoosing(true)}>
          {text("chooseOther")}
        </button>
      }
    >
      <img class="chosen-picture" src={picture.address} alt="" />
      <Labelled path="alt" label={text("altText")} hint={text("altHint")}>
        {(control) => <textarea {...control} name="alt" rows={2} defaultValue={picture.alt} />}
      </Labelled>
      <Labelled path="caption" label={text("caption")} hint={text("captionHint")}>
        {(control) => <input {...control} name="caption" defaultValue={picture.caption} />}
      </Labelled>
    </FormDialog>
  );
}

/** Line breaks would end the Markdown of a picture. */
const wordsOf = (value: FormDataEntryValue | null): string =>
  String(value ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();
