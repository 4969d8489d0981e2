"use client";

import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { Missing } from "@/components/ui/format/missing";
import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { CallDecision, CallView } from "@/server/decisions/schema";
import { sourceWords, verdictWords } from "@/server/decisions/schema";

/** The verdicts over a call in their order: the policies' first, the agent's last. */
export function CallChain({ chain }: { chain: readonly CallDecision[] }) {
  return (
    <span className="inline-flex items-center gap-1">
      {steps(chain).map((step, index) => {
        const { tone, word } = verdictWords(step.verdict);
        const says =
          step.kind === "gate"
            ? `Policy decision, ${step.event}`
            : `Final decision (agent): ${sourceWords(step.source).says}`;
        return (
          <Fragment key={step.id}>
            {index === 0 ? null : <ChevronRight aria-hidden className="size-3 shrink-0 text-faint" />}
            <Tooltip content={says}>
              <Mark tone={tone} label={word} look="plain" />
            </Tooltip>
          </Fragment>
        );
      })}
    </span>
  );
}

/** Policies that say the same one after the other are one step. */
function steps(chain: readonly CallDecision[]): CallDecision[] {
  return chain.filter(({ kind, verdict }, index) => {
    const before = chain[index - 1];
    return before === undefined || before.kind !== kind || before.verdict !== verdict;
  });
}

const ANYWAY = "A policy denied it, and the agent ran it all the same.";

const ranAnyway = ({ chain, ran }: Pick<CallView, "chain" | "ran">): boolean =>
  ran !== null && chain.some(({ kind, verdict }) => kind === "gate" && verdict === "deny");

/** The verdicts over a call; of one that ran against a policy's denial, the denial and that it ran. */
export function CallOutcome({ row }: { row: Pick<CallView, "chain" | "ran"> }) {
  if (!ranAnyway(row)) return <CallChain chain={row.chain} />;
  const final = row.chain.findLast(({ kind }) => kind === "final");
  return (
    <span className="inline-flex items-center gap-1">
      <CallChain chain={row.chain.filter(({ kind, verdict }) => kind === "gate" && verdict === "deny")} />
      <ChevronRight aria-hidden className="size-3 shrink-0 text-faint" />
      {final ? <span className="sr-only">{verdictWords(final.verdict).word} by the agent,</span> : null}
      <RanAnyway />
    </span>
  );
}

function RanAnyway() {
  return (
    <Tooltip content={ANYWAY}>
      <Mark tone="error" label="Ran anyway" look="plain" />
    </Tooltip>
  );
}

/** The end of a call, as far as the agent reported it. */
export function CallEnd({ row: { chain, ran } }: { row: Pick<CallView, "chain" | "ran"> }) {
  if (ranAnyway({ chain, ran })) return <RanAnyway />;
  if (ran !== null)
    return ran === "failed" ? (
      <Mark tone="error" label="Failed" look="plain" />
    ) : (
      <Mark tone="observe" label="Ran" look="plain" />
    );
  const last = chain.findLast(({ kind }) => kind === "final");
  if (last?.verdict === "deny" || last?.verdict === "canceled") return <span className="text-muted">Not run</span>;
  return <Missing reason="The agent has reported no result of this call." />;
}

/** The decision that a call owes its end to: a policy's denial, else the agent's last word, which may follow a policy's. */
export function decisiveOf(chain: readonly CallDecision[]): CallDecision | undefined {
  const gates = chain.filter(({ kind }) => kind === "gate");
  const final = chain.findLast(({ kind }) => kind === "final");
  const followsHook = final === undefined || sourceWords(final.source).kind === "hook";
  return (
    gates.findLast(({ verdict }) => verdict === "deny") ??
    (followsHook ? gates.findLast(({ verdict }) => final === undefined || verdict === final.verdict) : undefined) ??
    final ??
    gates.at(-1)
  );
}
