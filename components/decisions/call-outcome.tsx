"use client";

import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import { RESULT_BY_ORDER } from "@/components/decisions/labels";
import { lastWordOf, outcomeWords } from "@/components/decisions/outcome-words";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
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
            : `The agent's final decision: ${sourceWords(step.source).says}`;
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

const ANYWAY = "A policy denied the call, but the agent ran it.";

const RAN = { tone: "observe", label: "Ran" } as const;
const FAILED = { tone: "error", label: "Failed" } as const;

const ranAnyway = (call: Pick<CallView, "chain" | "ran">): boolean =>
  call.ran !== null && call.chain.some(({ kind, verdict }) => kind === "gate" && verdict === "deny");

/** The one outcome of a call, with who or what decided; a request that waits is a link to it. */
export function CallOutcome({ row }: { row: CallView }) {
  const { tone, label, says, waiting } = outcomeWords(row);
  const mark = <Mark tone={tone} label={<span className="truncate">{label}</span>} className="max-w-full shrink" />;
  return (
    <Tooltip content={says}>
      {waiting === null ? (
        <span className="inline-flex max-w-full">{mark}</span>
      ) : (
        <Link href={`/approvals#QD-${waiting.number}`} className="inline-flex max-w-full rounded-sm hover:underline">
          {mark}
        </Link>
      )}
    </Tooltip>
  );
}

/** The end of a call, as far as the agent reported it. */
export function CallEnd({ row }: { row: CallView }) {
  const { chain, ran } = row;
  if (ranAnyway(row))
    return (
      <Tooltip content={ANYWAY}>
        <Mark tone="error" label="Ran anyway" look="plain" />
      </Tooltip>
    );
  if (ran !== null) {
    const mark = <Mark {...(ran === "failed" ? FAILED : RAN)} look="plain" />;
    return row.isRanByOrder ? <Tooltip content={RESULT_BY_ORDER}>{mark}</Tooltip> : mark;
  }
  if (!row.isRecorded) return <span className="text-muted">On hold</span>;
  const last = lastWordOf(chain);
  if (last?.verdict === "deny" || last?.verdict === "canceled") return <span className="text-muted">Not run</span>;
  return <Missing reason="The agent has reported no result of this call." />;
}

/** The agent's own last word over a call. */
export function LastWord({ row }: { row: CallView }) {
  const last = lastWordOf(row.chain);
  if (last === null) return <Missing reason="The agent has reported no final decision." />;
  const { tone, word } = verdictWords(last.verdict);
  return (
    <Tooltip content={sourceWords(last.source).says}>
      <Mark tone={tone} label={`${word}: ${sourceWords(last.source).label}`} look="plain" />
    </Tooltip>
  );
}
