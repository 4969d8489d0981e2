/** The machine's front: one dispatch from input to Result. */
import type { EventName, Lane, Profile } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import type { Plan, PlanProblem } from "./plan.ts";
import type { Clock, Environment, HandlerKind } from "./ports.ts";
import type { DispatchReport } from "./report.ts";

export type ExecutorOptions = ExecutorWorld &
  (
    | { readonly plan: Plan; readonly kinds?: readonly HandlerKind[] }
    | { readonly config: HooksConfig; readonly profile: Profile; readonly kinds: readonly HandlerKind[] }
  );

export interface ExecutorWorld {
  readonly clock: Clock;
  /** What hooks may see of the environment; empty when absent. */
  readonly env?: Environment;
  /** Where hooks run and what an absent `cwd` means. */
  readonly workingDir: string;
}

export interface Dispatch {
  readonly event: EventName;
  readonly lane?: Lane;
  /** Never changed. `hook_event_name` is overwritten and an empty `cwd` filled in what hooks see. */
  readonly input: HookInput;
  readonly signal?: AbortSignal;
  readonly workingDir?: string;
  readonly env?: Environment;
}

export interface Executor {
  readonly plan: Plan;
  readonly problems: readonly PlanProblem[];
  /** Never rejects because a hook failed. Rejects for a bug: an unknown event, an input that is not an object. */
  dispatch(dispatch: Dispatch): Promise<DispatchReport>;
}

export function createExecutor(_options: ExecutorOptions): Executor {
  throw new Error("not written yet");
}
