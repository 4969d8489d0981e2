/** New known calls as form texts, and as they are added. Pure. */
import type { EventName } from "@quarterdeck/hooks/contract/events";
import type { Wrongs } from "@/components/ui/form-texts";
import { type AddKnownCalls, addKnownCalls, type KnownKind } from "@/server/prompts/known-calls/schema";
import { parseEventKey } from "@/server/recording/event-key-schema";

export interface AddDraft {
  readonly from: AddKnownCalls["calls"]["from"];
  readonly kind: KnownKind;
  readonly event: EventName;
  /** Keys of the chosen recorded calls. */
  readonly calls: readonly string[];
  readonly tool: string;
  readonly args: string;
  readonly note: string;
}

export const ARGUMENTS_EXAMPLE = '{ "cmd": "rm -rf ~/projects" }';

export const NEW_CALLS: AddDraft = {
  ...{ from: "recorded", kind: "bad", event: "pre_tool_use", calls: [] },
  ...{ tool: "", args: "", note: "" },
};

export function readAdded(draft: AddDraft, promptId: string): { input: AddKnownCalls } | { wrongs: Wrongs } {
  const calls = callsOf(draft);
  if ("wrongs" in calls) return calls;
  const read = addKnownCalls.safeParse({ promptId, note: draft.note, calls: calls.input });
  if (read.success) return { input: read.data };
  return { wrongs: { [draft.from === "hand" ? "args" : "note"]: read.error.issues[0]?.message ?? "Invalid input." } };
}

function callsOf(draft: AddDraft): { input: unknown } | { wrongs: Wrongs } {
  const { from, kind, event, calls, tool, args } = draft;
  if (from === "labelled") return { input: { from } };
  if (from === "recorded") {
    const keys = calls.flatMap((text) => parseEventKey(text) ?? []);
    if (keys.length === 0) return { wrongs: { calls: "Choose at least one call." } };
    return { input: { from, keys: keys.map((key) => ({ ...key, kind })) } };
  }
  if (tool.trim() === "") return { wrongs: { tool: "Enter the name of the tool." } };
  const read = objectIn(args);
  if (read === null) return { wrongs: { args: `Enter one JSON object, such as ${ARGUMENTS_EXAMPLE}.` } };
  return { input: { from, kind, event, input: { tool_name: tool.trim(), tool_input: read } } };
}

function objectIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
