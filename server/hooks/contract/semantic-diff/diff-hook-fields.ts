/** Describes the changes of a hook, field by field. */
import { contractOf, isEventName, type Profile } from "../events.ts";
import { DEFAULT_TIMEOUT_SECONDS, type HookDefinition } from "../hook.ts";
import { runsOn } from "../placement.ts";
import { diffEvaluatorPolicy, diffRoutingPolicy } from "./diff-evaluator-policies.ts";
import { diffRules } from "./diff-rules.ts";
import type { FieldChange } from "./field-change.ts";
import { formatNameList, formatSeconds, isInline } from "./format-phrases.ts";

/** Every difference between two hooks, including names. Empty and absent lists are equal. */
export function diffHookFields(before: HookDefinition, after: HookDefinition): FieldChange[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof HookDefinition>; // holds: strict objects
  return [...fields].sort(byWeight).flatMap((field) => {
    if (canonical(before[field]) === canonical(after[field])) return [];
    return WORDS[field]?.(before, after) ?? [otherwise(field, before, after)];
  });
}

type Words = (before: HookDefinition, after: HookDefinition) => FieldChange[];

const FAILING: Readonly<Record<string, string>> = {
  warn: "is only warned of",
  ignore: "is ignored",
  block: "blocks",
};
const failing = (hook: HookDefinition) => FAILING[hook.on_error || "warn"] ?? `is "${hook.on_error}"`;
const kindOf = ({ type }: HookDefinition): string => `${type?.startsWith("e") ? "an" : "a"} ${type || "nameless"}`;
const PLACES = { server: "on the server", agent: "beside the agent" } as const;

const WORDS: Partial<Record<keyof HookDefinition, Words>> = {
  name: (before, after) => [
    {
      kind: "field",
      says: after.name ? `was called ${before.name ? `\`${before.name}\`` : "nothing"} before` : "has no name any more",
    },
  ],
  type: (before, after) => [{ kind: "code", says: `is ${kindOf(after)} hook now, before ${kindOf(before)} hook` }],
  command: (before, after) => {
    if (after.type === "builtin" && before.type === "builtin")
      return [{ kind: "code", says: `uses the builtin \`${after.command}\` instead of \`${before.command}\`` }];
    return [textChange("runs", "another command", before.command, after.command)];
  },
  prompt: (before, after) => [textChange("asks", "another question", before.prompt, after.prompt)],
  system_prompt: (before, after) => [systemPromptChange(before.system_prompt, after.system_prompt)],
  evaluator: (before, after) => [
    { kind: "code", says: `asks the evaluator ${named(after.evaluator)} instead of ${named(before.evaluator)}` },
  ],
  evaluator_policy: (before, after) => diffEvaluatorPolicy(before.evaluator_policy, after.evaluator_policy),
  routing_policy: (before, after) => diffRoutingPolicy(before.routing_policy, after.routing_policy),
  args: (before, after) => [
    after.args?.length
      ? {
          kind: "code",
          says: `its arguments are ${formatNameList(after.args)}${before.args?.length ? ` instead of ${formatNameList(before.args)}` : ""}`,
        }
      : { kind: "code", says: `has no arguments any more, before ${formatNameList(before.args ?? [])}` },
  ],
  timeout: (before, after) => {
    const was = before.timeout || DEFAULT_TIMEOUT_SECONDS;
    const is = after.timeout || DEFAULT_TIMEOUT_SECONDS;
    const says =
      was === is
        ? `waits ${formatSeconds(is)} as before; that is ${after.timeout ? "written out" : "left out"} now`
        : `waits ${formatSeconds(is)} instead of ${formatSeconds(was)}`;
    return [{ kind: "timeout", says }];
  },
  on_error: (before, after) => {
    const says =
      failing(before) === failing(after)
        ? `a failure ${failing(after)} as before; that is ${after.on_error ? "written out" : "left out"} now`
        : `a failure ${failing(after)} now; before it ${failing(before)
            .replace(/^(is|was) /, "was ")
            .replace("blocks", "blocked")}`;
    const loosens = before.on_error === "block";
    return [{ kind: "on_error", says, ...(loosens && { mayLoosen: true as const }) }];
  },
  run_on: (before, after) => {
    const says =
      runsOn(before) === runsOn(after)
        ? `runs ${PLACES[runsOn(after)]} as before; that is ${after.run_on ? "written out" : "left out"} now`
        : `runs ${PLACES[runsOn(after)]} instead of ${PLACES[runsOn(before)]}`;
    return [{ kind: "run_on", says }];
  },
  model: (before, after) => [{ kind: "code", says: `asks ${named(after.model)} instead of ${named(before.model)}` }],
  schema: (before, after) => [
    { kind: "code", says: `its reply is read as ${named(after.schema)} instead of ${named(before.schema)}` },
  ],
  resolved_evaluator: (before, after) => [
    {
      kind: "code",
      says: `its evaluator ${named(after.evaluator)} is defined differently`,
      texts: { before: definition(before), after: definition(after) },
    },
  ],
  rules: (before, after) => diffRules(before.rules ?? [], after.rules ?? []),
  judge: (before, after) => [
    { kind: "field", says: `says that its text is from ${named(after.judge)} instead of ${named(before.judge)}` },
  ],
  network: (_before, after) => [
    { kind: "field", says: after.network ? "may use the network now" : "may not use the network any more" },
  ],
  ungrantable: (_before, after) => [
    after.ungrantable
      ? { kind: "field", says: "takes no exceptions now" }
      : { kind: "field", says: "takes exceptions now", mayLoosen: true },
  ],
  strict_output: (_before, after) => [
    {
      kind: "field",
      says: after.strict_output
        ? "fails now when its answer is not exactly usable"
        : "takes loosely written answers now",
    },
  ],
  env: (before, after) => {
    const [was, is] = [before.env ?? {}, after.env ?? {}];
    const set = Object.keys(is).filter((name) => !(name in was));
    const gone = Object.keys(was).filter((name) => !(name in is));
    const changed = Object.keys(is).filter((name) => name in was && is[name] !== was[name]);
    const parts = [
      ...(set.length > 0 ? [`sets ${formatNameList(set)}`] : []),
      ...(changed.length > 0 ? [`sets ${formatNameList(changed)} to another value`] : []),
      ...(gone.length > 0 ? [`does not set ${formatNameList(gone)} any more`] : []),
    ];
    return [{ kind: "field", says: parts.join(", ") }];
  },
  working_dir: (before, after) => [
    {
      kind: "field",
      says: `runs in ${named(after.working_dir, "the agent's directory")} instead of ${named(before.working_dir, "the agent's directory")}`,
    },
  ],
};

