/** docker-agent's permission lists as rules. A pattern for a tool name is exact. A pattern for arguments is not, so it is reported. */
import type { HookDefinition } from "@quarterdeck/hooks/contract/config";
import type { ImportDraft } from "../import/client-import.ts";

export const LISTS = ["deny", "ask", "allow"] as const;
export type ListName = (typeof LISTS)[number];

export interface Permission {
  readonly list: ListName;
  readonly line: number;
  readonly pattern: string;
}

const PATTERN_CHARACTERS_MAX = 200;
/** A colon is part of a name unless an argument follows it. */
const ARGUMENT = /:\w+=/;
const EXACT_NAME = /^[A-Za-z0-9_.:/*-]+$/;

/** Denials and questions come first: docker-agent reads deny, then allow, then ask. */
export function importPermissions(permissions: readonly Permission[], draft: ImportDraft): void {
  const sorted = LISTS.flatMap((name) => permissions.filter(({ list }) => list === name));
  for (const permission of sorted) {
    const { list, line, pattern } = permission;
    const reason = reasonToLeave(permission, permissions);
    if (reason !== null) {
      draft.leave(line, `${list} ${pattern}`, reason);
      continue;
    }
    draft.carry(line, `${list} ${pattern}`, NOTES[list]);
    draft.add({
      event: "pre_tool_use",
      matcher: matcherOf(pattern),
      isPreempting: list !== "allow",
      hook: ruleHook(list, pattern),
    });
  }
}

const NOTES: Readonly<Record<ListName, string>> = {
  deny: "A rule on the tool's name, as exact as the list.",
  ask: "A rule on the tool's name. It asks in every mode; docker-agent's own list yields to balanced, restricted and autonomous.",
  allow: "A rule on the tool's name: nobody is asked about these calls.",
};

function ruleHook(list: ListName, pattern: string): HookDefinition {
  const says = { deny: "denies", ask: "asks about", allow: "allows" }[list];
  const rule = { [list]: `The permission ${pattern} ${says} this call.`, tool: pattern };
  return { name: `imported ${list}`, type: "rules", rules: [rule] } as HookDefinition; // holds: one verdict and one condition
}

/** As in docker-agent, case is ignored and a star matches any text. */
const matcherOf = (pattern: string): string =>
  /^\*+$/.test(pattern) ? "*" : `(?i)${pattern.replaceAll(".", "[.]").replaceAll(/\*+/g, ".*")}`;

function reasonToLeave({ list, pattern }: Permission, all: readonly Permission[]): string | null {
  if (pattern.length > PATTERN_CHARACTERS_MAX || pattern === "")
    return `A pattern has 1 to ${PATTERN_CHARACTERS_MAX} characters.`;
  if (ARGUMENT.test(pattern))
    return "It selects calls by the text of an argument, which no rule does in the same way. Write a rule with command, path or host (docs/rules.md), and keep this list until then.";
  if (!EXACT_NAME.test(pattern))
    return "Its pattern has signs other than letters, digits and *, which rules do not read in the same way.";
  if (list === "ask" && all.some((other) => other.list === "allow" && mayOverlap(other.pattern, pattern)))
    return "An allow of the same lists may lift it, and no allow lifts a question of a policy. Keep it in the list.";
  if (list === "allow" && all.some((other) => other.list === "ask" && mayOverlap(other.pattern, pattern)))
    return "It lifts an ask of the same lists, which no allow of a policy does. Keep it in the list.";
  return null;
}

/** False only if the prefixes before the first star differ, so that no tool name can match both. */
function mayOverlap(one: string, other: string): boolean {
  const [a, b] = [one, other].map((pattern) => (pattern.split(ARGUMENT)[0] ?? "").toLowerCase());
  if (a === undefined || b === undefined) return true;
  const [isLiteralA, isLiteralB] = [EXACT_LITERAL.test(a), EXACT_LITERAL.test(b)];
  if (isLiteralA && isLiteralB) return a === b;
  const [headA, headB] = [headOf(a), headOf(b)];
  const length = Math.min(headA.length, headB.length);
  return headA.slice(0, length) === headB.slice(0, length);
}

const EXACT_LITERAL = /^[a-z0-9_.:/-]+$/;
const headOf = (pattern: string): string => /^[a-z0-9_.:/-]*/.exec(pattern)?.[0] ?? "";
