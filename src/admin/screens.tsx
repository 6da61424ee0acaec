/** The screen of each address; most are loaded when they are shown first. */
import { Fragment, type VNode } from "preact";
import { matchAddress, type Address } from "./addresses.ts";
import { PageHistory } from "./history/page-history.tsx";
import { Home } from "./home/home.tsx";
import { MediaScreen } from "./media/media-screen.tsx";
import { MenuScreen } from "./menus/menu-screen.tsx";
import { PageEditor } from "./pages/page-editor.tsx";
import { PageList } from "./pages/page-list.tsx";
import { contentLanguage } from "./site.ts";
import { lazy } from "./ui/lazy.tsx";

const ArticleList = lazy(async () => (await import("./articles/article-list.tsx")).ArticleList);
const TagList = lazy(async () => (await import("./articles/tags.tsx")).TagList);
const TagScreen = lazy(async () => (await import("./articles/tags.tsx")).TagScreen);
const BlockList = lazy(async () => (await import("./structure/blocks.tsx")).BlockList);
const BlockScreen = lazy(async () => (await import("./structure/blocks.tsx")).BlockScreen);
const Redirects = lazy(async () => (await import("./structure/redirects.tsx")).Redirects);
const SettingsScreen = lazy(async () => (await import("./settings/settings-screen.tsx")).SettingsScreen);
const AccountList = lazy(async () => (await import("./accounts/account-list.tsx")).AccountList);
const AccountScreen = lazy(async () => (await import("./accounts/account-screen.tsx")).AccountScreen);
const ProfileScreen = lazy(async () => (await import("./profile/profile-screen.tsx")).ProfileScreen);
const ReleaseList = lazy(async () => (await import("./releases/release-list.tsx")).ReleaseList);
const ReleaseScreen = lazy(async () => (await import("./releases/release-screen.tsx")).ReleaseScreen);
const TypeList = lazy(async () => (await import("./meta/type-list.tsx")).TypeList);
const TypeScreen = lazy(async () => (await import("./meta/type-screen.tsx")).TypeScreen);
const SectionTypeList = lazy(async () => (await import("./meta/section-types.tsx")).SectionTypeList);
const SectionTypeScreen = lazy(async () => (await import("./meta/section-types.tsx")).SectionTypeScreen);
const InstanceList = lazy(async () => (await import("./meta/instance-list.tsx")).InstanceList);
const InstanceScreen = lazy(async () => (await import("./meta/instance-screen.tsx")).InstanceScreen);

type ShowScreen = (ids: readonly string[]) => VNode;

const SCREENS: Readonly<Record<Address, ShowScreen>> = {
  "": () => <Home />,
  pages: () => <PageList />,
  "pages/:id": ([id]) => <PageEditor key={contentLanguage.value} id={Number(id)} />,
  "pages/:id/history": ([id]) => <PageHistory id={Number(id)} />,
  articles: () => <ArticleList />,
  "articles/:id": ([id]) => <PageEditor key={contentLanguage.value} id={Number(id)} collection="articles" />,
  "articles/:id/history": ([id]) => <PageHistory id={Number(id)} collection="articles" />,
  releases: () => <ReleaseList />,
  "releases/_new": () => <ReleaseScreen name={undefined} />,
  "releases/:key": ([name]) => <ReleaseScreen name={name} />,
  tags: () => <TagList />,
  "tags/new": () => <TagScreen id={undefined} />,
  "tags/:id": ([id]) => <TagScreen id={Number(id)} />,
  media: () => <MediaScreen />,
  menus: () => <MenuScreen name={undefined} />,
  "menus/:key": ([name]) => <MenuScreen name={name} />,
  blocks: () => <BlockList />,
  "blocks/new": () => <BlockScreen id={undefined} />,
  "blocks/:id": ([id]) => <BlockScreen id={Number(id)} />,
  types: () => <TypeList />,
  "types/new": () => <TypeScreen id={undefined} />,
  "types/:id": ([id]) => <TypeScreen id={Number(id)} />,
  "types/:id/instances": ([id]) => <InstanceList type={Number(id)} />,
  "types/:id/instances/new": ([type]) => <InstanceScreen type={Number(type)} id={undefined} />,
  "types/:id/instances/:id": ([type, id]) => <InstanceScreen type={Number(type)} id={Number(id)} />,
  "section-types": () => <SectionTypeList />,
  "section-types/_new": () => <SectionTypeScreen name={undefined} />,
  "section-types/:key": ([name]) => <SectionTypeScreen name={name} />,
  redirects: () => <Redirects />,
  accounts: () => <AccountList />,
  "accounts/new": () => <AccountScreen id={undefined} />,
  "accounts/:id": ([id]) => <AccountScreen id={Number(id)} />,
  settings: () => <SettingsScreen />,
  profile: () => <ProfileScreen />,
};

/** @returns undefined for an address without a screen */
export function screenAt(segments: readonly string[]): VNode | undefined {
  const match = matchAddress(segments);
  if (!match) return undefined;
  // Another key for each address: nothing of one record is left when the next is opened. The menus are one screen.
  const key = segments[0] === "menus" ? "menus" : segments.join("/");
  return <Fragment key={key}>{SCREENS[match.address](match.ids)}</Fragment>;
}
