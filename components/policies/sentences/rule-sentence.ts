/** The rules of a policy as sentences: one for each rule of a hook with rules, and one for each other hook. Pure. */
import { BUILTINS } from "@quarterdeck/hooks/contract/builtins";
import type { ClientKnown } from "@quarterdeck/hooks/contract/client-known";
import type { RuleVerdict } from "@quarterdeck/hooks/contract/rules/schema";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import { conditionWords } from "@quarterdeck/hooks/reading/describe-conditions";
import type { Fields } from "@/components/policies/document/intent";
import type { RuleNode } from "@/components/policies/document/rules";
import type { HookNode } from "@/components/policies/document/tree";
import { reasonOf, verdictOf } from "@/components/policies/form/rules/rule-text";
import { momentOf } from "@/components/policies/sentences/event-words";

export interface RuleSentence {
  /** "Before a shell command". */
  readonly when: string;
  readonly tools: readonly string[];
  /** Null for a hook whose verdict is not known from its text. */
  readonly verdict: RuleVerdict | null;
  /** "git push with force". */
  readonly what: string;
  /** The text that the agent or the person reads; empty without one. */
  readonly reason: string;
}

const COMMAND_MAX = 100;
const REASON_MAX = 160;

export interface HookPlace {
  readonly event: string;
  readonly matcher: string | undefined;
}

/** The sentences of a hook; none while its main part is empty. */
export function hookSentences(hook: HookNode, place: HookPlace, clients: readonly ClientKnown[]): RuleSentence[] {
  if (hook.fields.type === "rules") return (hook.rules?.nodes ?? []).map((rule) => ruleSentence(rule, place, clients));
  const what = actionWords(hook.fields);
  if (what === null) return [];
  return [{ ...momentOf({ ...place, rule: null }, clients), verdict: null, what, reason: "" }];
}

function ruleSentence({ fields }: RuleNode, place: HookPlace, clients: readonly ClientKnown[]): RuleSentence {
  const verdict = verdictOf(fields);
  const mark = typeof fields.mark === "string" ? fields.mark : "";
  const conditions = conditionWords(fields);
  const what = verdict === null ? `set the mark ${mark} on ${conditions}` : conditions;
  const reason = truncateToLine(reasonOf(fields), REASON_MAX);
  return { ...momentOf({ ...place, rule: fields }, clients), verdict, what, reason };
}

type Say = (fields: Fields) => string | null;

const ACTIONS: Readonly<Record<string, Say>> = {
  command: ({ command }) => quoted("run", command),
  builtin: builtinWords,
  model: ({ model, name, prompt }) =>
    textOf(model) === "" && textOf(prompt) === ""
      ? null
      : `ask the judge ${textOf(name) || truncateToLine(textOf(prompt), COMMAND_MAX)}${textOf(model) === "" ? "" : ` (${textOf(model)})`}`,
  evaluator: ({ evaluator }) => quoted("ask the evaluator", evaluator),
};

function actionWords(fields: Fields): string | null {
  const type = textOf(fields.type);
  return Object.hasOwn(ACTIONS, type) ? (ACTIONS[type]?.(fields) ?? null) : null;
}

function builtinWords({ command, args }: Fields): string | null {
  const name = textOf(command);
  if (name === "") return null;
  const says = Object.hasOwn(BUILTINS, name) ? BUILTINS[name as keyof typeof BUILTINS].says : ""; // holds: an own key
  const given = Array.isArray(args) && args.length > 0 ? ` (${truncateToLine(args.map(String).join("; "), 80)})` : "";
  return says === ""
    ? `run ${name}${given}`
    : `${says.slice(0, 1).toLowerCase()}${says.slice(1).replace(/\.$/, "")}${given}`;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

function quoted(verb: string, value: unknown): string | null {
  const text = textOf(value);
  return text === "" ? null : `${verb} ${truncateToLine(text, COMMAND_MAX)}`;
}

/** The words with the full stop of a sentence; a text that was cut ends with its dots. */
export const ended = (words: string): string => (words.endsWith("…") ? words : `${words}.`);

/** The sentence as plain text, for assistive technology and tests. */
export function sentenceText({ when, tools, verdict, what, reason }: RuleSentence): string {
  const names = tools.length === 0 ? "" : ` (${tools.join(", ")})`;
  const act = verdict === null ? what : `${verdict === "ask" ? "ask a person about" : verdict} ${what}`;
  return `${when}${names}: ${ended(act)}${reason === "" ? "" : ` “${reason}”`}`;
}
