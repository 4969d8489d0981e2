/** Runs one input against one set of policies: the real executor's run, with all details for a person. */

import {
  answerOf,
  type ChosenHook,
  compilePlan,
  createExecutor,
  type DispatchReport,
  type EventName,
  explainDispatch,
  type HandlerKind,
  type HookDefinition,
  type HookInput,
  type HookOrigin,
  type HookOutput,
  type HookReport,
  isSkipped,
  type Lane,
  listHookChoices,
  listResultSteps,
  type PlannedHook,
  type PlanSource,
  type Result,
  runsOn,
  type Verdict,
  verdictOfReport,
} from "@quarterdeck/hooks";
import { builtinFacts } from "@quarterdeck/hooks/contract/builtins";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type PermittedHooks, requirePermitted } from "../policies/index.ts";
import { storedClients, unaskedClients } from "./replies.ts";
import type { JudgeReply, PlaygroundHook } from "./schema.ts";
import type { JudgeClients, PlaygroundWorld } from "./world.ts";

export type Judges =
  | { readonly kind: "asked"; readonly clients: JudgeClients }
  | { readonly kind: "unasked" }
  | { readonly kind: "stored"; readonly replies: readonly JudgeReply[] };

export interface PlannedRun {
  readonly hooks: PermittedHooks;
  readonly event: EventName;
  readonly lane: Lane;
  readonly input: HookInput;
  readonly judges: Judges;
  readonly runsAgentHooks: boolean;
  readonly signal?: AbortSignal;
}

export interface HookRunDetail {
  readonly hook: PlannedHook;
  readonly choice: PlaygroundHook["choice"];
  /** The reason why it did not run; "" when it did. */
  readonly why: string;
  readonly report?: HookReport;
  /** The Result with this hook and all before it. */
  readonly step?: Result;
  /** The input that it was given; absent when it was never started. */
  readonly stdin?: string;
  readonly isUnasked: boolean;
}

export interface RunDetail {
  readonly report: DispatchReport;
  /** Every hook of the event, with those of the lane first. */
  readonly hooks: readonly HookRunDetail[];
  /** The verdict of the hooks that answered. */
  readonly verdict: Verdict;
  /** Hooks that would have been asked and were not. */
  readonly missing: readonly HookRunDetail[];
  /** True if the verdict does not depend on the missing hooks. */
  readonly isCertain: boolean;
  readonly says: string;
  readonly answer: HookOutput;
}

/** Runs the hooks and returns the details of the dispatch. Rejects only for an event that the profile does not know. */
export async function runOnce(world: PlaygroundWorld, trial: PlannedRun): Promise<RunDetail> {
  requirePermitted(trial.hooks);
  const { event, lane, input } = trial;
  const { sources, profile, workspaceId, isLeftOut } = trial.hooks;
  const keyOf = keysOf(sources);
  const stdin = new Map<string, string>();
  const unasked = new Set<string>();
  const kinds = kindsOf(world, trial.judges, (path) => void unasked.add(path)).map((kind) =>
    overheard(kind, (place, json) => void stdin.set(keyOf(place), json)),
  );
  const include = (hook: HookDefinition) => !isLeftOut(hook) && runsHere(hook, trial.runsAgentHooks);
  const { plan } = compilePlan({ sources, profile, kinds, include });
  const { clock, env, workingDir, room } = world;
  const executor = createExecutor({ plan, clock, env, workingDir, tenant: workspaceId, ...(room && { room }) });
  const dispatch = { event, lane, input, ...(trial.signal && { signal: trial.signal }) };
  const report = await executor.dispatch(dispatch);

  const folded = listResultSteps(plan, dispatch, report);
  const ran = new Map(report.hooks.map((one, at) => [keyOf(one), { report: one, step: folded[at] }]));
  const all = compilePlan({ sources, profile, kinds }).plan;
  const hooks = listHookChoices(all, event, lane, input.tool_name ?? "").map((chosen): HookRunDetail => {
    const { hook } = chosen;
    const done = ran.get(keyOf(hook));
    const given = stdin.get(keyOf(hook));
    const isUnasked = done !== undefined && unasked.has(hook.path);
    return {
      hook,
      ...choiceOf(chosen, done?.report),
      isUnasked,
      ...(done && { report: done.report }),
      ...(done?.step && { step: done.step }),
      ...(given !== undefined && { stdin: given }),
    };
  });
  const missing = hooks.filter((one) => one.isUnasked || one.choice === "on_agent");
  const verdict = verdictOfReport(report, event);
  const isCertain = missing.length === 0 || isDeniedAnyway(hooks);
  return {
    report,
    hooks,
    verdict,
    missing,
    isCertain,
    says: isCertain ? explainDispatch(report) : unknownBecause(missing),
    answer: answerOf(report.result, event, lane, profile),
  };
}

