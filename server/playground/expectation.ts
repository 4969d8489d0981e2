/** Compares a run with the expectations of a case, and describes the differences in words. */

import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { payloadOf } from "./report.ts";
import type { HookRunDetail, RunDetail } from "./run.ts";
import type { CaseExpectation } from "./schema.ts";

const SHOWN_CHARS_MAX = 300;

/** The differences, as one sentence each; empty if all expectations hold. */
export function differences(expect: CaseExpectation, tried: RunDetail): string[] {
  const { result } = tried.report;
  const said = [result.message, result.decision_reason, result.system_message].filter((text) => text !== "").join("\n");
  return [
    ...tried.hooks.filter((one) => one.isUnasked).map(unasked),
    ...differs("verdict", expect.verdict, tried.verdict),
    ...differs("allowed", expect.allowed, result.allowed),
    ...lacks("message", expect.message, said),
    ...lacks("context", expect.context, result.additional_context),
    ...rewrites(expect.rewritten, payloadOf(result)),
    ...Object.entries(expect.hooks ?? {}).flatMap(([hook, wanted]) => hookDiffers(tried.hooks, hook, wanted)),
  ];
}

function unasked({ hook }: HookRunDetail): string {
  return `The judge ${quoted(hook.name)} (${hook.path}) has no stored reply in this case, and nobody else is asked.`;
}

function differs(what: string, wanted: unknown, got: unknown): string[] {
  return wanted === undefined || wanted === got ? [] : [`${what}: expected ${String(wanted)}, got ${String(got)}.`];
}

function lacks(what: string, wanted: string | undefined, got: string): string[] {
  if (wanted === undefined || got.includes(wanted)) return [];
  return [`${what}: expected to find ${quoted(wanted)}, got ${got === "" ? "none" : quoted(got)}.`];
}

function rewrites(wanted: CaseExpectation["rewritten"], got: unknown): string[] {
  if (wanted === undefined || sorted(wanted) === sorted(got)) return [];
  const words = (value: unknown) => (value === null ? "no rewrite" : shown(sorted(value)));
  return [`rewritten: expected ${words(wanted)}, got ${words(got)}.`];
}

function hookDiffers(hooks: readonly HookRunDetail[], name: string, wanted: string): string[] {
  const found = hooks.find(({ hook }) => hook.path === name) ?? hooks.find(({ hook }) => hook.name === name);
  if (!found) return [`hook ${quoted(name)}: this event has no hook of that name or path.`];
  const got = found.report ? found.report.said : "not_run";
  if (got === wanted) return [];
  const why = found.report?.error ?? found.why;
  return [`hook ${quoted(name)}: expected ${wanted}, got ${got}${why === "" ? "" : ` (${shown(why)})`}.`];
}

/** JSON with its keys in order, so that two values are equal when their texts are. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const shown = (text: string): string => truncateText(text, SHOWN_CHARS_MAX);
const quoted = (text: string): string => `"${shown(text.trim())}"`;
