/**
 * `limit_large_tool_results`: a tool answer too large for the model goes into a file; its end stays, with a notice. Runs
 * after every other rewrite, so that neither the file nor the end holds what a redaction took out.
 */

import { lastBytesAsText } from "./cut-utf8.ts";
import type { Builtin } from "./kind.ts";
import type { Machine } from "./machine.ts";
import { deleteSpillFiles, writeSpillFile } from "./spill.ts";

const BYTES_MAX = 50 * 1024;
const LINES_MAX = 2_000;
const CATEGORIES: readonly unknown[] = ["filesystem", "shell", "mcp", "a2a"];

export function limitLargeToolResults({ tempDir }: Pick<Machine, "tempDir">): Builtin {
  return {
    name: "limit_large_tool_results",
    runsLast: true,
    async run({ event, input, log }) {
      const sessionId = input.session_id ?? "";
      try {
        if (event === "session_end") await deleteSpillFiles(tempDir, sessionId);
        if (event !== "tool_response_transform" || !CATEGORIES.includes(input.tool_category)) return null;
        const text = input.tool_response;
        if (typeof text !== "string" || !isTooLarge(text)) return null;
        const path = await writeSpillFile(tempDir, sessionId, text);
        const hook_specific_output = { hook_event_name: event, updated_tool_response: shortened(text, path) };
        return { hook_specific_output };
      } catch (error) {
        log?.(`the answer stays as it is: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    },
  };
}

function isTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > BYTES_MAX || startOfLastLines(text) > 0;
}

function shortened(text: string, path: string): string {
  const size = `${Buffer.byteLength(text)} bytes; limit ${BYTES_MAX} bytes`;
  return [
    `Tool call result was too large (${size}). The full result is available in a file: ${path}`,
    `Showing the last ${LINES_MAX} lines (up to ${BYTES_MAX} bytes):`,
    lastBytesAsText(Buffer.from(text.slice(startOfLastLines(text))), BYTES_MAX),
  ].join("\n\n");
}

/** Where the last 2000 lines begin; 0 when there are no more. A last line without its newline is a line. */
function startOfLastLines(text: string): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let lines = 0; lines < LINES_MAX; lines++) {
    if (at === 0) return 0;
    at = text.lastIndexOf("\n", at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
