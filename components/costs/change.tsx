import { formatShare } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { Tooltip } from "@/components/ui/tooltip";

interface Side {
  readonly calls: number;
  readonly unpriced: number;
  readonly nano: bigint;
}

interface ChangeProps {
  now: Side;
  /** Null: nothing was recorded before. */
  previous: Side | null;
}

/** The change of a sum against the equally long period before it. */
export function Change({ now, previous }: ChangeProps) {
  const reason = whyNot(now, previous);
  if (reason !== null || previous === null) return <Missing reason={reason ?? ""} />;
  const moved = now.nano - previous.nano;
  const size = moved < 0n ? -moved : moved;
  const words = moved === 0n ? "the same" : `${moved > 0n ? "+" : "−"}${shortMoney(size)}`;
  // An increase above tenfold is shown as ">10×" without the exact factor.
  const share =
    moved === 0n || previous.nano === 0n
      ? ""
      : now.nano > previous.nano * 10n
        ? "(>10×)"
        : `(${moved > 0n ? "+" : "−"}${formatShare(size, previous.nano)})`;
  const isPartial = now.unpriced + previous.unpriced > 0;
  return (
    <Tooltip
      content={`${exactMoney(previous.nano)} in the previous period.${isPartial ? " Unpriced calls are not included." : ""}`}
    >
      <span className="text-muted">
        <span className="whitespace-nowrap">{words}</span> <span className="whitespace-nowrap">{share}</span>
      </span>
    </Tooltip>
  );
}

function whyNot(now: Side, previous: Side | null): string | null {
  if (previous === null) return "No data for the previous period.";
  if (previous.calls === 0) return "No calls in the previous period.";
  if (previous.calls === previous.unpriced) return "No call in the previous period has a price.";
  if (now.calls > 0 && now.calls === now.unpriced) return "No call in this period has a price.";
  return null;
}
