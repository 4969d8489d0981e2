import { cn } from "@/components/ui/cn";
import { exactMoney, leastMoney, shortMoney, toNano } from "@/components/ui/format/nano";
import { Tooltip } from "@/components/ui/tooltip";

export interface MoneyProps {
  /** Integer nano-dollars; null when the price is unknown. */
  nano: bigint | string | null;
  /** Zero says *free*: true for one call; a total of free calls says `$0.00`. */
  zeroIsFree?: boolean;
  /** It follows a "≥". */
  isLeast?: boolean;
  /** The reason that it is unpriced, on hover. */
  reason?: string;
  className?: string;
}

/** An amount: short, with the exact value on hover; unknown and free are shown as words. */
export function Money({ nano, zeroIsFree, isLeast, reason, className }: MoneyProps) {
  if (nano === null)
    return (
      <Tooltip content={reason ?? "No cost reported. Not included in totals."}>
        <span className={cn("text-muted italic", className)}>unpriced</span>
      </Tooltip>
    );
  const amount = toNano(nano);
  if (amount === 0n && zeroIsFree)
    return (
      <Tooltip content="Reported cost: zero.">
        <span className={cn("text-muted italic", className)}>free</span>
      </Tooltip>
    );
  const exact = exactMoney(amount);
  const short = isLeast ? leastMoney(amount) : shortMoney(amount);
  const text = (
    <data value={amount.toString()} className={cn("whitespace-nowrap", className)}>
      {short}
    </data>
  );
  return exact === short ? text : <Tooltip content={exact}>{text}</Tooltip>;
}
