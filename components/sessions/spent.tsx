import { formatCount } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Tooltip } from "@/components/ui/tooltip";
import type { SpentView } from "@/server/sessions/schema";

/** The cost of calls, with a mark when some of them have no price; no calls is no amount. */
export function Spent({ of: { calls, free, unpriced, nano } }: { of: SpentView }) {
  if (calls === 0)
    return (
      <Tooltip content="No model calls reported.">
        <span className="text-faint">—</span>
      </Tooltip>
    );
  if (unpriced === calls) return <Money nano={null} reason={`${formatCount(calls)} calls, all unpriced.`} />;
  return unpriced === 0 ? (
    <Money nano={nano} zeroIsFree={free === calls} />
  ) : (
    <span className="whitespace-nowrap">
      <AtLeast unpriced={unpriced} of={calls} />
      <Money nano={nano} isLeast />
    </span>
  );
}

/** The sign of a sum that does not speak for every call. */
export function AtLeast({ unpriced, of }: { unpriced: number; of?: number }) {
  const whole = of === undefined ? "" : ` of ${formatCount(of)}`;
  return (
    <Tooltip
      content={`${formatCount(unpriced)}${whole} ${unpriced === 1 ? "call is" : "calls are"} unpriced. Actual spend is at least this amount.`}
    >
      <span className="text-muted">≥ </span>
    </Tooltip>
  );
}
