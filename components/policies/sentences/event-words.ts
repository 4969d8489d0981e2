/** The moment of a rule in words: its event and its tools, by the names that clients use. Pure. */
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { listMatcherNames, selectsAll } from "@quarterdeck/hooks/contract/lint/matchers";
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import {
  findMatcherKind,
  SELECTABLE_KINDS,
  type SelectableKind,
  toolKindOf,
  toolNamesOf,
} from "@quarterdeck/hooks/contract/tool-kinds";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import type { Fields } from "@/components/policies/document/intent";

export interface Moment {
  /** "Before a shell command". */
  readonly when: string;
  /** The tool names that the clients of the bound agents use; empty where the moment has no certain tool. */
  readonly tools: readonly string[];
}

const TOOLS_MAX = 6;
/** Names of a kind that are shown while no client of a bound agent is known. */
const USUAL_MAX = 3;

/** The words around the tool, for events with a matcher. An event that is absent stands for itself. */
const AROUND: Readonly<Record<string, readonly [before: string, after: string]>> = {
  tool_input_transform: ["Before", " is judged"],
  tool_guard: ["Before", ""],
  pre_tool_use: ["Before", ""],
  permission_request: ["Before a person is asked to approve", ""],
  on_tool_approval_decision: ["After the final decision on", ""],
  tool_response_transform: ["Before the model reads the answer of", ""],
  post_tool_use: ["After", ""],
};

const KIND_NOUNS: Readonly<Record<SelectableKind, string>> = {
  shell: "a shell command",
  write: "a file write",
  edit: "a file edit",
  read: "a file read",
  search: "a search",
  fetch: "a web request",
  mcp: "an MCP tool call",
  agent: "a sub-agent call",
};

export interface RuleTarget {
  readonly event: string;
  /** Undefined on events without matchers. */
  readonly matcher: string | undefined;
  /** The conditions of the rule; a condition on commands narrows a matcher that selects every tool. */
  readonly rule: Fields | null;
}

export function momentOf({ event, matcher, rule }: RuleTarget, clients: readonly ClientKnown[]): Moment {
  const around = Object.hasOwn(AROUND, event) ? AROUND[event] : undefined;
  if (matcher === undefined || around === undefined) return { when: eventTitle(event), tools: [] };
  const { noun, tools } = toolsOf(matcher, rule, clients);
  return { when: `${around[0]} ${noun}${around[1]}`, tools };
}

function toolsOf(matcher: string, rule: Fields | null, clients: readonly ClientKnown[]) {
  const kind = kindOf(matcher, rule);
  if (kind !== null) return { noun: KIND_NOUNS[kind], tools: toolNames(matcher, kind, clients) };
  if (selectsAll(matcher)) return { noun: "a tool call", tools: [] };
  const names = listMatcherNames(matcher);
  if (names !== null) return { noun: "a tool call", tools: names.slice(0, TOOLS_MAX) };
  return { noun: `a call of a tool that fits ${truncateToLine(matcher, 60)}`, tools: [] };
}

/** The one kind of tool that the rule is about; null for several kinds and for other tools. */
function kindOf(matcher: string, rule: Fields | null): SelectableKind | null {
  const exact = findMatcherKind(matcher)?.kind;
  if (exact) return exact;
  if (selectsAll(matcher)) return rule !== null && onlyCommands(rule) ? "shell" : null;
  const kinds = [...new Set((listMatcherNames(matcher) ?? []).map(toolKindOf))];
  return kinds.length === 1 ? (SELECTABLE_KINDS.find(({ kind }) => kind === kinds[0])?.kind ?? null) : null;
}

/** True if the rule can match commands only, in each of its alternatives. */
function onlyCommands(rule: Fields): boolean {
  if (rule.command !== undefined || rule.kind === "shell" || rule.label !== undefined) return true;
  const { any, all } = rule;
  if (Array.isArray(all) && all.some(onlyCommands)) return true;
  return Array.isArray(any) && any.length > 0 && any.every(onlyCommands);
}

function toolNames(matcher: string, kind: SelectableKind, clients: readonly ClientKnown[]): string[] {
  const compiled = compileMatcher(matcher);
  const fits = (name: string) => compiled.ok && compiled.matches(name);
  const known = [...new Set(clients.flatMap(({ tools }) => tools[kind] ?? []))].filter(fits);
  if (known.length > 0) return known.slice(0, TOOLS_MAX);
  return toolNamesOf(kind).filter(fits).slice(0, USUAL_MAX);
}
