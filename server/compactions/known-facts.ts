/**
 * The facts of a session before a compaction: its prompts, files, commands and open errors, each with its recall in the
 * summary.
 */
import { createHash } from "node:crypto";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { readInputs } from "./join-attempt.ts";
import { createRecallCheck } from "./recall-check.ts";
import type { Losses, SessionContextView } from "./schema.ts";
import type { Queries } from "./session-repository.ts";
import { argumentsOf, commandOf, type Input, pathsOf, promptsOf } from "./stored-input.ts";
import type { InputById } from "./turn-measures.ts";
import { callsOf, isPromptEvent, type SessionEvent, type ToolCall } from "./turns.ts";

const PROMPTS_MAX = 5;
const CALLS_MAX = 400;
const FILES_MAX = 40;
const COMMANDS_MAX = 20;
const ERRORS_MAX = 10;
const TEXT_MAX = 400;

export type KnownFacts = Pick<SessionContextView, "prompts" | "files" | "commands" | "openErrors">;

/** The newest facts of each kind. Without a summary, none is kept or lost. */
export async function findKnownFacts(
  db: Queries,
  workspaceId: string,
  before: readonly SessionEvent[],
  summary: string | null,
): Promise<KnownFacts> {
  const recall = createRecallCheck(summary);
  const prompts = before.filter(isPromptEvent).slice(-PROMPTS_MAX);
  const recent = callsOf(before).slice(-CALLS_MAX);
  const failed = recent.filter((call) => call.isFailed);
  const results = resultsOf(before, failed);
  const wanted = [...prompts.map(({ id }) => id), ...recent.map(({ id }) => id), ...results.values()];
  const inputs = await readInputs(db, workspaceId, before, wanted);
  const instants = new Map(before.map(({ id, occurredAt }) => [id, occurredAt]));
  return {
    prompts: prompts
      .flatMap(({ id, occurredAt }) => promptsOf(inputs.get(id) ?? null).map((text) => ({ at: occurredAt, text })))
      .slice(-PROMPTS_MAX)
      .reverse()
      .map(({ at, text }) => ({ at, text: beginning(text), recalled: recall.text(text.slice(0, 4_000)) })),
    files: tallied(recent, (call) => pathsOf(argumentsOf(inputs.get(call.id) ?? null)))
      .slice(0, FILES_MAX)
      .map(([path, times]) => ({ path, calls: times, recalled: recall.file(path) })),
    commands: tallied(recent, (call) => [commandOf(argumentsOf(inputs.get(call.id) ?? null)) ?? []].flat())
      .slice(0, COMMANDS_MAX)
      .map(([command, times]) => ({
        command: beginning(command),
        calls: times,
        recalled: recall.command(command.slice(0, 2_000)),
      })),
    openErrors: openErrors(recent, inputs, results)
      .slice(0, ERRORS_MAX)
      .flatMap(({ call, what, error }) => {
        const at = instants.get(call.id);
        const recalled = recall.text(`${what} ${error}`);
        return at ? [{ at, tool: call.tool, what: beginning(what), error: beginning(error), recalled }] : [];
      }),
  };
}

/** The number of facts, and of those that are missing in the summary. */
export function countLosses({ prompts, files, commands, openErrors }: KnownFacts): Losses {
  const facts = [...prompts, ...files, ...commands, ...openErrors];
  return { known: facts.length, lost: facts.filter(({ recalled }) => recalled === "lost").length };
}

/** The same for the same events and summary alone. An event's input never changes under its id. */
export function factsSource(before: readonly SessionEvent[], summary: string): string {
  const events = before.map(({ id, toolError }) => [id, toolError]);
  return createHash("sha256")
    .update(JSON.stringify([summary, events]))
    .digest("hex");
}

const beginning = (text: string): string => truncateText(text, TEXT_MAX);

/** The names in the calls and the number of calls with each, the last named first. */
function tallied(calls: readonly ToolCall[], names: (call: ToolCall) => readonly string[]): [string, number][] {
  const times = new Map<string, number>();
  for (const call of calls) {
    for (const name of new Set(names(call))) {
      const before = times.get(name) ?? 0;
      times.delete(name);
      times.set(name, before + 1);
    }
  }
  return [...times].reverse();
}

/** The `post_tool_use` of each failed call, by the call's own id: it holds the error. */
function resultsOf(events: readonly SessionEvent[], failed: readonly ToolCall[]): Map<string, string> {
  const byUse = new Map(
    events.flatMap((one) => (one.event === "post_tool_use" ? [[one.toolUseId ?? one.id, one.id]] : [])),
  );
  const useOf = new Map(events.map((one) => [one.id, one.toolUseId ?? one.id]));
  return new Map(failed.map(({ id }) => [id, byUse.get(useOf.get(id) ?? id) ?? id]));
}

/** Failed calls after which none of the same tool and aim succeeded, the newest first. */
function openErrors(calls: readonly ToolCall[], inputs: InputById, results: ReadonlyMap<string, string>) {
  const open = new Map<string, { call: ToolCall; what: string; error: string }>();
  for (const call of calls) {
    const args = argumentsOf(inputs.get(call.id) ?? null);
    const what = aimOf(args);
    const key = `${call.tool} ${what}`;
    open.delete(key);
    if (call.isFailed) open.set(key, { call, what, error: errorIn(inputs.get(results.get(call.id) ?? "") ?? null) });
  }
  return [...open.values()].reverse();
}

const aimOf = (args: Input | null): string => commandOf(args) ?? pathsOf(args)[0] ?? (args ? JSON.stringify(args) : "");

/** The first line of a failed call's response that says something. */
function errorIn(input: Input | null): string {
  const response = input?.tool_response;
  if (typeof response !== "string") return "";
  return response.split("\n").find((line) => line.trim() !== "") ?? "";
}
