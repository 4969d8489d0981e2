/** `add_prompt_files`: whole files for the model, the nearest of each name and the one at home. */
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createContextOutput } from "./context-output.ts";
import { firstBytesAsText } from "./cut-utf8.ts";
import type { Builtin } from "./kind.ts";
import type { Machine } from "./machine.ts";

const FILE_BYTES_MAX = 256 * 1024;
const ALL_BYTES_MAX = 4 * 1024 * 1024;

export function addPromptFiles({ homeDir, kitDir }: Pick<Machine, "homeDir" | "kitDir">): Builtin {
  const atHome = kitDir ? join(kitDir, "prompt_files") : homeDir;
  return {
    name: "add_prompt_files",
    async run({ args, input: { cwd }, log }) {
      if (!cwd) return null;
      const contents: string[] = [];
      let bytes = 0;
      for (const name of args) {
        for (const path of await pathsOf(name, cwd, atHome)) {
          const content = await contentOf(path).catch((error: unknown) => {
            log?.(`${path} is left out: ${error instanceof Error ? error.message : String(error)}`);
            return undefined;
          });
          if (content === undefined) continue;
          bytes += Buffer.byteLength(content);
          if (bytes > ALL_BYTES_MAX) log?.(`${path} is left out: ${ALL_BYTES_MAX} bytes of prompt files are enough`);
          else contents.push(content);
        }
      }
      return contents.every((content) => content === "")
        ? null
        : createContextOutput("turn_start", contents.join("\n\n"));
    },
  };
}

/** The nearest copy from `cwd` upward, then the one at home; at most two, never the same twice. */
async function pathsOf(name: string, cwd: string, atHome: string): Promise<string[]> {
  const paths: string[] = [];
  for (let dir = resolve(cwd); paths.length === 0; dir = dirname(dir)) {
    const path = join(dir, name);
    if (await isThere(path)) paths.push(path);
    if (dir === dirname(dir)) break;
  }
  const home = atHome && join(atHome, name);
  if (home && !paths.includes(home) && (await isThere(home))) paths.push(home);
  return paths;
}

/** A folder of that name does not end the search. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/** The text of a regular file, cut when it is huge. A pipe or a device would never end, so it is not opened for long. */
async function contentOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Error("it is not a regular file");
    const buffer = Buffer.alloc(FILE_BYTES_MAX + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    if (length > FILE_BYTES_MAX) return `${firstBytesAsText(buffer, FILE_BYTES_MAX)}\n... (truncated)`;
    return buffer.toString("utf8", 0, length);
  } finally {
    await file.close();
  }
}
