/** `add_directory_listing`: gives the model the entries of the agent's directory. */
import { opendir } from "node:fs/promises";
import { createContextOutput, createInstructionOutput } from "./context-output.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";

const SHOWN_MAX = 100;
/** The limit of entries to read. In a larger directory, only the count of the remaining entries is too low. */
const READ_MAX = 100_000;

const KEY = "core/directory-listing";
const REMOVED = "The working directory no longer has visible top-level entries.";

export const addDirectoryListing: Builtin = {
  name: "add_directory_listing",
  async run(call) {
    const text = await listing(call);
    return createContextOutput("session_start", text);
  },
  changes: {
    "2026-11": async (call) => {
      if (!call.input.cwd) return null;
      const text = await listing(call);
      if (text === undefined) return createInstructionOutput("session_start", { key: KEY, unavailable: true });
      if (text === "") {
        return createInstructionOutput("session_start", { key: KEY, removed: true, removed_content: REMOVED });
      }
      return createInstructionOutput("session_start", {
        key: KEY,
        label: "top-level directory entries",
        content: text,
        changed_content: `The working-directory listing is now:\n\n${text}`,
        removed_content: REMOVED,
      });
    },
  },
};

/** The entries as lines below a heading; empty without visible entries, undefined if the directory cannot be read. */
async function listing({ input: { cwd }, log, signal }: BuiltinCall): Promise<string | undefined> {
  if (!cwd) return undefined;
  const names = await visibleNames(cwd, signal).catch((error: unknown) => {
    log?.(`the directory cannot be listed: ${String(error)}`);
    return undefined;
  });
  if (names === undefined || names.length === 0) return names && "";
  const shown = names.slice(0, SHOWN_MAX).map((name) => `- ${name}`);
  const rest = names.length > SHOWN_MAX ? [`... and ${names.length - SHOWN_MAX} more`] : [];
  return [`Top-level entries in ${cwd}:`, "", ...shown, ...rest].join("\n");
}

/** Names without a leading dot, sorted by bytes; folders end in a slash. A link to a folder counts as a link. */
async function visibleNames(dir: string, signal: AbortSignal): Promise<string[]> {
  const names: Buffer[] = [];
  for await (const entry of await opendir(dir)) {
    signal.throwIfAborted();
    if (entry.name.startsWith(".")) continue;
    names.push(Buffer.from(entry.isDirectory() ? `${entry.name}/` : entry.name));
    if (names.length >= READ_MAX) break;
  }
  return names.sort(Buffer.compare).map((name) => escapeControls(name.toString()));
}

/** File names are untrusted: each one must stay on its own line. */
function escapeControls(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return name.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
