/**
 * The command hooks of a client's file as command hooks of a policy, which run on the agent's machine. The script still reads and
 * writes its client's field names; a wrapper command renames them. An answer that a policy cannot use is a failure, and a failed
 * gate denies.
 */

import { type HookDefinition, LIMITS } from "@quarterdeck/hooks/contract/config";
import { contractOf, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { unkeepable } from "@quarterdeck/hooks/contract/text/utf8";
import type { ClientCapabilities } from "../capabilities.ts";
import { clientCommand } from "./client-command.ts";
import { type FieldsOf, type MissingFields, missingOf } from "./client-fields.ts";
import { effectiveMembers, type ImportDraft, isTrue, memberOf, numberMember, textMember } from "./client-import.ts";
import type { SettingsObject, SettingsValue } from "./settings-text.ts";

/** A client's syntax for hooks. */
export interface HookWords {
  readonly capabilities: ClientCapabilities;
  /** The variable in which the client names the project's folder. */
  readonly projectVariable?: string;
  /** True if hooks are grouped below a matcher, and answers are below `hookSpecificOutput`. */
  readonly isNested: boolean;
  /** Events whose scripts read another format than the policy's hooks, with the suggested action. */
  readonly foreignEvents?: Readonly<Record<string, string>>;
  /** Events for calls of certain tools, with the argument that their scripts read at the top level of the input. */
  readonly callEvents?: Readonly<Record<string, { readonly matcher: string; readonly field: string }>>;
  /** The fields of the client's payloads. */
  readonly fields: FieldsOf;
  readonly missing: MissingFields;
  /** A matcher's names, including those that the client adds. */
  readonly matcherNames?: (names: readonly string[]) => readonly string[];
}

const MATCHER_UNREADABLE = "Its matcher cannot be read here. Give the names of the tools, or a pattern of RE2.";
const PERMISSION_ANSWER =
  "It answers in the person's place, in a form that no policy reads. Write it anew as a hook on permission_request; until then a person is asked.";

/** Imports or reports every hook below `hooks`. */
export function importHooks(value: SettingsValue, words: HookWords, draft: ImportDraft): void {
  if (value.kind !== "object") {
    draft.leave(value.line, "hooks", "It is not a mapping, and the client reads no hook in it.");
    return;
  }
  for (const { key: event, line, value: listed } of effectiveMembers(value, draft, "hooks.")) {
    const items = listed.kind === "list" ? listed.items : [listed];
    const native = Object.hasOwn(words.capabilities.events, event)
      ? words.capabilities.events[event]?.native
      : undefined;
    for (const item of items)
      importItem({ event, native: native ?? null, isKnown: native !== undefined }, item, words, draft);
    if (items.length === 0) draft.leave(line, `hooks.${event}`, "It holds no hook.");
  }
}

interface ClientEvent {
  readonly event: string;
  readonly native: EventName | null;
  readonly isKnown: boolean;
}

function importItem(at: ClientEvent, item: SettingsValue, words: HookWords, draft: ImportDraft): void {
  const group = item.kind === "object" ? (memberOf(item, "hooks") ?? item) : item;
  const hooks = group.kind === "list" ? group.items : [group];
  if (hooks.length === 0) draft.leave(item.line, at.event, "The group holds no hook.");
  for (const hook of hooks) {
    if (hook.kind === "object" && item.kind === "object") importHook(at, hook, item, words, draft);
    else draft.leave(hook.line, at.event, "A hook is a mapping. This is none.");
  }
}

function importHook(
  at: ClientEvent,
  hook: SettingsObject,
  group: SettingsObject,
  words: HookWords,
  draft: ImportDraft,
): void {
  const command = commandOf(hook);
  const shown = `${at.event} ${command ?? textMember(hook, "type") ?? "hook"}`;
  const refusal = refusalOf(at, hook, command, words);
  const calls = words.callEvents && Object.hasOwn(words.callEvents, at.event) ? words.callEvents[at.event] : undefined;
  const matcher = calls?.matcher ?? matcherOf(group, words);
  if (refusal !== null || command === undefined || at.native === null || matcher === null) {
    draft.leave(hook.line, shown, refusal ?? MATCHER_UNREADABLE);
    return;
  }
  const event = at.native;
  const contract = contractOf(event, WIDEST_PROFILE);
  const canRewrite = contract.hasPreemptLane && words.capabilities.events[at.event]?.rewriteInput === "held";
  const definition = (leavesRewriting: boolean): HookDefinition => ({
    name: `imported ${at.event}${canRewrite && !leavesRewriting ? ", rewriting" : ""}`,
    type: "command",
    run_on: "agent",
    ...timeoutOf(hook),
    ...(contract.canBlock && { strict_output: true }),
    ...(contract.canBlock && !contract.failsClosed && { on_error: "block" }),
    ...folderOf(hook),
    command: clientCommand({
      command,
      clientEvent: at.event,
      event,
      isNested: words.isNested,
      fields: words.fields(at.event, event),
      leavesRewriting,
      projectVariable: words.projectVariable,
      raisedField: calls?.field,
    }),
  });
  const carried = { ...at, native: event, canRewrite, missing: missingOf(words.missing, at.event) };
  draft.carry(hook.line, shown, noteOf(carried, hook, group, calls !== undefined));
  const selected = contract.matchesTools ? matcher : undefined;
  draft.add({ event, matcher: selected, isPreempting: contract.hasPreemptLane, hook: definition(canRewrite) });
  if (canRewrite) draft.add({ event, matcher: selected, hook: definition(false) });
}

/** The reason why a hook cannot be imported; null if it can. */
function refusalOf(
  at: ClientEvent,
  hook: SettingsObject,
  command: string | undefined,
  words: HookWords,
): string | null {
  const type = textMember(hook, "type") ?? "command";
  const foreign =
    words.foreignEvents && Object.hasOwn(words.foreignEvents, at.event) ? words.foreignEvents[at.event] : undefined;
  // Checked first, because any other reason would advise the user to rewrite such a hook.
  if (
    ASKS_QUARTERDECK.test(`${command ?? ""}\n${textMember(hook, "url") ?? ""}\n${textMember(hook, "powershell") ?? ""}`)
  )
    return "It asks Quarterdeck already. A policy that asked itself would not end.";
  if (at.native === null) return at.isKnown ? "Policies have no such event." : "The client's event is not known here.";
  if (foreign !== undefined) return foreign;
  if (at.native === "permission_request") return PERMISSION_ANSWER;
  if (type !== "command")
    return `Policies have no hooks of type ${/^[\w-]{1,40}$/.test(type) ? type : "this one"}. Write it as a command, or as a model hook.`;
  const isPowerShell = command === undefined && textMember(hook, "powershell") !== undefined;
  if (isPowerShell || /powershell|pwsh|^cmd$/i.test(textMember(hook, "shell") ?? ""))
    return "It is written for PowerShell. Policies run /bin/sh.";
  if (command === undefined || command.trim() === "") return "It names no command for a shell of Unix.";
  if (isTrue(hook, "async") || isTrue(hook, "asyncRewake"))
    return "It runs in the background and decides nothing. Policies wait for their hooks.";
  const unread = contractOf(at.native, WIDEST_PROFILE).canBlock
    ? missingOf(words.missing, at.event).find(
        (field) => field.includes("_") && new RegExp(`\\b${field}\\b`).test(command),
      )
    : undefined;
  if (unread !== undefined)
    return `It reads ${unread}, which a policy's input does not hold. Write it anew without that field.`;
  if (command.length > COMMAND_CHARACTERS_MAX)
    return `It has more than ${COMMAND_CHARACTERS_MAX} characters. Put it into a file.`;
  if (unkeepable(command) !== null) return "It holds characters that cannot be stored.";
  return null;
}
/** The limit for a script, which leaves space for the wrapper command. */
const COMMAND_CHARACTERS_MAX = LIMITS.commandCharsMax - 8_192;
/** Matches our own commands: an address of this gateway, or a program that asks it. */
export const ASKS_QUARTERDECK =
  /\/v1\/hooks\/[a-z-]+\/|\/api\/v1\/hooks\/|\bquarterdeck(-hook\S*)?\s+hook\b|quarterdeck-hook\./;

/** The command as shell text. A list of arguments is quoted word by word. */
function commandOf(hook: SettingsObject): string | undefined {
  const stated = textMember(hook, "bash") ?? textMember(hook, "command");
  const args = memberOf(hook, "args");
  if (stated === undefined || args === undefined) return stated;
  const words =
    args.kind === "list" ? args.items.map((item) => (item.kind === "scalar" ? String(item.value) : "")) : [];
  return [stated, ...words].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

function timeoutOf(hook: SettingsObject): { timeout?: number } {
  const seconds = numberMember(hook, "timeout") ?? numberMember(hook, "timeoutSec");
  if (seconds === undefined || !(seconds > 0)) return {};
  return { timeout: Math.min(Math.max(Math.ceil(seconds), 1), LIMITS.timeoutSecondsMax) };
}

function folderOf(hook: SettingsObject): { working_dir?: string } {
  const folder = textMember(hook, "cwd");
  return folder === undefined || folder === "" || unkeepable(folder) !== null ? {} : { working_dir: folder };
}

/**
 * The matcher with the client's semantics: plain names match exactly, and any other pattern is searched for in the name. Null if
 * it cannot be converted.
 */
function matcherOf(group: SettingsObject, words: HookWords): string | null {
  const value = memberOf(group, "matcher");
  if (value === undefined || (value.kind === "scalar" && value.value === null)) return "*";
  if (value.kind !== "scalar" || typeof value.value !== "string") return null;
  const stated = value.value.trim();
  if (stated === "" || stated === "*" || stated === ".*") return "*";
  if (unkeepable(stated) !== null) return null;
  const names = stated.split("|").map((name) => name.trim());
  const isNames = names.every((name) => /^[A-Za-z0-9_-]+$/.test(name));
  const matcher = isNames ? (words.matcherNames?.(names) ?? names).join("|") : `.*(${stated}).*`;
  return matcher.length <= LIMITS.matcherCharsMax && compileMatcher(matcher).ok ? matcher : null;
}

interface CarriedEvent {
  readonly event: string;
  readonly native: EventName;
  readonly canRewrite: boolean;
  /** The fields of the client's payload that the script will not get. */
  readonly missing: readonly string[];
}

function noteOf(
  { event: clientEvent, native: event, canRewrite, missing }: CarriedEvent,
  hook: SettingsObject,
  group: SettingsObject,
  isOfSomeTools: boolean,
): string {
  const contract = contractOf(event, WIDEST_PROFILE);
  const isMatched = matcherText(group) !== "";
  const notes = [`Runs on ${event} beside the agent, with the local executor; it needs the script there.`];
  if (contract.canBlock) notes.push("A failure of it denies.");
  if (canRewrite) notes.push("It runs twice for a call: to judge it, and to rewrite it.");
  if ((!contract.matchesTools || isOfSomeTools) && isMatched)
    notes.push("Its matcher selects no tools and is left out: it runs every time.");
  if (memberOf(hook, "if") !== undefined)
    notes.push("Its condition `if` is left out: it runs for every call of the matcher.");
  if (memberOf(hook, "once") !== undefined) notes.push("It runs every time, not once.");
  if (memberOf(hook, "env") !== undefined)
    notes.push("Its variables `env` are left out: set them where the agent runs.");
  if (clientEvent.endsWith("Failure")) notes.push("It runs after successes too.");
  if (event === "post_tool_use")
    notes.push("A block ends the run. It cannot replace the result: an answer that does is a failure.");
  if (event === "stop" || event === "subagent_stop") notes.push("It cannot make the run go on.");
  if (missing.length > 0) notes.push(`Its input does not hold ${missing.join(", ")}.`);
  return notes.join(" ");
}

function matcherText(group: SettingsObject): string {
  const stated = textMember(group, "matcher")?.trim() ?? "";
  return stated === "*" ? "" : stated;
}
