/** Executors for trying: of texts that may never be in force. What is tried trips no circuit of what is in force. */
import type { Executor, HandlerKind, HookDefinition, PlanSource, Profile } from "../hooks/index.ts";
import { runsOn } from "../hooks/index.ts";
import { type ExecutorSurroundings, executorFor } from "./executor-for.ts";

export interface Trials {
  /** Runs the hooks of `sources` as the server would, judges included. Shares the room with what is in force. */
  executorOf(sources: readonly PlanSource[], profile: Profile, workspaceId: string): Executor;
  /**
   * The same without asking anybody: a hook that would ask a model, or that runs beside the agent, is in the report and
   * says nothing. What it would have said is unknown, and the caller has to say so.
   */
  unaskedOf(sources: readonly PlanSource[], profile: Profile, workspaceId: string): Executor;
}

export type TrialsOptions = Omit<ExecutorSurroundings, "breakers">;

export function createTrials(options: TrialsOptions): Trials {
  const unasked = { ...options, kindsOf: (workspaceId: string) => options.kindsOf(workspaceId).map(silentWhereAsked) };
  return {
    executorOf: (sources, profile, workspaceId) => executorFor(options, { sources, profile, workspaceId }).executor,
    unaskedOf: (sources, profile, workspaceId) =>
      executorFor(unasked, { sources, profile, workspaceId, include: () => true }).executor,
  };
}

/** Whether a hook's answer cannot be had by running it here: somebody else gives it. */
export const isAnsweredElsewhere = (hook: HookDefinition): boolean => hook.type === "model" || runsOn(hook) === "agent";

function silentWhereAsked(kind: HandlerKind): HandlerKind {
  return {
    type: kind.type,
    build: (hook, place) =>
      isAnsweredElsewhere(hook)
        ? { run: () => Promise.resolve({ kind: "answered", output: null }) }
        : kind.build(hook, place),
  };
}
