/** `import()`, in a module that Node loads itself: V8 refuses it in code compiled at an earlier start (bin/load.cjs). */

/** @param specifier a package, or the URL of a file */
export const importModule = <T>(specifier: string): Promise<T> => import(specifier) as Promise<T>;
