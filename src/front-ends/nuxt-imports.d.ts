/** What `nuxt-composables.ts` uses of Nuxt, which is not installed here. */
declare module "#imports" {
  export interface Ref<T> {
    value: T;
  }
  export function createError(error: { statusCode: number; message: string; fatal?: boolean }): Error;
  export function navigateTo(to: string, options: { redirectCode: number; replace: boolean }): Promise<unknown>;
  interface Asked<T> {
    readonly data: Ref<T | null>;
    readonly error: Ref<{ statusCode?: number; message: string } | null>;
  }
  export function useAsyncData<T>(key: string, call: () => Promise<T>): Asked<T> & Promise<Asked<T>>;
  export function onScopeDispose(call: () => void): void;
  export function onNuxtReady(call: () => void): void;
  export function useRequestURL(): URL;
  export function useRoute(): { readonly path: string; readonly fullPath: string };
  export function useRuntimeConfig(): {
    /** Only on the server. */
    readonly cms: { readonly file: string };
    readonly public: { readonly cms: { readonly url: string } };
  };
}

interface ImportMeta {
  /** True in the program by which `nuxt generate` renders the pages. */
  readonly prerender?: boolean;
  /** True in browsers. */
  readonly client?: boolean;
}
