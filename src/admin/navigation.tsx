/** The sections of the editor, and which of them an account can do anything in. */
import { useEffect, useState } from "preact/hooks";
import { text } from "./i18n.ts";
import { Profile } from "./profile/profile.tsx";
import { hrefOf, route } from "./router.ts";
import { isStaff, isSuperuser, mayAny, mayEdit } from "./session.ts";
import type { TextKey } from "./texts/en.ts";
import { Dialog } from "./ui/dialog.tsx";
import { DropMenu } from "./ui/drop-menu.tsx";
import { Icon } from "./ui/icon.tsx";
import { isNarrow } from "./ui/viewport.ts";

interface Section {
  /** The first segment of the addresses of its screens; empty for the first screen. */
  readonly path: string;
  readonly name: TextKey;
  readonly icon: string;
  readonly isShown: () => boolean;
}

interface Group {
  readonly name: TextKey;
  readonly icon: string;
  readonly sections: readonly Section[];
}

const GROUPS: readonly Group[] = [
  { name: "home", icon: "home", sections: [{ path: "", name: "home", icon: "home", isShown: () => true }] },
  {
    name: "content",
    icon: "page",
    sections: [
      // A page is shown with its preview, which the API has for staff.
      { path: "pages", name: "pages", icon: "page", isShown: () => isStaff() && mayAny("page") },
      { path: "articles", name: "articles", icon: "text", isShown: () => isStaff() && mayAny("article") },
      { path: "releases", name: "releases", icon: "calendar", isShown: () => isStaff() && mayAny("page", "article") },
      { path: "tags", name: "tags", icon: "tag", isShown: () => mayAny("tag") },
      { path: "menus", name: "menus", icon: "list", isShown: () => mayAny("menu") },
      { path: "blocks", name: "blocks", icon: "block", isShown: () => mayAny("content") },
    ],
  },
  {
    name: "media",
    icon: "image",
    sections: [{ path: "media", name: "media", icon: "image", isShown: () => mayAny("media", "mediafolder") }],
  },
  {
    name: "structure",
    icon: "parts",
    sections: [
      { path: "types", name: "types", icon: "form", isShown: () => isStaff() && mayAny("metatype", "metainstance") },
      { path: "section-types", name: "sectionTypes", icon: "columns", isShown: isSuperuser },
      { path: "redirects", name: "redirects", icon: "arrow", isShown: () => mayEdit("pages") },
    ],
  },
  {
    name: "administration",
    icon: "gear",
    sections: [
      { path: "accounts", name: "accounts", icon: "people", isShown: () => mayAny("user") },
      { path: "settings", name: "settings", icon: "gear", isShown: isSuperuser },
    ],
  },
];

const SECTIONS = GROUPS.flatMap(({ sections }) => sections);

/** Whether the account can do anything on a screen; addresses can be typed. @param path its first segment */
export const maySee = (path: string): boolean => SECTIONS.find((section) => section.path === path)?.isShown() ?? true;

/** The sections that the account can do anything in. */
export const shownSections = (): readonly Section[] => SECTIONS.filter(({ isShown }) => isShown());

const shownGroups = (): readonly Group[] =>
  GROUPS.map((group) => ({ ...group, sections: group.sections.filter(({ isShown }) => isShown()) })).filter(
    ({ sections }) => sections.length > 0,
  );

const currentPath = (): string => route.value.segments[0] ?? "";

const SectionLink = ({ section: { path, name, icon } }: { section: Section }) => (
  <a href={hrefOf(path)} aria-current={currentPath() === path ? "page" : undefined}>
    <Icon name={icon} />
    {text(name)}
  </a>
);

/** On one line, with a menu for each group of several sections. */
export const Navigation = () => (
  <nav aria-label={text("mainNavigation")}>
    {shownGroups().map(({ name, icon, sections }) => {
      const [only, second] = sections;
      if (!second) return <SectionLink key={name} section={only!} />;
      return (
        <DropMenu
          key={name}
          name={text(name)}
          icon={icon}
          isCurrent={sections.some(({ path }) => path === currentPath())}
        >
          {sections.map((section) => (
            <SectionLink key={section.path} section={section} />
          ))}
        </DropMenu>
      );
    })}
  </nav>
);

/** All of it in a drawer, with the account. */
export function NavigationDrawer() {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  useEffect(close, [route.value, isNarrow.value]);
  return (
    <>
      <button class="quiet sign" aria-label={text("menu")} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="menu" />
      </button>
      {isOpen && (
        <Dialog title={text("menu")} look="drawer" onClose={close}>
          <nav aria-label={text("mainNavigation")} onClick={close}>
            {shownGroups().map(({ name, sections }) => (
              <div key={name}>
                {sections.length > 1 && <h3>{text(name)}</h3>}
                {sections.map((section) => (
                  <SectionLink key={section.path} section={section} />
                ))}
              </div>
            ))}
          </nav>
          <Profile />
          <button onClick={close}>{text("close")}</button>
        </Dialog>
      )}
    </>
  );
}
