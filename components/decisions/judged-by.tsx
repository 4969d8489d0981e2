"use client";

import { decisionOfJudge } from "@quarterdeck/hooks/contract/judge";
import { skipToken, useQuery } from "@tanstack/react-query";
import { type DetailHook, decidingHook } from "@/components/decisions/why";
import { JudgeActs } from "@/components/judge-label/judge-acts";
import { useTRPC } from "@/components/trpc/client";
import type { DecisionDetail } from "@/server/decisions/schema";

/** The label for the judge that decided the call, here or at the gate that decided before the agent's final word. */
export function DecidingJudge({ detail }: { detail: DecisionDetail }) {
  const trpc = useTRPC();
  const gate =
    detail.kind === "gate"
      ? undefined
      : detail.callRecords.find(({ decision }) => decision?.kind === "gate" && decision.verdict !== "none");
  const asked = useQuery(
    trpc.decisions.get.queryOptions(gate ? { occurredAt: gate.occurredAt, id: gate.id } : skipToken),
  );
  const of = gate ? asked.data : detail;
  const hook = of ? decidingHook(of.verdict, of.hooks) : null;
  return of && hook ? <JudgedBy of={of} hook={hook} place={of.hooks.indexOf(hook)} hasKeys /> : null;
}

export interface JudgedByProps {
  /** The dispatch that the hook ran in. */
  of: { readonly occurredAt: Date; readonly id: string; readonly event: string };
  hook: DetailHook;
  /** The position of the hook among all hooks of the dispatch. */
  place: number;
  hasKeys: boolean;
}

/** The viewer's label for the decision of a hook that asked a model; nothing for any other hook. */
export function JudgedBy({ of, hook, place, hasKeys }: JudgedByProps) {
  const { judge, outcome, said } = hook;
  if (!judge || judge.evaluator !== undefined) return null;
  const { occurredAt, id, event } = of;
  return (
    <JudgeActs
      call={{ occurredAt, id, place }}
      event={event}
      verdict={outcome === "failed" ? "failed" : decisionOfJudge(said, judge.schema)}
      label={judge.label ?? null}
      hasKeys={hasKeys}
    />
  );
}
