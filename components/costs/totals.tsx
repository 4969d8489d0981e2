import { Change } from "@/components/costs/change";
import { previousWords } from "@/components/costs/driver-model";
import { forecastOf } from "@/components/costs/forecast";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { Skeleton } from "@/components/ui/skeleton";
import { Stat, StatRow } from "@/components/ui/stat";
import { Hint } from "@/components/ui/tooltip";
import type { CostSummaryView, LedgerView } from "@/server/costs/schema";

export interface TotalsProps {
  summary: CostSummaryView | undefined;
  /** The range, to end a sentence with: "in the last hour". */
  during: string;
  /** One line, above a table that wants the room. */
  compact?: boolean;
  /** The range ends now, so a pace can go on. */
  isLive: boolean;
}

/** The cost of the range, to the last digit, and the calls that the number speaks for. */
export function Totals({ summary, during, compact = false, isLive }: TotalsProps) {
  const ledger = summary?.ledger;
  if (compact)
    return (
      <section aria-label="Total" className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Amount ledger={ledger} during={during} className="font-semibold text-lg" />
        {ledger ? <Speaks ledger={ledger} /> : null}
        {summary ? <Beside summary={summary} /> : null}
        {ledger && hasSum(ledger) ? <Exact ledger={ledger} /> : null}
      </section>
    );
  return (
    <section aria-label="Total" className="flex flex-col gap-2">
      <StatRow>
        <Stat
          label={`Spend ${during}`}
          loading={ledger === undefined}
          value={<Amount ledger={ledger} during={during} />}
          detail={ledger ? hasSum(ledger) ? <Exact ledger={ledger} /> : "no priced calls" : null}
        />
        <Compared summary={summary} />
        <Forecast summary={summary} isLive={isLive} />
        <Stat
          label="Unpriced share"
          loading={ledger === undefined}
          value={ledger ? formatShare(ledger.unpriced, ledger.calls) : null}
          missing="No calls in this range."
          unit={ledger ? `of ${plural(ledger.calls, "call")}` : null}
          detail={ledger ? unpricedWords(ledger) : null}
        />
      </StatRow>
      <div className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-sm">
        {ledger ? <Speaks ledger={ledger} /> : null}
        {summary ? <Beside summary={summary} /> : null}
      </div>
    </section>
  );
}

function unpricedWords({ calls, unpriced }: LedgerView): string {
  if (calls === 0) return "no calls";
  return unpriced === 0 ? "every call has a cost" : "excluded from the spend";
}

function Compared({ summary }: { summary: CostSummaryView | undefined }) {
  const previous = summary?.previous ?? null;
  return (
    <Stat
      label={previous ? `vs. ${previousWords(previous)}` : "vs. previous period"}
      loading={summary === undefined}
      value={
        summary && previous ? (
          <span className="whitespace-normal text-lg">
            <Change now={summary.ledger} previous={previous} />
          </span>
        ) : null
      }
      missing="No data before this period."
      detail={previous ? `${shortMoney(previous.nano)} in the ${previousWords(previous)}` : "no data to compare"}
    />
  );
}

function Forecast({ summary, isLive }: { summary: CostSummaryView | undefined; isLive: boolean }) {
  const forecast = summary && forecastOf(summary, isLive);
  const isLeast = summary !== undefined && summary.ledger.unpriced > 0;
  return (
    <Stat
      label="Forecast spend, next 30 days"
      loading={forecast === undefined}
      value={
        forecast === undefined || forecast.nano === null ? null : `${isLeast ? "≥ " : ""}${shortMoney(forecast.nano)}`
      }
      missing={forecast?.reason ?? ""}
      detail={forecast?.reason ?? "linear, at the pace of this range"}
    />
  );
}

function Amount({ ledger, during, className }: { ledger: LedgerView | undefined; during: string; className?: string }) {
  if (!ledger) return <Skeleton className="my-1.5 h-5 w-24" />;
  if (ledger.calls === 0) return <Missing reason={`No model calls reported ${during}.`} className={className ?? ""} />;
  if (ledger.calls === ledger.unpriced)
    return <Missing reason="All calls are unpriced, so the cost is unknown." className={className ?? ""} />;
  return <span className={className}>{shortMoney(ledger.nano)}</span>;
}

/** The corrections, which the sum includes, and the estimates, which it does not. */
function Beside({ summary: { corrections, estimates } }: { summary: CostSummaryView }) {
  return (
    <>
      {estimates.calls === 0 ? null : (
        <Hint content="Estimate from the price list and the reported tokens. The total does not include the estimate.">
          <span className="text-muted text-sm">
            ~{shortMoney(estimates.nano)} estimated for {plural(estimates.calls, "unpriced call")}, not in the total
          </span>
        </Hint>
      )}
      {corrections.calls === 0 ? null : (
        <Hint content={`The total includes corrections of ${exactMoney(corrections.nano)}.`}>
          <span className="text-muted text-sm">{plural(corrections.calls, "call")} corrected</span>
        </Hint>
      )}
    </>
  );
}

/** `92 % of 808 calls priced · 64 unpriced · 50 free`. */
function Speaks({ ledger: { calls, free, unpriced } }: { ledger: LedgerView }) {
  if (calls === 0) return <span className="text-faint">no model calls</span>;
  const parts = [
    unpriced === 0 ? (
      <span key="all">all {plural(calls, "call")} priced</span>
    ) : (
      <Hint
        key="share"
        content={`${formatCount(calls - unpriced)} of ${formatCount(calls)} calls have a cost. Free calls have a cost of 0.`}
      >
        {formatShare(calls - unpriced, calls)} of {plural(calls, "call")} priced
      </Hint>
    ),
    unpriced === 0 ? null : (
      <Hint key="unpriced" content="Agents reported no cost for these calls. Actual spend is at least the total shown.">
        {formatCount(unpriced)} unpriced
      </Hint>
    ),
    free === 0 ? null : (
      <Hint key="free" content="Calls whose reported cost is exactly 0.">
        {formatCount(free)} free
      </Hint>
    ),
  ].filter((part) => part !== null);
  return <span className="text-muted">{parts.map((part, index) => [index === 0 ? null : " · ", part])}</span>;
}

/** A sum of nothing, or of nothing known, is no sum. */
const hasSum = ({ calls, unpriced }: LedgerView): boolean => calls > unpriced;

/** The same sum with every digit, to compare with another ledger. */
function Exact({ ledger }: { ledger: LedgerView }) {
  const exact = exactMoney(ledger.nano);
  return (
    <span className="flex flex-wrap items-center gap-x-1 text-faint text-sm">
      exactly{" "}
      <data value={ledger.nano.toString()} data-testid="exact-total" className="font-mono text-muted">
        {exact}
      </data>
      <CopyButton text={exact.replace(/[$,]/g, "")} label="Copy the exact total spend" size="sm" className="-my-1" />
    </span>
  );
}
