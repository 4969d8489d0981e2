/**
 * The masking of a workspace: the built-in detection of secrets, then its own patterns, detectors and fields. Rules see the
 * original; everything that is stored, judged, shown or sent is masked by this one function.
 */

import { isEmptyMasking, type MaskedField, type MaskingSetting } from "../contract/masking-setting.ts";
import { compileMatcher } from "../contract/matcher.ts";
import { maskText } from "../handlers/builtin/secrets/mask-text.ts";
import { REDACTED, redactText } from "../handlers/builtin/secrets/redact.ts";
import { findEmails } from "./detectors/email.ts";
import { NATIONAL_IDS } from "./detectors/national-ids.ts";
import { findCards, findIbans, findPhones, rangesOf } from "./detectors/numbers.ts";
import { type FieldRules, fieldRulesOf } from "./field-rules.ts";
import { type JsonPath, rewriteContent } from "./json-content.ts";
import { compileMaskPatterns, newBudget, type SearchBudget } from "./mask-patterns.ts";
import { type MaskHits, type MaskSpan, replaceSpans } from "./mask-spans.ts";
import type { MaskedCall, MaskedShape } from "./masked-call.ts";

export interface MaskedTexts {
  /** A plain text without what is masked. `hits` counts what the workspace's own rules took away. */
  text(text: string, call?: MaskedCall, hits?: MaskHits): string;
  /** The same for a JSON text, which stays valid and keeps its shape. Names and ids of its shape are kept. */
  json(json: string, shape: MaskedShape, call?: MaskedCall, hits?: MaskHits): string;
}

export interface Masking extends MaskedTexts {
  /** True if the workspace has masking of its own. */
  readonly isOwn: boolean;
  readonly setting: MaskingSetting;
  /** Without the built-in part, while a workspace stores secrets (raw capture). */
  readonly ownOnly: MaskedTexts;
}

/** The id under which removed fields are counted. */
export const FIELD_HITS = "field";

const NONE: MaskingSetting = { patterns: [], fields: [], detectors: [], nationalIds: [] };
const KEEPS_ALL: MaskedTexts = { text: (text) => text, json: (json) => json };

/** The masking of a workspace without one of its own. */
export const BUILT_IN_MASKING: Masking = {
  isOwn: false,
  setting: NONE,
  text: redactText,
  json: maskText,
  ownOnly: KEEPS_ALL,
};

const hidden = (text: string): string => (text === "" ? text : REDACTED);
const hiding: MaskedTexts = {
  text: hidden,
  json: (json, shape) =>
    rewriteContent(json, { isContent: CONTENT[shape], isRemoved: null, text: hidden, key: (key) => key }),
};
/** Hides every text: for a workspace whose masking cannot be read. */
export const HIDING_MASKING: Masking = { isOwn: true, setting: NONE, ...hiding, ownOnly: hiding };

/** Errors: RE2's own for a pattern that does not compile, and `Error` for a matcher that does not. */
export function createMasking(setting: MaskingSetting): Masking {
  if (isEmptyMasking(setting)) return BUILT_IN_MASKING;
  const own = createOwn(setting);
  return {
    isOwn: true,
    setting,
    text: (text, call, hits) => own.text(redactText(text), call, hits),
    json: (json, shape, call, hits) => own.json(maskText(json), shape, call, hits),
    ownOnly: own,
  };
}

/** The masking of a workspace without the built-in part. */
function createOwn(setting: MaskingSetting): MaskedTexts {
  const find = finderOf(setting);
  const fieldsOf = fieldsByTool(setting.fields);

  function masked(whole: string, values: readonly string[], budget: SearchBudget, hits?: MaskHits): string {
    const text = maskWithin(whole, (inner) => masked(inner, values, budget, hits));
    const spans = find(text, budget);
    return replaceSpans(text, values.length === 0 ? spans : [...spans, ...spansOfValues(text, values)], hits);
  }

  return {
    text: (text, call, hits) => masked(text, fieldsOf(call)?.values(call) ?? [], newBudget(), hits),
    json(json, shape, call, hits) {
      const fields = fieldsOf(call);
      const values = fields?.values(call) ?? [];
      const budget = newBudget();
      const withoutFields = (text: string): string => (shape === "hooks" && fields ? removeIn(text, fields) : text);
      return rewriteContent(json, {
        isContent: CONTENT[shape],
        isRemoved: fields?.isRemoved(shape) ?? null,
        onRemoved: () => void hits?.set(FIELD_HITS, (hits.get(FIELD_HITS) ?? 0) + 1),
        text: (text) => masked(withoutFields(text), values, budget, hits),
        key: (key) => masked(key, [], budget),
      });
    },
  };
}

