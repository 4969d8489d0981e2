/**
 * `elide_repeated_tool_results`: replaces a result with one line if it equals, byte for byte, the tool's last result for the same
 * arguments. It stores only hashes of results.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { EventName } from "../../contract/events.ts";
import { printExactJson } from "../../contract/exact-json.ts";
import type { Builtin } from "./kind.ts";
import { isTooLarge } from "./large-result.ts";
import type { Machine } from "./machine.ts";
import { sessionFiles } from "./session-files.ts";

/** Tools of these categories are the agent's own, so their metadata is trusted. */
const CATEGORIES: readonly unknown[] = ["filesystem", "lsp", "rag", "memory", "git"];
/** After these events, the model may no longer have the earlier result. */
const FORGETS: ReadonlySet<EventName> = new Set(["session_start", "after_compaction", "session_end"]);
const CALLS_MAX = 4_096;

/** The hash of each call with the hash of its last result, oldest first. */
const prints = z.array(z.tuple([z.string(), z.string()])).max(CALLS_MAX);

export function elideRepeatedToolResults({ dataDir }: Pick<Machine, "dataDir">): Builtin {
  const sessions = sessionFiles(join(dataDir, "elided"), z.object({ prints }), () => ({ prints: [] }));
  return {
    name: "elide_repeated_tool_results",
    async run({ event, input, signal, log }) {
      const { session_id: sessionId, tool_name: tool = "", tool_category, tool_read_only, tool_error } = input;
      if (!sessionId) return null;
      try {
        if (FORGETS.has(event)) {
          await sessions.forget(sessionId);
          await sessions.prune();
        }
        const answer = input.tool_response;
        if (event !== "tool_response_transform" || typeof answer !== "string" || tool_error === true) return null;
        if (tool_read_only !== true || !CATEGORIES.includes(tool_category)) return null;
        const line = `${tool} ran, and its result is identical to its last one for the same arguments (${Buffer.byteLength(answer)} bytes).`;
        const call = printOf(`${tool}\n${printExactJson(input.tool_input ?? null)}`);
        const isRepeated = await sessions.update(sessionId, signal, (session) => {
          const last = session.prints.find(([one]) => one === call)?.[1];
          const now = printOf(answer);
          const others = session.prints.filter(([one]) => one !== call);
          session.prints = [...others, [call, now] as [string, string]].slice(-CALLS_MAX);
          return last === now;
        });
        if (!isRepeated || isTooLarge(answer) || line.length >= answer.length) return null;
        return { hook_specific_output: { hook_event_name: event, updated_tool_response: line } };
      } catch (error) {
        log?.(`the answer stays as it is: ${error instanceof Error ? error.message : String(error)}`);
        return null;
      }
    },
  };
}

const printOf = (text: string): string => createHash("sha256").update(text).digest("hex");
