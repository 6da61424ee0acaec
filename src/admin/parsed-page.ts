/** HTML of the server as a document. Scripts in it never run. */

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

/** The Content-Security-Policy allows this name alone; browsers without Trusted Types need no policy. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("git-cms-preview", {
  createHTML: (text) => text,
});

export const parsedPage = (html: string): Document =>
  new DOMParser().parseFromString(policy?.createHTML(html) ?? html, "text/html");
