/** Executors for trying: of texts that may never be in force. What is tried trips no circuit of what is in force. */
import type { Executor, HandlerKind, HookDefinition } from "@quarterdeck/hooks";
import { type PermittedHooks, requirePermitted } from "../publishing/permitted-hooks.ts";
import { type ExecutorEnvironment, executorFor } from "./executor-for.ts";

export interface PlaygroundExecutor {
  /**
   * Runs the hooks, in the room of what is in force, except those that are left out: they are in the report and say
   * nothing. What they would have said is unknown, and the caller has to say so.
   */
  executorOf(hooks: PermittedHooks): Executor;
}

export type PlaygroundExecutorOptions = Omit<ExecutorEnvironment, "breakers">;

export function createPlaygroundExecutor({ kindsOf, ...options }: PlaygroundExecutorOptions): PlaygroundExecutor {
  return {
    executorOf(hooks) {
      requirePermitted(hooks);
      const { sources, profile, workspaceId, isLeftOut } = hooks;
      const leaving = (id: string) => kindsOf(id).map((kind) => leavingOut(kind, isLeftOut));
      const environment = { ...options, kindsOf: leaving };
      return executorFor(environment, { sources, profile, workspaceId, include: () => true }).executor;
    },
  };
}

function leavingOut(kind: HandlerKind, isLeft: (hook: HookDefinition) => boolean): HandlerKind {
  const silent = { run: () => Promise.resolve({ kind: "answered", output: null } as const) };
  return { type: kind.type, build: (hook, place) => (isLeft(hook) ? silent : kind.build(hook, place)) };
}
