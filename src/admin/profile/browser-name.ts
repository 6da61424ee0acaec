/** The names in what a browser calls itself, the more special ones first: Edge says that it is Chrome, too. */
const BROWSERS = [/\b(Edg|OPR|Firefox)\//, /(Chrome)\//, /\b(Safari)\//];
const SYSTEMS = [/\b(Android|iPhone|iPad)\b/, /\b(Windows|Mac OS X|CrOS|Linux)\b/];
const SHOWN: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera", "Mac OS X": "macOS", CrOS: "ChromeOS" };

/** Browser and system, such as `Firefox, Linux`; "" where neither is known. */
export function browserName(agent: string): string {
  const firstOf = (patterns: readonly RegExp[]): string[] => {
    const found = patterns.map((pattern) => pattern.exec(agent)?.[1]).find((name) => name !== undefined);
    return found === undefined ? [] : [SHOWN[found] ?? found];
  };
  return [...firstOf(BROWSERS), ...firstOf(SYSTEMS)].join(", ");
}
