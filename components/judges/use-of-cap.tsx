import { cn } from "@/components/ui/cn";
import { formatCount, plural } from "@/components/ui/format/count";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { Hint } from "@/components/ui/tooltip";
import type { DailyCap } from "@/server/judges/schema";

interface UseOfCapProps {
  cap: DailyCap | null;
  today: { calls: number; nano: bigint };
}

/** Today's use, with the cap if there is one. */
export function UseOfCap({ cap, today }: UseOfCapProps) {
  const calls = cap?.callsPerDay ?? null;
  const nano = cap?.nanoPerDay ?? null;
  const isUsedUp = (calls !== null && today.calls >= calls) || (nano !== null && today.nano >= nano);
  const share = Math.max(shareOf(today.calls, calls), shareOf(Number(today.nano), nano === null ? null : Number(nano)));
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <Hint
        content={`Since midnight UTC: ${plural(today.calls, "model call")}, ${exactMoney(today.nano)} priced. Running calls are counted at their maximum cost.`}
      >
        <span className={cn(isUsedUp && "font-medium text-deny")}>
          {calls === null ? plural(today.calls, "call") : `${formatCount(today.calls)} of ${plural(calls, "call")}`}
          {nano === null
            ? today.nano > 0n
              ? `, ${shortMoney(today.nano)}`
              : ""
            : `, ${shortMoney(today.nano)} of ${shortMoney(nano)}`}
          {isUsedUp ? ", used up" : ""}
        </span>
      </Hint>
      {calls === null && nano === null ? null : (
        <span aria-hidden className="block h-1 w-full max-w-40 overflow-hidden rounded-full bg-pressed">
          <span
            className={cn("block h-full rounded-full", isUsedUp ? "bg-deny-solid" : "bg-accent")}
            style={{ width: `${share * 100}%` }}
          />
        </span>
      )}
    </span>
  );
}

const shareOf = (used: number, cap: number | null): number =>
  cap === null ? 0 : cap === 0 ? 1 : Math.min(used / cap, 1);
