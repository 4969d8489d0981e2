import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Tooltip } from "@/components/ui/tooltip";
import type { Latency, Share, SpendView } from "@/server/prompts/schema";

/** `90 % (18 of 20)`; an em dash with its reason when there is nothing to divide by. */
export function ShareFigure({ share, missing }: { share: Share; missing: string }) {
  if (share === null) return <Missing reason={missing} />;
  return (
    <span className="whitespace-nowrap">
      {formatShare(share.hits, share.of)}{" "}
      <span className="text-muted text-sm">
        {formatCount(share.hits)} of {formatCount(share.of)}
      </span>
    </span>
  );
}

/** `420 ms · 1.2 s`: half were answered by the first, 95 of a hundred by the second. */
export function LatencyFigure({ latency }: { latency: Latency }) {
  if (latency === null) return <Missing reason="No answers." />;
  return (
    <Tooltip content={`50th and 95th percentile of ${plural(latency.of, "answer")}.`}>
      <span className="whitespace-nowrap">
        {formatDuration(latency.p50)} · {formatDuration(latency.p95)}
      </span>
    </Tooltip>
  );
}

/** The cost, marked where it does not speak for every answer. */
export function SpendFigure({ spend }: { spend: SpendView }) {
  const { priced, free, unpriced, nano } = spend;
  if (priced + free === 0)
    return unpriced === 0 ? (
      <Missing reason="No answers." />
    ) : (
      <Money nano={null} reason="The price of the judge's answers is not known." />
    );
  return (
    <span>
      {unpriced > 0 ? (
        <Tooltip content={`${plural(unpriced, "answer")} without a price`}>
          <span className="text-muted">≥ </span>
        </Tooltip>
      ) : null}
      <Money nano={nano} zeroIsFree={priced === 0} isLeast={unpriced > 0} />
    </span>
  );
}
