import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import { costlessBecause } from "@/components/judges/labels";
import { formatCount, formatTokens } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Mark } from "@/components/ui/mark";
import { Tooltip } from "@/components/ui/tooltip";
import type { JudgeCallSums, JudgeCallView } from "@/server/judges/schema";

/** The cost of one call: money, *free*, *unpriced*, *cached*, or nothing known because nothing was answered. */
export function CallCost({ call }: { call: Pick<JudgeCallView, "pricing" | "nano"> & { provider?: string } }) {
  if (call.provider === VERDICT_CACHE) return <Mark tone="observe" label="cached" look="plain" />;
  if (call.pricing === "unanswered") return <Missing reason={costlessBecause(call)} />;
  return <Money nano={call.nano} zeroIsFree reason={costlessBecause(call)} />;
}

/** The cost of many calls, marked when it does not speak for all of them. */
export function TotalJudgeCost({ ledger }: { ledger: JudgeCallSums }) {
  const { priced, free, unpriced, unanswered, nano } = ledger;
  if (priced + free === 0)
    return unpriced === 0 ? (
      <Missing reason="No cost: the judge gave no answers in this range." />
    ) : (
      <Money nano={null} reason="The price of the judge's answers is not known. Set prices in the model connection." />
    );
  if (unpriced + unanswered === 0) return <Money nano={nano} zeroIsFree={priced === 0} />;
  return (
    <span>
      <Tooltip
        content={`${formatCount(unpriced)} answers are unpriced and ${formatCount(unanswered)} calls had no answer. Actual spend is at least this amount.`}
      >
        <span className="text-muted">≥ </span>
      </Tooltip>
      <Money nano={nano} zeroIsFree={priced === 0} isLeast />
    </span>
  );
}

export function TokenCount({ count, missing }: { count: number | null; missing: string }) {
  if (count === null) return <Missing reason={missing} />;
  if (count < 1_000) return <span>{formatCount(count)}</span>;
  return (
    <Tooltip content={formatCount(count)}>
      <span>{formatTokens(count)}</span>
    </Tooltip>
  );
}
