/** A template as editors call it, such as "Contact us" for `pages/contact-us.html`; its path where others are called the same. */
export function templateName(path: string, all: readonly string[]): string {
  const fileOf = (each: string): string => each.slice(each.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
  const name = fileOf(path).replaceAll(/[-_]/g, " ");
  const isOnly = all.filter((each) => fileOf(each) === fileOf(path)).length < 2;
  return isOnly ? name.charAt(0).toUpperCase() + name.slice(1) : path;
}
