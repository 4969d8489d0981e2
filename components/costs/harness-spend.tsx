import { SquareTerminal } from "lucide-react";
import { formatCount, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Link } from "@/components/ui/link";
import type { LedgerView } from "@/server/costs/schema";

/** The cost of coding harnesses in the range: a part of the spend, with a total of its own. Nothing without such calls. */
export function HarnessSpend({ ledger, href }: { ledger: LedgerView; href: string }) {
  const { calls, priced, free, unpriced, nano } = ledger;
  if (calls === 0) return null;
  return (
    <section
      aria-label="Spent on coding harnesses"
      className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 rounded-md border bg-surface px-4 py-2"
    >
      <SquareTerminal aria-hidden className="size-3.5 text-faint" />
      <h2 className="font-normal text-muted text-sm">Coding harnesses, included in spend</h2>
      {priced + free === 0 ? (
        <Money nano={null} reason="No coding harness reported a cost for its calls." />
      ) : (
        <Money nano={nano} zeroIsFree={priced === 0} className="font-semibold" />
      )}
      <span className="text-muted">
        {plural(calls, "call")}
        {unpriced === 0 ? "" : ` · ${formatCount(unpriced)} unpriced`}
      </span>
      <Link className="link ml-auto text-sm" href={href}>
        Harness calls
      </Link>
    </section>
  );
}