const ORDER = [
  "type",
  "command",
  "args",
  "prompt",
  "system_prompt",
  "model",
  "evaluator",
  "resolved_evaluator",
  "evaluator_policy",
  "routing_policy",
  "schema",
  "rules",
  "on_error",
  "run_on",
  "timeout",
];
const byWeight = (a: string, b: string): number => weight(a) - weight(b);
const weight = (field: string): number => (ORDER.indexOf(field) + ORDER.length + 1) % (ORDER.length + 1);

const named = (value: string | undefined, none = "nothing"): string => (value ? `\`${value}\`` : none);

function textChange(verb: string, what: string, was = "", is = ""): FieldChange {
  const texts = { before: was, after: is };
  const says = isInline(was) && isInline(is) ? `${verb} ${named(is)} instead of ${named(was)}` : `${verb} ${what}`;
  return { kind: "code", says, texts };
}

/** A hook without its own system message uses the fixed one. */
function systemPromptChange(was = "", is = ""): FieldChange {
  const says =
    was === ""
      ? "gives the model a system message of its own"
      : is === ""
        ? "gives the model the fixed system message again"
        : "gives the model another system message";
  return { kind: "code", says, texts: { before: was, after: is } };
}

const definition = ({ resolved_evaluator }: HookDefinition): string =>
  JSON.stringify(resolved_evaluator ?? {}, null, 2);

function otherwise(field: keyof HookDefinition, before: HookDefinition, after: HookDefinition): FieldChange {
  const texts = { before: canonical(before[field]), after: canonical(after[field]) };
  return { kind: "field", says: `its \`${field}\` is another`, texts };
}

/** A text that is equal for equivalent values: absent, empty and false are equivalent. */
function canonical(value: unknown): string {
  if (value === undefined || value === null || value === "" || value === false) return "";
  if (Array.isArray(value)) return value.length === 0 ? "" : JSON.stringify(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.length === 0 ? "" : JSON.stringify(entries);
}

/** True if a hook of this event may block something. */
export const isGateEvent = (event: string, profile: Profile): boolean =>
  isEventName(event, profile) && contractOf(event, profile).canBlock;
