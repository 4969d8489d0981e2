/**
 * Executors for the playground, also for texts that are never published. A playground run trips no circuit breaker of a
 * policy in force.
 */
import type { Executor, HandlerKind, HookDefinition } from "@quarterdeck/hooks";
import { type PermittedHooks, requirePermitted } from "../publishing/permitted-hooks.ts";
import { type ExecutorEnvironment, executorFor } from "./executor-for.ts";

export interface PlaygroundExecutor {
  /**
   * Runs the hooks with the capacity of the policies in force. Hooks that are left out appear in the report without a
   * verdict. Their verdict is unknown, and the caller must say so.
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
  return {
    type: kind.type,
    build: (hook, place, profile) => (isLeft(hook) ? silent : kind.build(hook, place, profile)),
  };
}