function kindsOf(world: PlaygroundWorld, judges: Judges, onUnasked: (path: string) => void): readonly HandlerKind[] {
  switch (judges.kind) {
    case "asked":
      return world.kindsAsking(judges.clients);
    case "unasked":
      return world.kindsAsking(unaskedClients(onUnasked));
    case "stored":
      return world.kindsAsking(storedClients(judges.replies, onUnasked));
  }
}

type Place = Pick<HookReport, "origin" | "path">;

/** Two policies may have a hook at the same path. */
function keysOf(sources: readonly PlanSource[]): (place: Place) => string {
  const at = new Map<HookOrigin, number>(sources.map(({ origin }, index) => [origin, index]));
  return ({ origin, path }) => `${at.get(origin) ?? -1} ${path}`;
}

/** The same handler kind, which also passes each hook's input to `heard`. */
function overheard(kind: HandlerKind, heard: (place: Place, inputJson: string) => void): HandlerKind {
  return {
    type: kind.type,
    build(hook, place, profile) {
      const inner = kind.build(hook, place, profile);
      return {
        ...(inner.runsLast && { runsLast: true }),
        ...(inner.patchesArguments && { patchesArguments: true }),
        ...(inner.failsClosed && { failsClosed: true }),
        run(call, signal) {
          heard(place, call.inputJson);
          return inner.run(call, signal);
        },
      };
    },
  };
}

/** True for commands, and for agent-side builtins that can run without the agent. */
function runsHere(hook: HookDefinition, runsAgentHooks: boolean): boolean {
  if (runsOn(hook) === "server") return true;
  if (!runsAgentHooks) return false;
  if (hook.type === "command" || hook.type === "rules") return true;
  return builtinFacts(hook.command)?.places.includes("server") === true;
}

function choiceOf({ hook, choice }: ChosenHook, report: HookReport | undefined): Pick<HookRunDetail, "choice" | "why"> {
  switch (choice.kind) {
    case "not_matched":
      return { choice: "not_matched", why: "The matcher of its entry does not match the tool name." };
    case "duplicate":
      return { choice: "duplicate", why: `The same hook was selected before, as "${choice.of.name}". It runs once.` };
    case "other_lane":
      return { choice: "other_lane", why: `It belongs to the ${choice.lane} lane, which is a pass of its own.` };
    case "selected":
      break;
  }
  if (report?.outcome.kind === "failed" && isSkipped(report.outcome.failure))
    return { choice: "overloaded", why: "The server had too much to do to start it." };
  if (report) return { choice: "ran", why: "" };
  const why =
    hook.definition.type === "builtin"
      ? "It runs beside the agent, and this builtin cannot run anywhere else."
      : "It runs beside the agent. Tick agent-side hooks to run it in the sandbox here.";
  return { choice: "on_agent", why };
}

/** Nothing that a missing hook could say loosens a denial by one that answered. */
function isDeniedAnyway(hooks: readonly HookRunDetail[]): boolean {
  return hooks.some((one) => one.report?.blocked === true && !one.isUnasked);
}

function unknownBecause(missing: readonly HookRunDetail[]): string {
  const names = missing.map(({ hook }) => `"${truncateText(hook.name, 80)}"`);
  const [first = "", ...rest] = names;
  const whose = rest.length === 0 ? first : `${first} and ${rest.length} more`;
  return `The verdict is not known: ${whose} ${rest.length === 0 ? "was" : "were"} not asked.`;
}
