/** An attempt beside the session around it: what was known before, and whether the summary still says so. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { splitIntoAttempts, summaryOf } from "./attempts.ts";
import { joinAttempt, readInputs } from "./join-attempt.ts";
import { createRecallCheck } from "./recall-check.ts";
import * as compactions from "./repository.ts";
import type { AttemptKey, SessionContextView } from "./schema.ts";
import { argumentsOf, commandOf, type Input, pathsOf, promptsOf } from "./stored-input.ts";
import { findIncreasedTroubles, type InputById } from "./turn-measures.ts";
import { callsOf, isPromptEvent, type SessionEvent, type ToolCall } from "./turns.ts";

const SESSION_EVENTS_MAX = 3_000;
const PROMPTS_MAX = 5;
const CALLS_MAX = 400;
const FILES_MAX = 40;
const COMMANDS_MAX = 20;
const ERRORS_MAX = 10;
const TEXT_MAX = 400;

/** Errors: `dispatch_not_found`. */
export async function getSessionContext(
  db: Database,
  workspaceId: string,
  key: AttemptKey,
): Promise<SessionContextView> {
  const rows = await compactions.listSessionRowsByEvent(db, workspaceId, key, SESSION_EVENTS_MAX);
  const runs = splitIntoAttempts(rows);
  const at = runs.findIndex((run) => run.some((row) => row.dispatch_id === key.id));
  const run = runs[at];
  if (!run) throw new AppError("dispatch_not_found", key.id);
  const next = runs.slice(at + 1).find((later) => later.at(-1)?.event === "after_compaction")?.[0] ?? null;
  const { view, before, isCut } = await joinAttempt(db.pool, workspaceId, run, next);
  const steps = await compactions.listAttemptSteps(
    db,
    workspaceId,
    run.map((row) => ({ occurredAt: row.occurred_at, id: row.dispatch_id })),
  );
  const recall = createRecallCheck(summaryOf(steps));

  const calls = callsOf(before);
  const prompts = before.filter(isPromptEvent).slice(-PROMPTS_MAX);
  const recent = calls.slice(-CALLS_MAX);
  const failed = recent.filter((call) => call.isFailed);
  const results = resultsOf(before, failed);
  const wanted = [...prompts.map(({ id }) => id), ...recent.map(({ id }) => id), ...results.values()];
  const inputs = await readInputs(db.pool, workspaceId, before, wanted);
  const instants = new Map(before.map(({ id, occurredAt }) => [id, occurredAt]));
  return {
    joined: view,
    troubles: view.isTroubled ? findIncreasedTroubles(view.before, view.after) : [],
    events: before.length,
    isCut,
    prompts: prompts
      .flatMap(({ id, occurredAt }) => promptsOf(inputs.get(id) ?? null).map((text) => ({ at: occurredAt, text })))
      .slice(-PROMPTS_MAX)
      .reverse()
      .map(({ at, text }) => ({ at, text: beginning(text), recalled: recall.text(text.slice(0, 4_000)) })),
    tools: toolsOf(calls),
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
      .map(({ call, what, error }) => ({
        at: instants.get(call.id) ?? key.occurredAt,
        tool: call.tool,
        what: beginning(what),
        error: beginning(error),
        recalled: recall.text(`${what} ${error}`),
      })),
  };
}

const beginning = (text: string): string => truncateText(text, TEXT_MAX);

function toolsOf(calls: readonly ToolCall[]): SessionContextView["tools"] {
  const tools = new Map<string, { calls: number; failed: number }>();
  for (const { tool, isFailed } of calls) {
    const own = tools.get(tool) ?? { calls: 0, failed: 0 };
    tools.set(tool, { calls: own.calls + 1, failed: own.failed + (isFailed ? 1 : 0) });
  }
  return [...tools]
    .map(([tool, own]) => ({ tool, ...own }))
    .sort((a, b) => b.calls - a.calls || (a.tool < b.tool ? -1 : 1))
    .slice(0, 30);
}

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
