import { isUnpriced } from "@/components/costs/sort-order";
import { formatCount } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Tooltip } from "@/components/ui/tooltip";
import type { AmountView } from "@/server/costs/schema";

type Priced = Pick<AmountView, "calls" | "free" | "unpriced" | "nano">;

/** The cost of a group of calls, with a mark when some of them have no price. */
export function Amount({ of }: { of: Priced }) {
  if (isUnpriced(of)) return <Money nano={null} reason={`${formatCount(of.calls)} calls, all unpriced.`} />;
  const isFree = of.free === of.calls;
  if (of.unpriced === 0) return <Money nano={of.nano} zeroIsFree={isFree} />;
  return (
    <span>
      <Tooltip
        content={`${formatCount(of.unpriced)} of ${formatCount(of.calls)} calls are unpriced. Actual spend is at least this amount.`}
      >
        <span className="text-muted">≥ </span>
      </Tooltip>
      <Money nano={of.nano} isLeast />
    </span>
  );
}
