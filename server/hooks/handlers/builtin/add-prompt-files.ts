/** `add_prompt_files`: gives the model whole files: for each name, the nearest one and the one in the home folder. */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type BuiltinInstruction, createContextOutput, createInstructionOutput } from "./context-output.ts";
import { firstBytesAsText } from "./cut-utf8.ts";
import { parseInteger } from "./integer.ts";
import type { Builtin } from "./kind.ts";
import type { Machine } from "./machine.ts";
import { listPromptFilesBelow } from "./prompt-file-index.ts";

const FILE_BYTES_MAX = 256 * 1024;
const ALL_BYTES_MAX = 4 * 1024 * 1024;

export function addPromptFiles({ homeDir, kitDir }: Pick<Machine, "homeDir" | "kitDir">): Builtin {
  const atHome = kitDir ? join(kitDir, "prompt_files") : homeDir;
  return {
    name: "add_prompt_files",
    async run({ args, input: { cwd }, log }) {
      if (!cwd) return null;
      const { files, failures } = await readPromptFiles(args, cwd, atHome);
      for (const failure of failures) log?.(failure.message);
      const contents = files.map(({ content }) => content);
      return contents.every((content) => content === "")
        ? null
        : createContextOutput("turn_start", contents.join("\n\n"));
    },
    changes: {
      "2026-11": async ({ args, input: { cwd }, env, log, signal }) => {
        if (!cwd || args.length === 0) return null;
        const { names, depth } = readArguments(args);
        const { files, failures } = await readPromptFiles(names, cwd, atHome);
        for (const failure of failures) log?.(failure.message);
        if (failures.some(({ isUnreadable }) => isUnreadable)) {
          return createInstructionOutput("turn_start", { group: GROUP, unavailable: true, set_marker: true });
        }
        const paths = files.map(({ path }) => path);
        const found = await listPromptFilesBelow({ dir: cwd, names, depth, except: paths, env, signal, log });
        const items = [...files.map(fileInstruction), ...(found === "" ? [] : [indexInstruction(cwd, found)])];
        const [first = { group: GROUP, set_marker: true as const }, ...others] = items;
        return createInstructionOutput("turn_start", { ...first, complete_group: true }, ...others);
      },
    },
  };
}

const GROUP = "core/prompt-files";

function fileInstruction({ path, content }: PromptFile): BuiltinInstruction {
  const text = `Instructions from: ${path}\n${content}`;
  const changed = `The instructions from ${path} have changed and replace the previous instructions from that file.`;
  return {
    key: `core/prompt-file-${createHash("sha256").update(path).digest("hex")}`,
    group: GROUP,
    label: `instructions from ${path}`,
    content: text,
    changed_content: `${changed}\n\n${text}`,
    removed_content: `The previously loaded instructions from ${path} no longer apply.`,
  };
}

function indexInstruction(cwd: string, found: string): BuiltinInstruction {
  return {
    key: "core/prompt-file-index",
    group: GROUP,
    label: `prompt files below ${cwd}`,
    content: found,
    changed_content: `The list of prompt files below ${cwd} has changed and replaces the previous list.\n\n${found}`,
    removed_content: `No prompt files remain below ${cwd}; the previously listed ones no longer apply.`,
  };
}

const DEPTH_OPTION = "--depth=";

/** `--depth=N` may be anywhere. The last valid number counts. */
function readArguments(args: readonly string[]): { readonly names: readonly string[]; readonly depth: number } {
  const depths = args.flatMap((arg) =>
    arg.startsWith(DEPTH_OPTION) ? (parseInteger(arg.slice(DEPTH_OPTION.length)) ?? []) : [],
  );
  return { names: args.filter((arg) => !arg.startsWith(DEPTH_OPTION)), depth: depths.at(-1) ?? 0 };
}

interface PromptFile {
  readonly path: string;
  readonly content: string;
}

interface Failure {
  readonly message: string;
  /** False for a file that is only too large. */
  readonly isUnreadable: boolean;
}

async function readPromptFiles(names: readonly string[], cwd: string, atHome: string) {
  const files: PromptFile[] = [];
  const failures: Failure[] = [];
  let bytes = 0;
  for (const name of names) {
    for (const path of await pathsOf(name, cwd, atHome)) {
      try {
        const content = await contentOf(path);
        bytes += Buffer.byteLength(content);
        if (bytes <= ALL_BYTES_MAX) files.push({ path, content });
        else {
          const message = `${path} is left out: ${ALL_BYTES_MAX} bytes of prompt files are enough`;
          failures.push({ message, isUnreadable: false });
        }
      } catch (error) {
        const message = `${path} is left out: ${error instanceof Error ? error.message : String(error)}`;
        failures.push({ message, isUnreadable: true });
      }
    }
  }
  return { files, failures };
}

/** The nearest file from `cwd` upward, then the one in the home folder; at most two distinct paths. */
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

/** A folder with that name does not end the search. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/** The text of a regular file, truncated if too large. A pipe or device could block, so it is not read. */
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