/** A JSON text with escapes, of which every text is masked: a pattern does not match them as they are written. */
function maskWithin(text: string, mask: (inner: string) => string): string {
  if (!ESCAPED_JSON.test(text) || !isJson(text)) return text;
  return rewriteContent(text, { isContent: () => true, isRemoved: null, text: mask, key: mask });
}
const ESCAPED_JSON = /^\s*[[{][^\\]*\\/;

/** The output of a hook without the fields, where it is an answer that replaces them. */
function removeIn(text: string, fields: FieldRules): string {
  if (!/^\s*\{/.test(text) || !isJson(text)) return text;
  const kept = { isContent: () => false, text: (one: string) => one, key: (one: string) => one };
  return rewriteContent(text, { ...kept, isRemoved: fields.isRemoved("answer") });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function finderOf({ patterns, detectors, nationalIds }: MaskingSetting) {
  const findPatterns = compileMaskPatterns(patterns);
  const found = {
    email: findEmails,
    phone: findPhones,
    card: findCards,
    iban: findIbans,
  } as const;
  const searches = [
    ...detectors.map((name) => ({ id: name as string, find: found[name] })),
    ...nationalIds.map((country) => {
      const { pattern, isValid } = NATIONAL_IDS[country];
      return { id: `id_${country}`, find: (text: string) => rangesOf(text, pattern, isValid) };
    }),
  ];
  return (text: string, budget: SearchBudget): readonly MaskSpan[] => {
    const spans = [...findPatterns(text, budget)];
    for (const { id, find } of searches) for (const [start, end] of find(text)) spans.push({ id, start, end });
    return spans;
  };
}

/** The rules for the fields of a call's tool, made once for each tool; null without any. */
function fieldsByTool(fields: readonly MaskedField[]): (call: MaskedCall | undefined) => FieldRules | null {
  const matchers = fields.map(({ tool, path }) => {
    const matcher = compileMatcher(tool);
    if (!matcher.ok) throw new Error(`the tool ${JSON.stringify(tool)} does not compile: ${matcher.message}`);
    return { matches: matcher.matches, path: path.split(".") };
  });
  if (matchers.length === 0) return () => null;
  const known = new Map<string, FieldRules | null>();
  return (call) => {
    const tool = typeof call?.tool_name === "string" ? call.tool_name : "";
    const before = known.get(tool);
    if (before !== undefined) return before;
    const paths = matchers.filter(({ matches }) => matches(tool)).map(({ path }) => path);
    const rules = paths.length === 0 ? null : fieldRulesOf(paths);
    if (known.size >= TOOLS_MAX) known.clear();
    known.set(tool, rules);
    return rules;
  };
}
const TOOLS_MAX = 1_000;

function spansOfValues(text: string, values: readonly string[]): MaskSpan[] {
  const spans: MaskSpan[] = [];
  for (const value of values)
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      spans.push({ id: FIELD_HITS, start: at, end: at + value.length });
  return spans;
}

/** Members of an input that name things: figures, lists and rules are by them. */
const INPUT_NAMES: ReadonlySet<string> = new Set([
  ...["session_id", "parent_session_id", "hook_event_name", "agent_name", "model_id", "invocation_id", "step_id"],
  ...["request_id", "tool_category", "tool_name", "tool_use_id", "safety_policy", "safety_label", "source"],
  ...["from_agent", "to_agent", "agent_switch_kind", "from_agent_models", "approval_decision", "approval_source"],
  ...["notification_level", "compaction_reason", "usage"],
]);
const EXTENSION_NAMES: ReadonlySet<string> = new Set(["dialect", "client_event", "cost_source"]);
const ANSWER_WORDS: ReadonlySet<string> = new Set(["decision", "hook_event_name", "permission_decision", "role"]);
const HOOK_TEXTS: ReadonlySet<string> = new Set([
  ...["failure", "tolerated", "stdout", "stderr", "system", "prompt", "reply"],
]);

const CONTENT: Readonly<Record<MaskedShape, (path: JsonPath, depth: number) => boolean>> = {
  input(path, depth) {
    const [name = "", inner = ""] = path;
    return !INPUT_NAMES.has(name) && !(name === "ext" && depth === 2 && EXTENSION_NAMES.has(inner));
  },
  tool_input: () => true,
  answer: (path, depth) => depth > 2 || !ANSWER_WORDS.has(path[depth - 1] ?? ""),
  hooks: (path, depth) => depth >= 2 && HOOK_TEXTS.has(path[depth - 1] ?? ""),
};
