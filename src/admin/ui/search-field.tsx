/** A search field. */
import { useRef } from "preact/hooks";

/** In milliseconds: a pause in typing after which the list follows. */
const TYPING_PAUSE = 120;

interface SearchFieldProps {
  readonly label: string;
  readonly initial?: string;
  readonly autofocus?: boolean;
  /** Called after a pause in typing. */
  readonly onSearch: (value: string) => void;
  /** Called by Enter, also before the pause, which ends by it. */
  readonly onEnter?: (value: string) => void;
}

export function SearchField({ label, initial = "", autofocus = false, onSearch, onEnter }: SearchFieldProps) {
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  return (
    <input
      type="search"
      autofocus={autofocus}
      aria-label={label}
      placeholder={label}
      defaultValue={initial}
      // What is typed takes the place of what a dialog begins with.
      onFocus={({ currentTarget }) => autofocus && currentTarget.select()}
      onInput={({ currentTarget: { value } }) => {
        clearTimeout(typing.current);
        typing.current = setTimeout(() => onSearch(value), TYPING_PAUSE);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.isComposing || !onEnter) return;
        event.preventDefault();
        clearTimeout(typing.current);
        onEnter(event.currentTarget.value);
      }}
    />
  );
}
