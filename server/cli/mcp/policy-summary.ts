/** The policy in force as an agent may read it: the watched calls and the rules, but not how a command decides. */
import type { Policy } from "@quarterdeck/client";
import { compileMatcher } from "@quarterdeck/hooks/contract/matcher";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

const LINES_MAX = 200;
const NAME_CHARS_MAX = 200;

export interface SummaryChoice {
  /** Only rules on this event. */
  readonly event?: string | undefined;
  /** Only rules on this tool. */
  readonly tool?: string | undefined;
}

export function summarizePolicy({ revision, policies, hooks }: Policy, choice: SummaryChoice = {}): string {
  if (policies.length === 0) return "No policy is in force for you here. The agent's own checks go on.";
  const named = policies.map(({ name, revision: number }) => `${name} (revision ${number})`).join(", ");
  const lines = Object.entries(hooks)
    .filter(([event]) => choice.event === undefined || event === choice.event)
    .flatMap(([event, entries]) => entries.flatMap((entry) => linesOf(event, entry, choice.tool)));
  const shown = lines.slice(0, LINES_MAX);
  const rest = lines.length > LINES_MAX ? [`... and ${lines.length - LINES_MAX} more. Ask for one event or tool.`] : [];
  const head = `In force: ${named}; effective revision ${revision}. What a rule denies stays denied; everything else is up to your own checks.`;
  if (shown.length === 0) return `${head}\nNo rule is about ${aboutOf(choice)}.`;
  return [head, ...shown, ...rest].join("\n");
}

function aboutOf({ event, tool }: SummaryChoice): string {
  if (tool === undefined) return event ?? "anything";
  return event === undefined ? `the tool ${tool}` : `the tool ${tool} on ${event}`;
}

function linesOf(event: string, entry: Readonly<Record<string, unknown>>, tool: string | undefined): string[] {
  const { hooks, matcher = "" } = entry;
  if (!Array.isArray(hooks)) return tool === undefined ? [`- ${event}: ${ruleOf(entry)}`] : [];
  const pattern = typeof matcher === "string" ? matcher : "";
  if (tool !== undefined && !isAbout(pattern, tool)) return [];
  const tools = pattern === "" || pattern === "*" ? "every tool" : `tools named like ${cut(pattern)}`;
  return hooks.map((hook: unknown) => `- ${event}, ${tools}: ${ruleOf(isObject(hook) ? hook : {})}`);
}

/** A matcher that cannot be read here is taken to be about every tool. */
function isAbout(pattern: string, tool: string): boolean {
  const compiled = compileMatcher(pattern);
  return !compiled.ok || compiled.matches(tool);
}

function ruleOf({ type, name, command, args }: Readonly<Record<string, unknown>>): string {
  const called = typeof name === "string" && name !== "" ? ` "${cut(name)}"` : "";
  if (type === "builtin") {
    const given = Array.isArray(args) && args.length > 0 ? ` with ${cut(JSON.stringify(args))}` : "";
    const asks = command === "ask_a_person" ? ", which asks a person" : "";
    return `the builtin ${cut(String(command))}${called}${given}${asks}`;
  }
  return `${KIND_WORDS[String(type)] ?? "a command"}${called}`;
}

const KIND_WORDS: Readonly<Record<string, string>> = { model: "a judge", rules: "rules on what a call does" };

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const cut = (text: string): string => truncateText(text, NAME_CHARS_MAX);
