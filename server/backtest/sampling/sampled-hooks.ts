/** The hooks of sampled calls: commands run in the sandbox as a gate runs them, and judges are asked within the budget of the run. */
import {
  evaluatorKind,
  type HandlerKind,
  type HandlerReply,
  type HookDefinition,
  maskText,
  modelKind,
  redactText,
  runsOn,
} from "@quarterdeck/hooks";
import { identityOf } from "@quarterdeck/hooks/contract/identity";
import { type Budget, dayOf, type Models } from "../../judges/index.ts";
import type { ExecutorPlace } from "../replay-hooks.ts";
import { whyUnknown } from "../replay-hooks.ts";
import type { ReplayRun, ReplaySetup } from "../replay-run.ts";
import { createReplayRun } from "../replay-run.ts";
import type { UnknownReason } from "../tally-schema.ts";
import { type AnswerStore, onceEvaluators, onceModels, type QuestionCounts } from "./answers.ts";
import type { RunKey } from "./sample-repository.ts";
import type { BacktestSample } from "./sample-schema.ts";

/** The means of a process to run sampled calls. */
export interface SampleTools {
  /** The handlers of command hooks; null where no sandbox works. */
  commands(): Promise<HandlerKind | null>;
  readonly models: Pick<Models, "clientOf" | "evaluatorsOf" | "priceOf">;
  /** As for gates. */
  readonly place: ExecutorPlace;
}

export interface SampledRun extends RunKey {
  readonly askedAt: Date;
  readonly sample: BacktestSample;
}

/** Runs one call at a time. */
export interface Lane {
  readonly run: ReplayRun;
  /** The counts of the present call, and true if the budget or a daily cap left no room for a question of it. */
  readonly now: { agentName: string; sessionId: string; counts: QuestionCounts; isSpent: boolean };
  /** Forgets the answers of the call before. */
  begin(call: { readonly agentName: string; readonly sessionId: string }): void;
}

interface LaneWorld {
  readonly setup: ReplaySetup;
  readonly tools: SampleTools;
  readonly run: SampledRun;
  readonly store: AnswerStore;
  /** Null: commands do not run. */
  readonly commands: HandlerKind | null;
}

export function createLane({ setup, tools, run, store, commands }: LaneWorld): Lane {
  const now: Lane["now"] = { agentName: "", sessionId: "", counts: { asked: 0, reused: 0 }, isSpent: false };
  const { judges } = run.sample;
  const once = commands && onceForEachCall(commands);
  const noteSpent = () => {
    now.isSpent = true;
  };
  const budget = judges && budgetOf(run, judges.nanoMax, noteSpent);
  const kinds = [...(once ? [once.kind] : []), ...(budget ? judgeKinds(tools, run, budget, { store, now }) : [])];
  const asksJudges = budget !== null;
  const why = (hook: HookDefinition) => whyLeftOut(hook, { runsCommands: once !== null, asksJudges });
  return {
    run: createReplayRun(setup, { kinds, place: { ...tools.place, tenant: run.workspaceId }, whyUnknown: why }),
    now,
    begin({ agentName, sessionId }) {
      once?.forget();
      Object.assign(now, { agentName, sessionId, counts: { asked: 0, reused: 0 }, isSpent: false });
    },
  };
}

/** One account for the whole run, so that its questions never cost more, also after a restart. */
const budgetOf = ({ id, askedAt }: SampledRun, nanoPerDay: bigint, spent: () => void): Budget => ({
  ...{ account: `backtest ${id}`, day: dayOf(askedAt.getTime()), callsPerDay: null, nanoPerDay, spent },
  reusesVerdicts: true,
});

function judgeKinds(
  { models }: SampleTools,
  { workspaceId }: SampledRun,
  budget: Budget,
  { store, now }: { readonly store: AnswerStore; readonly now: Lane["now"] },
): HandlerKind[] {
  const client = onceModels(models.clientOf(workspaceId, budget), store, () => now);
  const evaluators = onceEvaluators(models.evaluatorsOf(workspaceId, budget), store, () => now);
  return [modelKind(client, { redact: redactText }), evaluatorKind(evaluators, { redact: maskText })];
}

/** The reason why a hook is left out of a sampled call. A hook with access to the network could act on other systems. */
export function whyLeftOut(
  hook: HookDefinition,
  { runsCommands, asksJudges }: { readonly runsCommands: boolean; readonly asksJudges: boolean },
): UnknownReason | null {
  const why = whyUnknown(hook);
  if (why === "judge") return asksJudges ? null : why;
  if (why !== "command" || !runsCommands || runsOn(hook) === "agent") return why;
  return hook.network === true ? "network" : null;
}

/** A hook that both texts have runs once for a call, so that a command whose answers vary changes nothing. */
function onceForEachCall(kind: HandlerKind): { readonly kind: HandlerKind; forget(): void } {
  const replies = new Map<string, Promise<HandlerReply>>();
  return {
    forget: () => replies.clear(),
    kind: {
      type: kind.type,
      build(hook, path, profile) {
        const handler = kind.build(hook, path, profile);
        const identity = `${profile ?? ""} ${identityOf(hook)}`;
        return {
          ...handler,
          run(call, signal) {
            const key = `${call.event} ${call.lane} ${identity} ${call.inputJson}`;
            const known = replies.get(key);
            if (known !== undefined) return known;
            const reply = handler.run(call, signal);
            replies.set(key, reply);
            return reply;
          },
        };
      },
    },
  };
}
