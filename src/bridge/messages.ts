/** What a page in a frame of the editor and the editor tell each other. */

/** A page as previews answer it. `paths` has the kind of each field by its path. */
export interface PreviewedPage {
  readonly [field: string]: unknown;
  readonly paths?: { readonly [path: string]: string };
}

export interface ShownWords {
  readonly text: string;
  readonly at: number;
  /** How much is selected from there, in characters; absent: nothing is. */
  readonly length?: number;
}

/** From the page. A field is named by its path: names and indexes joined by dots. */
export type PageMessage =
  | { readonly type: "cms:ready"; readonly path: string }
  /**
   * @property typed whether its text is typed where it stands, so that the form must not take the focus
   * @property words the shown text, and the place in it that was clicked
   */
  | { readonly type: "cms:focus"; readonly field: string; readonly typed: boolean; readonly words?: ShownWords }
  | { readonly type: "cms:input"; readonly field: string; readonly value: string };

/** From the editor. */
export type EditorMessage =
  | { readonly type: "cms:payload"; readonly page: PreviewedPage }
  /** @property key by which the server of the page reads the values that are not saved */
  | { readonly type: "cms:refresh"; readonly key: string }
  /** @property field the section at work; absent: none */
  | { readonly type: "cms:outline"; readonly field?: string };

/** In the storage of a browser in which the editor has shown the site. */
export const SEEN = "git-cms.editor";

/** Where the service has the bar of editors. */
export const barPath = "/api/cms/bridge-bar.html";
