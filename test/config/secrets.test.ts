import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { HIDDEN_VALUE, readSecret, secretSource, type SecretSource } from "../../src/config/secrets.ts";
import { messageOf } from "../../src/errors.ts";

describe("secretSource", () => {
  it.each(["env:CMS_HOOK_SECRET", "env:_a1", "file:/run/secrets/hook", "file:../hook secret.txt"])(
    "takes %s",
    (text) => {
      expect(secretSource(text, "A.SECRET", () => undefined)).toBe(text);
    },
  );

  it.each(["hunter2", "env:", "env:1A", "env:A B", "env:A=hunter2", "file:", "file:a\nb", "ENV:A", 12, null, {}])(
    "refuses %j without showing it",
    (value) => {
      const reported: unknown[] = [];
      const refused = secretSource(value, "A.SECRET", (...args) => void reported.push(...args));
      expect(refused).toBeUndefined();
      expect(reported).toEqual(["A.SECRET", HIDDEN_VALUE, expect.stringContaining("env:NAME or file:PATH")]);
    },
  );
});

describe("readSecret", () => {
  const root = (): string => {
    const dir = mkdtempSync(join(tmpdir(), "cms-secrets-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    return dir;
  };
  const refusalOf = (source: SecretSource, dir: string, environment: NodeJS.ProcessEnv = {}): string => {
    try {
      readSecret(source, "HOOKS.0.SECRET", dir, environment);
    } catch (error) {
      return messageOf(error);
    }
    throw new Error("Nothing was refused.");
  };

  it("reads a variable as it is", () => {
    expect(readSecret("env:HOOK", "A", root(), { HOOK: " two words " })).toBe(" two words ");
  });

  it("reads a file relative to the root, without the line end at its end", () => {
    const dir = root();
    for (const [text, secret] of [
      ["abc", "abc"],
      ["abc\n", "abc"],
      ["abc\r\n", "abc"],
      ["abc\n\n", "abc\n"],
    ] as const) {
      writeFileSync(join(dir, "hook.secret"), text);
      expect(readSecret("file:hook.secret", "A", dir)).toBe(secret);
      expect(readSecret(`file:${dir}/hook.secret`, "A", "/")).toBe(secret);
    }
  });

  it("names the setting and what is missing, empty or too large", () => {
    const dir = root();
    writeFileSync(join(dir, "empty"), "\n");
    writeFileSync(join(dir, "large"), "x".repeat(70_000));
    expect(refusalOf("env:HOOK", dir)).toBe("HOOKS.0.SECRET: the environment variable HOOK is not set.");
    expect(refusalOf("env:HOOK", dir, { HOOK: "" })).toBe("HOOKS.0.SECRET: the environment variable HOOK is empty.");
    expect(refusalOf("file:none", dir)).toMatch(/^HOOKS\.0\.SECRET: the file .*\/none cannot be read: ENOENT/);
    expect(refusalOf("file:empty", dir)).toBe("HOOKS.0.SECRET: the file empty is empty.");
    expect(refusalOf("file:large", dir)).toContain("it is larger than 65536 bytes");
  });
});
