/** The engine's entry point: finds the hooks of a dispatch. Usually it finds no hook, and that answer costs almost nothing. */
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
  /** The environment variables that hooks may see; empty by default. */
  readonly env?: Environment;
  /** The working directory of hooks, and the default `cwd`. */
  readonly workingDir: string;
  /** The owner of this executor, for limits that executors share. */
  readonly tenant?: string;
  /** The limit on running hooks; unlimited by default. */
  readonly room?: ConcurrencyLimit;
  /** The circuit breakers; by default, every hook is started. */
  readonly breakers?: Breakers;
}

export interface Dispatch {
  readonly event: EventName;
  readonly lane?: Lane;
  /** Never changed. Hooks see it with `hook_event_name` set, and with a default for an empty `cwd`. */
  readonly input: HookInput;
  readonly signal?: AbortSignal;
  readonly workingDir?: string;
  readonly env?: Environment;
  readonly asker?: Asker;
  /** Called for each question and denial of a hook; by default, all of them count. */
  readonly liftVerdict?: LiftVerdict;
}

export interface Executor {
  readonly plan: Plan;
  readonly problems: readonly PlanProblem[];
  /** Never rejects for a failed hook. Rejects for a bug: an unknown event, or an input that is not an object. */
  dispatch(dispatch: Dispatch): Promise<DispatchReport>;
}

const NOTHING_RAN: Promise<DispatchReport> = Promise.resolve(
  Object.freeze({ result: NEUTRAL, hooks: Object.freeze([]), durationMs: 0 }),
);

/** An executor for a plan, or for a config that it compiles first. `problems` lists the unreadable parts. */
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
