/** A site on a real repository, for what the library does to files; pictures made on the spot. */
import { onTestFinished } from "vitest";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import sharp, { type Sharp } from "sharp";
import type { DeepPartial, Settings } from "../../src/config.ts";
import { openGitRepo } from "../../src/store/git/repo.ts";
import { siteOver, type Answer, type Role, type TestSite } from "../site.ts";
import { gitSite, quietEnv, type GitSite } from "../store/git/git-site.ts";

export interface MediaSite extends TestSite {
  readonly disk: GitSite;
  /** Sends a form: texts, and files as `[name, bytes]`. */
  form(method: string, path: string, parts: FormParts, as?: Role | null): Promise<Answer>;
  /** A file uploaded as staff. @returns its payload @throws when it is refused */
  upload(name: string, bytes: Uint8Array, fields?: Record<string, string>): Promise<any>;
  /** Paths below `media/` that are on disk, folders left out. */
  files(): string[];
  /** Commits on the branch. */
  commits(): number;
  /** What git has to say that it should not: status and fsck. */
  leftovers(): string;
}

export type FormParts = Readonly<Record<string, string | readonly [name: string, bytes: Uint8Array]>>;

/** @param files committed by a person before the site is opened */
export async function mediaSite(
  settings: DeepPartial<Settings> = {},
  files: Readonly<Record<string, string>> = {},
  prepare: (disk: GitSite) => void = () => {},
): Promise<MediaSite> {
  const disk = gitSite({ "content/pages/.gitkeep": "", ...files });
  onTestFinished(() => disk.remove());
  prepare(disk);
  const repo = await openGitRepo(disk.dir, { env: quietEnv() });
  const site = await siteOver(repo, disk.dir, settings);
  const form: MediaSite["form"] = async (method, path, parts, as = "staff") => {
    const data = new FormData();
    for (const [key, value] of Object.entries(parts)) {
      if (typeof value === "string") data.append(key, value);
      else data.append(key, new File([value[1] as Uint8Array<ArrayBuffer>], value[0]));
    }
    const request = new Response(data);
    return site.ask(method, path, {
      as,
      body: new Uint8Array(await request.arrayBuffer()),
      headers: { "content-type": request.headers.get("content-type")! },
    });
  };
  return {
    ...site,
    disk,
    form,
    async upload(name, bytes, fields = {}) {
      const answer = await form("POST", "api:media", { ...fields, file: [name, bytes] });
      if (answer.status !== 201) throw new Error(`${name} was answered ${answer.status}: ${answer.text}`);
      return answer.body;
    },
    files: () => filesIn(join(disk.dir, "media")),
    commits: () => Number(disk.git("rev-list", "--count", "HEAD")),
    leftovers: () =>
      disk.git("status", "--porcelain", "--untracked-files=all") +
      (readdirSync(join(disk.dir, ".git/cms")).includes("uploads")
        ? readdirSync(join(disk.dir, ".git/cms/uploads")).join("\n")
        : ""),
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .sort();
  } catch {
    return []; // there is no media folder
  }
}

/** A picture with something to see on it: encoders make nothing of one colour. */
export function picture(width: number, height: number, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      const isDisc = (x - width * 0.4) ** 2 + (y - height * 0.45) ** 2 < (Math.min(width, height) / 4) ** 2;
      data[at] = isDisc ? 160 : (x * 255) / width;
      data[at + 1] = isDisc ? 48 : 90 + 60 * Math.sin(x / 9) * Math.cos(y / 7);
      data[at + 2] = isDisc ? 32 : 255 - (y * 255) / height;
      if (channels === 4) data[at + 3] = (y * 255) / height;
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

export const jpeg = (width: number, height: number): Promise<Buffer> =>
  picture(width, height).jpeg({ quality: 92 }).toBuffer();
export const png = (width: number, height: number): Promise<Buffer> => picture(width, height).png().toBuffer();
