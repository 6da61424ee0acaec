/** What `nuxt-composables.ts` uses of Nuxt, which is not installed here. */
declare module "#imports" {
  export interface Ref<T> {
    value: T;
  }
  export function createError(error: { statusCode: number; message: string; fatal?: boolean }): Error;
  export function navigateTo(to: string, options: { redirectCode: number; replace: boolean }): Promise<unknown>;
  export function useAsyncData<T>(
    key: string,
    call: () => Promise<T>,
  ): Promise<{ data: Ref<T | null>; error: Ref<{ statusCode?: number; message: string } | null> }>;
  export function useRequestURL(): URL;
  export function useRoute(): { readonly path: string; readonly fullPath: string };
  export function useRuntimeConfig(): {
    /** Only on the server. */
    readonly cms?: { readonly file: string };
    readonly public: { readonly cms: { readonly url: string } };
  };
}

interface ImportMeta {
  /** True in the program by which `nuxt generate` renders the pages. */
  readonly prerender?: boolean;
}
