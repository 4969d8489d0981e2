/** Hooks of a policy's text that ask a model, and what taking a judge prompt's revision does to the text. Pure. */

import { contractOf, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { type JudgeLabel, judgeLabel, parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import { addEntry, blockOf } from "@/components/policies/document/add-entry";
import { applied, type Edit } from "@/components/policies/document/change";
import { setKey } from "@/components/policies/document/edits";
import type { Path } from "@/components/policies/document/yaml-tree";
import { HOOK_ORDER } from "@/components/policies/form/fields";

export interface JudgedHook {
  readonly path: Path;
  readonly event: string;
  /** Its name, or its place in words. */
  readonly title: string;
  readonly label: JudgeLabel | null;
}

/** A prompt revision as a hook stores it. */
export interface JudgeRevision {
  readonly label: JudgeLabel;
  readonly prompt: string;
  readonly model: string;
  /** "" is an answer in plain text. */
  readonly schema: string;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every model hook of a text that can be read, in its order; none otherwise. */
export function judgedHooks(text: string): JudgedHook[] {
  const { base, block } = blockOf(text);
  return Object.entries(block).flatMap(([event, list]) =>
    (Array.isArray(list) ? list : []).flatMap((entry: unknown, at): JudgedHook[] => {
      if (!isFields(entry)) return [];
      if (!Array.isArray(entry.hooks)) return hookAt(entry, [...base, event, at], event);
      return entry.hooks.flatMap((hook: unknown, index) =>
        isFields(hook) ? hookAt(hook, [...base, event, at, "hooks", index], event) : [],
      );
    }),
  );
}

function hookAt(hook: Fields, path: Path, event: string): JudgedHook[] {
  if (hook.type !== "model") return [];
  const label = typeof hook.judge === "string" ? parseJudgeLabel(hook.judge) : null;
  const name = typeof hook.name === "string" && hook.name !== "" ? hook.name : null;
  return [{ path, event, title: name ?? `a judge on ${event}`, label }];
}

/** The text in which the hook at `path` has the revision's prompt, model, schema and label. Nothing else changes. */
export function taken(text: string, path: Path, { label, prompt, model, schema }: JudgeRevision): Edit {
  const fields = { model, ...(schema === "" ? {} : { schema }), prompt, judge: judgeLabel(label) };
  let edit: Edit = { ok: true, changes: [], text };
  for (const [key, value] of Object.entries(fields)) {
    edit = setKey(edit.text, path, key, value, HOOK_ORDER);
    if (!edit.ok) return edit;
  }
  return asOne(text, edit.text);
}

/** A new hook behind the others of the event, with the revision in it. */
export function added(text: string, event: EventName, matcher: string, revision: JudgeRevision): Edit {
  const { label, prompt, model, schema } = revision;
  const hook = {
    name: label.name,
    type: "model",
    judge: judgeLabel(label),
    model,
    ...(schema === "" ? {} : { schema }),
    timeout: 30,
    prompt,
  };
  const item = contractOf(event, WIDEST_PROFILE).matchesTools ? { matcher, hooks: [hook] } : hook;
  return addEntry(text, event, item);
}

/** Several edits as one change: what differs between two texts, from its first to its last character. */
function asOne(before: string, after: string): Edit {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const changes =
    before === after ? [] : [{ from, to: before.length - end, insert: after.slice(from, after.length - end) }];
  return { ok: true, changes, text: applied(before, changes) };
}
