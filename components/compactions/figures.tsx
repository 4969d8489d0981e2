import { reasonSays } from "@/components/compactions/words";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Stat, StatRow } from "@/components/ui/stat";
import { Hint } from "@/components/ui/tooltip";
import type { CompactionSummaryView } from "@/server/compactions/schema";

/** The figures of the range: how often, why, how full, and what hooks did about it. */
export function Figures({ figures, during }: { figures: CompactionSummaryView | undefined; during: string }) {
  const loading = figures === undefined;
  const none = `No compaction began ${during}.`;
  return (
    <StatRow className="shrink-0 lg:grid-cols-5">
      <Stat
        label="Compactions"
        loading={loading}
        value={figures && formatCount(figures.attempts)}
        unit={figures && figures.attempts > 0 ? `in ${plural(figures.sessions, "session")}` : null}
        detail={figures && (figures.attempts === 0 ? during : endings(figures))}
      />
      <Stat
        label="Why"
        loading={loading}
        value={figures?.reasons[0] ? figures.reasons[0].reason || "not said" : null}
        missing={none}
        unit={
          figures?.reasons[0] ? `${formatCount(figures.reasons[0].attempts)} of ${formatCount(figures.attempts)}` : null
        }
        detail={figures && <Reasons figures={figures} />}
      />
      <Stat
        label="Context before"
        hint="Median of input and output tokens together, over the attempts that told them."
        loading={loading}
        value={figures && figures.medianTokensBefore !== null ? formatTokens(figures.medianTokensBefore) : null}
        missing={figures?.attempts === 0 ? none : "No attempt told its tokens."}
        unit="tokens, median"
        detail={
          figures && figures.medianShareOfLimit !== null
            ? `${Math.round(figures.medianShareOfLimit * 100)} % of the context limit, median`
            : "share of the limit unknown"
        }
      />
      <Stat
        label="Vetoed by a hook"
        loading={loading}
        value={figures && <span className={figures.vetoed > 0 ? "text-deny" : ""}>{formatCount(figures.vetoed)}</span>}
        unit={figures && figures.attempts > 0 ? `of ${formatCount(figures.attempts)}` : null}
        detail={
          figures && `${formatCount(figures.steered)} steered, ${formatCount(figures.replaced)} with a replaced summary`
        }
      />
      <Stat
        label="Time taken"
        hint="Median from the first event to the applied summary."
        loading={loading}
        value={figures && figures.medianDurationMs !== null ? formatDuration(figures.medianDurationMs) : null}
        missing={figures?.attempts === 0 ? none : "No attempt was applied."}
        unit="median"
        detail={figures?.isCut ? "over the newest 2,000 attempts" : "over the applied ones"}
      />
    </StatRow>
  );
}

function endings({ applied, running, unfinished, attempts }: CompactionSummaryView): string {
  const parts = [`${formatShare(applied, attempts) ?? "0 %"} applied`];
  if (running > 0) parts.push(`${formatCount(running)} under way`);
  if (unfinished > 0) parts.push(`${formatCount(unfinished)} without an end`);
  return parts.join(", ");
}

function Reasons({ figures: { reasons } }: { figures: CompactionSummaryView }) {
  const others = reasons.slice(1);
  if (others.length === 0) return reasons.length === 1 ? "the only reason" : null;
  return (
    <span className="flex flex-wrap gap-x-3">
      {others.slice(0, 3).map(({ reason, attempts }) => (
        <Hint key={reason} content={reasonSays(reason)}>
          {reason || "not said"} {formatCount(attempts)}
        </Hint>
      ))}
      {others.length > 3 ? `and ${plural(others.length - 3, "more")}` : null}
    </span>
  );
}
