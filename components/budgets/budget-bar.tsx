import { amountUsedNano, STATES } from "@/components/budgets/labels";
import { cn } from "@/components/ui/cn";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { toneLook } from "@/components/ui/tone";
import { Hint } from "@/components/ui/tooltip";
import type { BudgetView } from "@/server/budgets/schema";

/** The spent and held parts of the amount: as text, and as a bar with the thresholds and the forecast. */
export function BudgetBar({ budget }: { budget: BudgetView }) {
  const { account, amountNano, forecast, thresholds, state } = budget;
  const { spentNano, assumedNano, heldNano } = account;
  const isBeyond = amountUsedNano(budget) > amountNano;
  const whole = isBeyond ? amountUsedNano(budget) : amountNano;
  const share = (nano: bigint) => `${Number((nano * 10_000n) / whole) / 100}%`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <Hint
        content={`Spent ${exactMoney(spentNano)}; unpriced calls counted as ${exactMoney(assumedNano)}; reserved for calls in progress ${exactMoney(heldNano)}; the budget is ${exactMoney(amountNano)}.`}
      >
        <span className="text-sm">
          <span className="font-medium">{shortMoney(spentNano + assumedNano)}</span> of {shortMoney(amountNano)}
          {heldNano > 0n ? <span className="text-muted">, {shortMoney(heldNano)} reserved</span> : null}
        </span>
      </Hint>
      <span aria-hidden className="relative flex h-2 w-full overflow-hidden rounded-full bg-pressed">
        <span
          className={cn("block h-full", state === "open" ? "bg-accent" : toneLook[STATES[state].tone].solid)}
          style={{ width: share(spentNano + assumedNano) }}
        />
        <span className="hatched block h-full bg-unknown-solid" style={{ width: share(heldNano) }} />
        {thresholds.map((percent) => {
          const at = (amountNano * BigInt(percent)) / 100n;
          return at >= whole ? null : (
            <span key={percent} className="absolute inset-y-0 w-px bg-text" style={{ left: share(at) }} />
          );
        })}
        {forecast.kind === "linear" && forecast.nano < whole ? (
          <span className="absolute inset-y-0 w-1 bg-ask-solid" style={{ left: share(forecast.nano) }} />
        ) : null}
      </span>
    </div>
  );
}
