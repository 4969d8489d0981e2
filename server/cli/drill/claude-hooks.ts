/** Hooks in the form of Claude Code, which several clients took over: groups with a matcher, and handlers in them. */
import { isObject, type JsonObject } from "../../dialects/settings/index.ts";
import type { ConfiguredHook, FoundHooks, HookAction } from "./configured-hook.ts";
import type { DrillProbe } from "./drill-calls.ts";
import type { Matches } from "./matchers.ts";
import { listAt, numberAt, objectAt, textAt } from "./settings-file.ts";

export interface ClaudeRules {
  readonly matches: Matches;
  /** Of a hook whose file says none, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds of the number in the file. */
  readonly toMs: (timeout: number) => number;
  readonly types: readonly ("command" | "http")[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** True for a hook that the user switched off. */
  readonly isDisabled?: (handler: JsonObject) => boolean;
}

interface HookFile {
  readonly source: string;
  readonly values: JsonObject | null;
}

/** The hooks of one file for one call. */
export function claudeHooksOf({ source, values }: HookFile, probe: DrillProbe, rules: ClaudeRules): FoundHooks {
  const events = objectAt(values, "hooks");
  const hooks: ConfiguredHook[] = [];
  const notes: string[] = [];
  for (const event of probe.events)
    for (const group of listAt(events, event).filter(isObject)) {
      const matcher = textAt(group, "matcher");
      if (probe.tool !== null && !probe.toolNames.some((name) => rules.matches(matcher, name))) continue;
      for (const handler of listAt(group, "hooks").filter(isObject)) {
        const note = noteOf(handler, rules);
        if (note !== null) notes.push(`${source}, ${event}: ${note}`);
        const hook = note === null ? hookOf(handler, { source, event }, rules) : null;
        if (hook) hooks.push(hook);
      }
    }
  return { hooks, notes };
}

function noteOf(handler: JsonObject, { isDisabled, types }: ClaudeRules): string | null {
  const type = textAt(handler, "type") ?? "command";
  if (isDisabled?.(handler)) return "a hook is switched off by name.";
  if (!types.some((known) => known === type)) return `a hook of type ${JSON.stringify(type)} is not drilled.`;
  if (textAt(handler, "if") !== undefined)
    return "a hook with a condition (if) may not be asked, so it is not counted.";
  if (handler.async === true || handler.asyncRewake === true) return "an asynchronous hook blocks nothing.";
  return null;
}

function hookOf(
  handler: JsonObject,
  at: Pick<ConfiguredHook, "source" | "event">,
  rules: ClaudeRules,
): ConfiguredHook | null {
  const action = actionOf(handler, rules);
  if (action === null) return null;
  const timeout = numberAt(handler, "timeout");
  return {
    ...at,
    action,
    timeoutMs: timeout === undefined ? rules.timeoutMs : rules.toMs(timeout),
    blocksOnFailure: handler.onFailure === "block",
  };
}

function actionOf(handler: JsonObject, { environment }: ClaudeRules): HookAction | null {
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
