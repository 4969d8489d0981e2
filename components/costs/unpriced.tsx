import { UNNAMED } from "@/components/costs/query";
import { tokensIn } from "@/components/costs/sort-order";
import { formatCount, formatTokens, plural } from "@/components/ui/format/count";
import { leastMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import type { CostBreakdownView, LedgerView } from "@/server/costs/schema";

export interface UnpricedProps {
  ledger: LedgerView;
  models: CostBreakdownView;
  hrefOf: (key: string, value: string) => string;
}

const SHOWN = 8;

/** The models that no total speaks for, and the least that was spent. Nothing when every call has a price. */
export function Unpriced({ ledger, models, hrefOf }: UnpricedProps) {
  const lines = models.lines
    .filter((line) => line.ledger.unpriced > 0)
    .toSorted((a, b) => b.ledger.unpriced - a.ledger.unpriced);
  if (ledger.unpriced === 0 || lines.length === 0) return null;
  const noUsage = ledger.withoutUsage;
  return (
    <section
      aria-label="Unpriced calls"
      className="flex flex-col gap-2 rounded-md border border-unknown-line bg-surface px-4 py-3"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Mark tone="unknown" label="Unpriced" />
        <p className="min-w-60 flex-1">
          {plural(ledger.unpriced, "call")} of {plural(lines.length, "model")} {ledger.unpriced === 1 ? "is" : "are"}{" "}
          unpriced and excluded. Actual spend is at least {leastMoney(ledger.nano)}.
        </p>
        <Link className="link text-sm" href={hrefOf("pricing", "unpriced")}>
          Show {ledger.unpriced === 1 ? "it" : "them"}
        </Link>
      </div>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {lines.slice(0, SHOWN).map(({ name, ledger: own }) => (
          <li key={name}>
            <Link className="rounded-sm font-mono hover:underline" href={hrefOf("model", name || UNNAMED)}>
              {name || UNNAMED}
            </Link>{" "}
            <span className="text-muted">
              {own.unpriced === own.calls
                ? plural(own.unpriced, "call")
                : `${formatCount(own.unpriced)} of ${plural(own.calls, "call")}`}
              {own.withoutUsage === own.calls
                ? ", no usage reported"
                : `, ${formatTokens(tokensIn(own.tokens))} tokens`}
            </span>
          </li>
        ))}
        {lines.length > SHOWN ? <li className="text-muted">and {plural(lines.length - SHOWN, "more model")}</li> : null}
      </ul>
      <p className="text-faint text-sm">
        An agent reports no cost if it has no price for the model, or if the provider reported no usage
        {noUsage > 0 ? ` (${plural(noUsage, "call")})` : ""}. Set a price for the model in the agent's configuration, or{" "}
        <Link className="link" href="?view=prices">
          estimate them with a price list
        </Link>
        .
      </p>
    </section>
  );
}
