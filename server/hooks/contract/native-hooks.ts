/** Converts a hooks block to docker-agent's own format, for an export that runs without the console. */
import { renameFunction } from "@quarterdeck/go-template/syntax/rename-function";
import { isServerOnly } from "./builtins.ts";
import { EVENTS } from "./events.ts";
import type { HookDefinition, HooksConfig, MatcherEntry } from "./hook.ts";
import { isEntry } from "./placement.ts";
import { serverNeedOf } from "./rules/server-need.ts";
import { UNREADABLE } from "./stored-hooks.ts";

/** The variable with which an exported command passes its rules to the local executor, as JSON. */
export const RULES_VARIABLE = "QUARTERDECK_RULES";

const VARIABLE_CHARS_MAX = 40_000;

/** The path of the local executor on an agent's machine. */
export const LOCAL_EXECUTOR_FILE = "$HOME/.quarterdeck/quarterdeck-hook.mjs";

/**
 * The block in docker-agent's published schema: without Quarterdeck's own keys, and without a `timeout` or `on_error` that equals
 * the default. Rules become a command that runs them with the local executor. A guard that only the server can run becomes a
 * command that refuses, because docker-agent would warn about the unknown builtin and continue. A prompt's `fenced` becomes `toJSON`.
 */
export function nativeHooks(hooks: HooksConfig): HooksConfig {
  const native = Object.entries(hooks).map(([event, entries]) => [
    event,
    (entries as readonly (MatcherEntry | HookDefinition)[]).map((entry) =>
      isEntry(entry)
        ? { ...entry, hooks: (entry.hooks ?? []).map((hook) => nativeHook(hook, commandLineOf(event, entry))) }
        : nativeHook(entry, event),
    ),
  ]);
  return Object.fromEntries(native);
}

/** The arguments with the event and the lane for the local executor. */
function commandLineOf(event: string, { preempt_yolo }: MatcherEntry): string {
  const hasLane = Object.entries(EVENTS).some(([name, { hasPreemptLane }]) => name === event && hasPreemptLane);
  return preempt_yolo === true && hasLane ? `${event} --lane preempt_yolo` : event;
}

function nativeHook(definition: HookDefinition, occasion: string): HookDefinition {
  const {
    run_on: _where,
    network: _allowed,
    ungrantable: _kept,
    judge: _label,
    resolved_evaluator: _defined,
    timeout,
    on_error,
    ...hook
  } = definition;
  if (hook.type === UNREADABLE) return unreadableRefusal(definition);
  if (hook.type === "rules") return nativeRules(definition, occasion);
  if (hook.type === "builtin" && isServerOnly(hook.command)) return refusalOf(definition);
  return {
    ...hook,
    // docker-agent has no fenced.
    ...(typeof hook.prompt === "string" && { prompt: renameFunction(hook.prompt, "fenced", "toJSON") }),
    ...(timeout !== undefined && timeout > 0 ? { timeout } : {}),
    ...(on_error ? { on_error } : {}),
  };
}

/** A command that reads the call from standard input and answers for the rules. It denies if the program is missing. */
function nativeRules({ name, timeout, rules = [] }: HookDefinition, occasion: string): HookDefinition {
  const need = serverNeedOf(rules);
  const json = JSON.stringify(rules);
  if (need !== null) return refusal(name, `Rules with ${need} are decided by the Quarterdeck server`);
  // A Linux variable is limited to 128 KiB, and a character has at most three bytes.
  if (json.length > VARIABLE_CHARS_MAX) return refusal(name, "These rules are longer than a variable may be");
  const program = `node "${LOCAL_EXECUTOR_FILE}" --rules ${occasion}`;
  // As in an enrolment: Node exits with 0 for an empty file, so a gate requires the object that the whole program prints.
  const answer = `out=$(${program}) && case $out in "{"*"}") printf "%s\\n" "$out";; *) ! :;; esac || exit 2`;
  return {
    ...(name !== undefined && { name }),
    type: "command",
    command: `/bin/sh -c 'unset -f printf node; ${answer}' || exit 2`,
    env: { [RULES_VARIABLE]: json },
    ...(timeout !== undefined && timeout > 0 ? { timeout } : {}),
    on_error: "block",
  };
}

function refusalOf({ name, command = "" }: HookDefinition): HookDefinition {
  return refusal(name, `${command} is kept by the Quarterdeck server`);
}

/** `why` is our own text, without special shell characters. */
function refusal(name: string | undefined, why: string): HookDefinition {
  const says = `${why}: enrol this agent with the hooks block from its Agents page.`;
  return {
    ...(name !== undefined && { name }),
    type: "command",
    command: `echo "${says}" >&2; exit 2`,
    on_error: "block",
  };
}

/** docker-agent refuses to load a hook of an unknown type. This hook denies with the reason. */
function unreadableRefusal({ name = "", command = "" }: HookDefinition): HookDefinition {
  const says = `This policy cannot be read at ${command}`.replaceAll(/[^\w .,:/()[\]-]/g, "");
  return { name, type: "command", command: `echo "${says}" >&2; exit 2` };
}
