/** Hooks in the form of Claude Code, which several clients took over: groups with a matcher, and handlers in them. */
import { isObject, type JsonObject } from "../../dialects/settings/index.ts";
import type { ConfiguredHook, FoundHooks, HookAction } from "./configured-hook.ts";
import type { DrillProbe } from "./drill-calls.ts";
import { entriesFor, type Matches, nameOrPattern } from "./matchers.ts";
import { listAt, numberAt, objectAt, type ReadSettings, textAt } from "./settings-file.ts";

export interface ClaudeRules {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The matching function; by names or patterns if absent. */
  readonly matches?: Matches;
  /** Milliseconds of the number in the file, which counts seconds when absent. */
  readonly toMs?: (timeout: number) => number;
  /** HTTP hooks run too. */
  readonly hasHttp?: boolean;
  /** True for a hook that the user switched off. */
  readonly isDisabled?: (handler: JsonObject) => boolean;
}

const TIMEOUT_MS = 60_000;

/** The hooks of one file for one call. */
export function claudeHooksOf(
  { path, values }: Pick<ReadSettings, "path" | "values">,
  probe: DrillProbe,
  rules: ClaudeRules,
): FoundHooks {
  const hooks: ConfiguredHook[] = [];
  const notes: string[] = [];
  for (const { event, entry } of entriesFor(values, probe, rules.matches ?? nameOrPattern))
    for (const handler of listAt(entry, "hooks").filter(isObject)) {
      const note = noteOf(handler, rules);
      if (note !== null) notes.push(`${path}, ${event}: ${note}`);
      const hook = note === null ? hookOf(handler, { source: path, event }, rules) : null;
      if (hook) hooks.push(hook);
    }
  return { hooks, notes };
}

function noteOf(handler: JsonObject, { isDisabled, hasHttp }: ClaudeRules): string | null {
  const type = textAt(handler, "type") ?? "command";
  if (isDisabled?.(handler)) return "a hook is switched off by name.";
  if (type !== "command" && !(hasHttp && type === "http"))
    return `a hook of type ${JSON.stringify(type)} is not drilled.`;
  if (textAt(handler, "if") !== undefined)
    return "a hook with a condition (if) may not be asked, so it is not counted.";
  if (handler.async === true || handler.asyncRewake === true) return "an asynchronous hook blocks nothing.";
  return null;
}

function hookOf(
  handler: JsonObject,
  at: Pick<ConfiguredHook, "source" | "event">,
  { environment, toMs = (seconds) => seconds * 1_000 }: ClaudeRules,
): ConfiguredHook | null {
  const action = actionOf(handler, environment);
  if (action === null) return null;
  const timeout = numberAt(handler, "timeout");
  return {
    ...at,
    action,
    timeoutMs: timeout === undefined ? TIMEOUT_MS : toMs(timeout),
    blocksOnFailure: handler.onFailure === "block",
  };
}

function actionOf(handler: JsonObject, environment: ClaudeRules["environment"]): HookAction | null {
  if (handler.type === "http") {
    const url = textAt(handler, "url");
    return url === undefined ? null : { kind: "http", url, headers: headersOf(handler, environment) };
  }
  const command = textAt(handler, "command");
  return command === undefined ? null : { kind: "command", command: withArguments(command, handler) };
}

/** The exec form: the command is a program, and its arguments are no shell text. */
function withArguments(command: string, handler: JsonObject): string {
  const given = listAt(handler, "args").filter((one) => typeof one === "string");
  return handler.args === undefined ? command : [command, ...given].map(quoted).join(" ");
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Only variables that the hook lists are filled in. */
export function headersOf(handler: JsonObject, environment: ClaudeRules["environment"]): Record<string, string> {
  const allowed = new Set(listAt(handler, "allowedEnvVars"));
  const fill = (text: string) =>
    text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced?: string, bare?: string) => {
      const name = braced ?? bare ?? "";
      return allowed.has(name) ? (environment[name] ?? "") : "";
    });
  const headers = Object.entries(objectAt(handler, "headers"));
  return Object.fromEntries(
    headers.flatMap(([name, value]) => (typeof value === "string" ? [[name, fill(value)]] : [])),
  );
}
