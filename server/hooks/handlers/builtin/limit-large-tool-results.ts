/**
 * `limit_large_tool_results`: writes a tool result that is too large for the model to a file, and keeps a part with a notice. Runs
 * after every other rewrite, so neither the file nor the part contains redacted data.
 */

import type { HookInput } from "../../contract/input.ts";
import type { HookOutput } from "../../contract/output.ts";
import { lastBytesAsText } from "./cut-utf8.ts";
import type { Builtin, BuiltinCall } from "./kind.ts";
import { BYTES_MAX, isTooLarge, LINES_MAX, shortenWithin, startOfLastLines } from "./large-result.ts";
import type { Machine } from "./machine.ts";
import { deleteSpillFiles, writeSpillFile } from "./spill.ts";

const CATEGORIES: readonly unknown[] = ["filesystem", "shell", "mcp", "a2a"];
const CATEGORIES_WITH_JOBS: readonly unknown[] = [...CATEGORIES, "background_jobs"];

export function limitLargeToolResults({ tempDir }: Pick<Machine, "tempDir">): Builtin {
  return {
    name: "limit_large_tool_results",
    runsLast: true,
    async run(call) {
      const { input, log } = call;
      try {
        const text = await largeText(call, tempDir, CATEGORIES);
        return text === undefined ? null : rewrite(shortened(text, await write(tempDir, input, text)));
      } catch (error) {
        log?.(`the answer stays as it is: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    },
    changes: {
      "2026-11": async (call) => {
        const { input, log } = call;
        const warn = (error: unknown) => void log?.(error instanceof Error ? error.message : String(error));
        const text = await largeText(call, tempDir, CATEGORIES_WITH_JOBS).catch(warn);
        if (typeof text !== "string") return null;
        return rewrite(shortenWithin(text, input, await write(tempDir, input, text).catch(warn)));
      },
    },
  };
}

/** The tool result if it is too large. At the end of a session, its files are deleted. */
async function largeText(
  { event, input }: BuiltinCall,
  tempDir: string,
  categories: readonly unknown[],
): Promise<string | undefined> {
  if (event === "session_end") await deleteSpillFiles(tempDir, input.session_id ?? "");
  if (event !== "tool_response_transform" || !categories.includes(input.tool_category)) return undefined;
  const text = input.tool_response;
  return typeof text === "string" && isTooLarge(text) ? text : undefined;
}

function write(tempDir: string, { session_id }: HookInput, text: string): Promise<string> {
  return writeSpillFile(tempDir, session_id ?? "", text);
}

function rewrite(updated_tool_response: string): HookOutput {
  return { hook_specific_output: { hook_event_name: "tool_response_transform", updated_tool_response } };
}

function shortened(text: string, path: string): string {
  const size = `${Buffer.byteLength(text)} bytes; limit ${BYTES_MAX} bytes`;
  return [
    `Tool call result was too large (${size}). The full result is available in a file: ${path}`,
    `Showing the last ${LINES_MAX} lines (up to ${BYTES_MAX} bytes):`,
    lastBytesAsText(Buffer.from(text.slice(startOfLastLines(text))), BYTES_MAX),
  ].join("\n\n");
}
