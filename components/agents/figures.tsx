import { seenShare } from "@/components/coverage/gap-text";
import { formatCount, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Tooltip } from "@/components/ui/tooltip";
import type { AgentFigures, AgentRow } from "@/server/agents/schema";

/** The reason that figures are unknown; null when they are known. */
export function unknownFiguresReason({ calls }: AgentFigures, isSeen: boolean): string | null {
  return calls === 0 && !isSeen ? "No events yet." : null;
}

interface CountProps {
  figures: AgentFigures;
  isSeen: boolean;
}

/** Tool calls: those that a gate checked, or whose final decision the client reported. */
export function Calls({ figures, isSeen }: CountProps) {
  const unknown = unknownFiguresReason(figures, isSeen);
  if (unknown !== null) return <Missing reason={unknown} />;
  return <span className={figures.calls === 0 ? "text-muted" : ""}>{formatCount(figures.calls)}</span>;
}

/** Those of the calls that were denied. */
export function Denied({ figures, isSeen }: CountProps) {
  const unknown = unknownFiguresReason(figures, isSeen);
  if (unknown !== null) return <Missing reason={unknown} />;
  return <span className={figures.denied > 0 ? "text-deny" : "text-muted"}>{formatCount(figures.denied)}</span>;
}

/** The cost that model calls reported; "≥" when some of them have no price. */
export function Spend({ figures: { modelCalls, free, unpriced, nano } }: { figures: AgentFigures }) {
  if (modelCalls === 0) return <Missing reason="The agent reported no model calls." />;
  if (unpriced === modelCalls)
    return <Money nano={null} reason={`${plural(modelCalls, "model call")}, all unpriced.`} />;
  if (unpriced === 0) return <Money nano={nano} zeroIsFree={free === modelCalls} />;
  return (
    <span className="whitespace-nowrap">
      <Tooltip content={`${formatCount(unpriced)} of ${plural(modelCalls, "model call")} unpriced.`}>
        <span className="text-muted">≥ </span>
      </Tooltip>
      <Money nano={nano} isLeast />
    </span>
  );
}

/** The share of the events implied by others that arrived. */
export function Coverage({ coverage }: { coverage: AgentRow["coverage"] }) {
  const share = shareOf(coverage);
  if (share === null) return <Missing reason="No event coverage data yet." />;
  const { implied, missing } = coverage;
  return (
    <Tooltip content={`${formatCount(missing)} of ${plural(implied, "expected event")} missing.`}>
      <span className={missing > 0 ? "text-ask" : ""}>{share}</span>
    </Tooltip>
  );
}

export const shareOf = ({ implied, missing }: AgentRow["coverage"]) => seenShare({ implied, missing });
