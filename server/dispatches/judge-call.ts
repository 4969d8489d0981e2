/** The rules' word on a call: its hooks run, and their result becomes the answer and the record. */
import {
  type Asker,
  answerOf,
  type DispatchReport,
  type EventName,
  explainDispatch,
  type HookInput,
  isEventName,
  type Lane,
  type LiftVerdict,
  NEUTRAL,
  verdictOfReport,
} from "@quarterdeck/hooks";
import type { MaskingInForce } from "../masking/index.ts";
import type { Plans } from "../policies/index.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import { earlierRulesOf } from "./earlier-rules.ts";
import type { Decided, GateCall, Judged } from "./gate-step.ts";
import { mergeLocalResult } from "./merge-local-result.ts";
import { toStoredHook } from "./to-stored-hook.ts";

export interface CallJudge {
  judge(call: GateCall): Promise<Decided>;
  /**
   * Judges a call again that was judged as `before`: with an edited input, or by the policies and exceptions of now. Null where
   * neither differs.
   */
  judgeAgain(
    call: GateCall,
    before: Judged,
    edited: HookInput | null,
  ): Promise<(Judged & { readonly report: DispatchReport }) | null>;
  /** `said` is a reason other than the hooks' own. */
  conclude(call: GateCall, judged: Judged, said: string | null, waitedMs: number): Decided;
}

/** `masking` masks the stored hook output. */
export function createCallJudge(plans: Plans, masking: Pick<MaskingInForce, "latest">): CallJudge {
  function conclude({ request, actor }: GateCall, judged: Judged, said: string | null, waitedMs: number): Decided {
    const { plan, report } = judged;
    const { event, lane } = request;
    const mask = (text: string) => masking.latest(actor.workspaceId).text(text, request.input);
    const { verdict, reason, hooks } = mergeLocalResult(request.local, {
      verdict: report ? verdictOfReport(report, event) : "none",
      reason: said ?? (report ? explainDispatch(report) : ""),
      hooks: report ? report.hooks.map((hook) => toStoredHook(hook, mask)) : [],
    });
    const answer = answerOf(report?.result ?? NEUTRAL, event, lane, plan.profile);
    const { revision, observed } = plan;
    const earlierRules = earlierRulesOf(plan, request);
    return {
      verdict,
      reason,
      hooks,
      answer,
      revision,
      observed,
      waitedMs,
      judged,
      ...(earlierRules && { earlierRules }),
    };
  }

  async function judge(call: GateCall): Promise<Decided> {
    const plan = await plans.planFor(call.actor);
    const { event, input } = call.request;
    const report = isEventName(event, plan.profile) ? await plan.executor.dispatch(hookedCall(call, input)) : null;
    return conclude(call, { plan, report }, null, 0);
  }

  return {
    judge(call) {
      call.judging ??= judge(call);
      return call.judging;
    },
    async judgeAgain(call, { plan, report }, edited) {
      const now = await plans.planFor(call.actor);
      const isLifted = report?.hooks.some(({ exception }) => exception !== undefined) ?? false;
      if (edited === null && now.revision === plan.revision && !isLifted) return null;
      const { event, input } = call.request;
      const latest = isEventName(event, now.profile) ? now : plan;
      return { plan: latest, report: await latest.executor.dispatch(hookedCall(call, edited ?? input)) };
    },
    conclude,
  };
}

const NO_EXCEPTION: LiftVerdict = async () => null;

const hookedCall = (call: GateCall, input: HookInput): HookedCall =>
  new HookedCall(call.request, input, call.asker, call.lifterFor?.(input) ?? NO_EXCEPTION);

/** The executor's view of a call, without making a signal before it wants one. */
class HookedCall {
  readonly event: EventName;
  readonly lane: Lane;

  constructor(
    private readonly request: DispatchRequest,
    readonly input: HookInput,
    readonly asker: Asker,
    readonly liftVerdict: LiftVerdict,
  ) {
    this.event = request.event;
    this.lane = request.lane;
  }

  get signal(): AbortSignal {
    return this.request.client.signal;
  }
}
