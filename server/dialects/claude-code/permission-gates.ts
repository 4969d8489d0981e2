/** The gates of permission rules: a script for each kind of tool, with a line for each rule. */
import { gateScript, shellGateScript } from "@quarterdeck/hooks/contract/gate-scripts";
import { guardedNamesOf, type ToolKind } from "@quarterdeck/hooks/contract/tool-kinds";
import { inAnyCase } from "./permission-patterns.ts";

export type GateFamily = "shell" | "read" | "edit" | "fetch" | "agent";
export interface PermissionGate {
  readonly family: GateFamily;
  readonly pattern: string;
}
export interface GateRule extends PermissionGate {
  readonly action: "deny" | "ask";
  readonly rule: string;
}

/** Commands that read or write the files in their arguments. */
const READERS =
  "(cat|tac|head|tail|sed|awk|gawk|grep|egrep|fgrep|rg|less|more|nl|od|xxd|hexdump|strings|cut|sort|uniq|diff|cp|mv|ln|dd|tar|zip|gzip|split|paste|comm|cmp|jq|openssl|gpg|scp|sftp|rsync|rclone|base64|source|[.])";
const WRITERS = "(sed|tee|cp|mv|rm|ln|dd|touch|truncate|install|patch|shred|unlink|chmod|chown)";
/** The options of curl and wget that send or read a file. An address that ends in the name of the file does not match. */
const UPLOADS =
  "(curl|wget)[[:space:]](.*[[:space:]])?((-[A-Za-z#]*[TK]|--(upload-file|config|post-file|body-file))[=[:space:]]*|[^[:space:]:/]*@|file:)([^[:space:]]*/)?";
const ENDS = "([/[:space:]].*)?$";
const BEFORE = "(.*[/[:space:]=<>@])?";

/** The gates of a rule. A rule about a path also applies to shell commands. */
export function gatesOf(family: GateFamily, pattern: string): PermissionGate[] {
  const inShell = inAnyCase(pattern);
  switch (family) {
    case "read":
      return [
        { family, pattern: `^${BEFORE}(${pattern})${ENDS}` },
        { family: "shell", pattern: `${READERS}[[:space:]]${BEFORE}(${inShell})${ENDS}` },
        { family: "shell", pattern: `${UPLOADS}(${inShell})${ENDS}` },
        { family: "shell", pattern: `.*<[[:space:]]*${BEFORE}(${inShell})${ENDS}` },
      ];
    case "edit":
      return [
        {
          family,
          pattern: `^[[:space:]]*([*]{3}[[:space:]][a-z[:space:]]+:[[:space:]]*)?(.*/)?(${pattern})(/.*)?[[:space:]]*$`,
        },
        { family: "shell", pattern: `${WRITERS}[[:space:]]${BEFORE}(${inShell})${ENDS}` },
        { family: "shell", pattern: `.*>[[:space:]]*${BEFORE}(${inShell})${ENDS}` },
      ];
    default:
      return [{ family, pattern }];
  }
}

const KINDS: Readonly<Record<GateFamily, readonly ToolKind[]>> = {
  shell: ["shell"],
  read: ["read", "search"],
  edit: ["write", "edit"],
  fetch: ["fetch"],
  agent: ["agent"],
};

/** Matches every client's tools of this kind, because the rule applies to every client that the policy binds. */
export function familyMatcher(family: GateFamily): string {
  return KINDS[family].flatMap(guardedNamesOf).join("|");
}

const LOWER = `text=$(printf '%s\\n' "$text" | LC_ALL=C tr 'A-Z' 'a-z')`;
/** Normalizes a path: removes `.`, repeated slashes, and `..` after a name. */
const NORMAL = String.raw`text=$(printf '%s\n' "$text" | LC_ALL=C sed -E -e ':a' -e 's#/(\./)+#/#g' -e 's#//+#/#g' -e 's#[^/[:space:]]*[^/.[:space:]][^/[:space:]]*/\.\.(/|$)##' -e 'ta')`;
/** Replaces Windows backslashes before the JSON is read. */
const SLASHES = String.raw`sed 's#\\\\#/#g' | `;

/** The limit of rules per script. Each rule that may match starts a process, and commands have a maximum length. */
const RULES_PER_SCRIPT = 60;
const PATTERN_CHARACTERS_PER_SCRIPT = 20_000;

/** The scripts for the rules of a family, denials first. */
export function gateScripts(family: GateFamily, rules: readonly GateRule[]): string[] {
  const sorted = [
    ...rules.filter(({ action }) => action === "deny"),
    ...rules.filter(({ action }) => action === "ask"),
  ];
  const parts: GateRule[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const rule of sorted) {
    const last = parts.at(-1);
    characters += rule.pattern.length;
    if (last && last.length < RULES_PER_SCRIPT && characters <= PATTERN_CHARACTERS_PER_SCRIPT) last.push(rule);
    else {
      parts.push([rule]);
      characters = rule.pattern.length;
    }
  }
  return parts.map((part) => gateOf(family, [noneHolds(part), ...part.map(lineOf)].join("\n")));
}

/** A first search for any pattern. Most calls match no rule and end here. */
function noneHolds(rules: readonly GateRule[]): string {
  const any = [...new Set(rules.map(({ pattern }) => `(${pattern})`))].join("|");
  return `printf '%s\\n' "$text" | LC_ALL=C grep -Eq -e "$at"'(${any})'\n[ $? = 1 ] && exit 0`;
}

function gateOf(family: GateFamily, lines: string): string {
  switch (family) {
    case "shell":
      return shellGateScript(lines);
    case "read":
    case "edit":
      return gateScript(`${LOWER}\n${NORMAL}\n${lines}`, "tool_input", SLASHES);
    case "fetch":
      return gateScript(`${LOWER}\n${lines}`);
    case "agent":
      return gateScript(lines);
  }
}

const lineOf = ({ action, pattern, rule }: GateRule) => `when ${action} '${pattern}' '${reasonOf(action, rule)}'`;

/** A reason without special characters for the shell, printf or JSON. */
export function reasonOf(action: "deny" | "ask" | "allow", rule: string): string {
  const shown = [...rule]
    .slice(0, 120)
    .join("")
    .replaceAll(/[^A-Za-z0-9 ._:/*(),~@+=-]/g, "?");
  const does = { deny: "denies this call", ask: "asks about this call", allow: "allows this call" }[action];
  return `The rule ${shown} ${does}.`;
}

/** The command of a hook that always gives one verdict. */
export function verdictCommand(action: "deny" | "ask" | "allow", rule: string): string {
  const verdict = { permission_decision: action, permission_decision_reason: reasonOf(action, rule) };
  return `printf '%s\\n' '${JSON.stringify({ hook_specific_output: verdict })}'`;
}
