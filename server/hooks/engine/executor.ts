/** The machine's front: finds who a dispatch concerns. Nobody, most of the time; that answer costs next to nothing. */
import { type EventName, isEventName, type Lane, type Profile } from "../contract/events.ts";
import type { HooksConfig } from "../contract/hook.ts";
import type { HookInput } from "../contract/input.ts";
import type { Breakers } from "./breaker.ts";
import { compilePlan } from "./compile.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import { dispatchHooks } from "./dispatch.ts";
import type { LiftVerdict } from "./lift-verdict.ts";
import { lanePlan, type Plan, type PlanProblem } from "./plan.ts";
import type { Asker, Clock, Environment, HandlerKind } from "./ports.ts";
import type { DispatchReport } from "./report.ts";
import { NEUTRAL } from "./result.ts";
import { selectHooks } from "./select.ts";

export type ExecutorOptions = ExecutorWorld &
  (
    | { readonly plan: Plan; readonly kinds?: readonly HandlerKind[] }
    | { readonly config: HooksConfig; readonly profile: Profile; readonly kinds: readonly HandlerKind[] }
  );

export interface ExecutorWorld {
  readonly clock: Clock;
  /** The variables of the environment that hooks may see; empty when absent. */
  readonly env?: Environment;
  /** Where hooks run and what an absent `cwd` means. */
  readonly workingDir: string;
  /** Whose executor this is, for what executors share. */
  readonly tenant?: string;
  /** The limit on hooks under way; no bound when absent. */
  readonly room?: ConcurrencyLimit;
  /** The breakers of hooks that failed too often to be started; all are started when absent. */
  readonly breakers?: Breakers;
}

export interface Dispatch {
  readonly event: EventName;
  readonly lane?: Lane;
  /** Never changed. `hook_event_name` is overwritten and an empty `cwd` filled in what hooks see. */
  readonly input: HookInput;
  readonly signal?: AbortSignal;
  readonly workingDir?: string;
  readonly env?: Environment;
  readonly asker?: Asker;
  /** Asked about each question and denial of a hook; all of them stand when absent. */
  readonly liftVerdict?: LiftVerdict;
}

export interface Executor {
  readonly plan: Plan;
  readonly problems: readonly PlanProblem[];
  /** Never rejects because a hook failed. Rejects for a bug: an unknown event, an input that is not an object. */
  dispatch(dispatch: Dispatch): Promise<DispatchReport>;
}

const NOTHING_RAN: Promise<DispatchReport> = Promise.resolve(
  Object.freeze({ result: NEUTRAL, hooks: Object.freeze([]), durationMs: 0 }),
);

/** An executor for a plan, or for a config that it compiles first; `problems` holds what did not compile. */
export function createExecutor(options: ExecutorOptions): Executor {
  const { plan, problems } =
    "plan" in options
      ? { plan: options.plan, problems: [] }
      : compilePlan({
          sources: [{ origin: {}, hooks: options.config }],
          profile: options.profile,
          kinds: options.kinds,
        });
  return {
    plan,
    problems,
    dispatch(dispatch) {
      if (!isEventName(dispatch.event, plan.profile)) {
        return Promise.reject(new Error(`unknown hook event "${String(dispatch.event)}"`));
      }
      if (typeof dispatch.input !== "object" || dispatch.input === null) {
        return Promise.reject(new Error("hook input must not be nil"));
      }
      const lane = lanePlan(plan, dispatch.event, dispatch.lane ?? "default");
      if (!lane) return NOTHING_RAN;
      const hooks = selectHooks(lane, dispatch.input.tool_name ?? "");
      if (hooks.length === 0) return NOTHING_RAN;
      return dispatchHooks(hooks, {
        profile: plan.profile,
        event: dispatch.event,
        lane: dispatch.lane ?? "default",
        input: dispatch.input,
        clock: options.clock,
        env: dispatch.env ?? options.env ?? {},
        workingDir: dispatch.workingDir ?? options.workingDir,
        signal: dispatch.signal,
        asker: dispatch.asker,
        tenant: options.tenant ?? "",
        room: options.room,
        breakers: options.breakers,
        liftVerdict: dispatch.liftVerdict,
      });
    },
  };
}
