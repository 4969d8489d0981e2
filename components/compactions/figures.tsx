import { reasonSays } from "@/components/compactions/labels";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Stat, StatRow } from "@/components/ui/stat";
import { Hint } from "@/components/ui/tooltip";
import type { CompactionSummaryView } from "@/server/compactions/schema";

export interface FiguresProps {
  figures: CompactionSummaryView | undefined;
  during: string;
}

/** The figures of the listed attempts: how often, why, how full, and what hooks did about it. */
export function Figures({ figures, during }: FiguresProps) {
  const loading = figures === undefined;
  const none = `No compactions ${during}.`;
  return (
    <div className="flex shrink-0 flex-col gap-2">
      <StatRow className="shrink-0 lg:grid-cols-5">
        <Stat
          label="Compactions"
          loading={loading}
          value={figures && formatCount(figures.attempts)}
          detail={
            figures &&
            (figures.attempts === 0 ? during : `in ${plural(figures.sessions, "session")}; ${endings(figures)}`)
          }
        />
        <Stat
          label="Top reason"
          loading={loading}
          value={
            figures?.reasons[0] ? (
              <span title={figures.reasons[0].reason}>{figures.reasons[0].reason || "not reported"}</span>
            ) : null
          }
          missing={none}
          detail={figures && <Reasons figures={figures} />}
        />
        <Stat
          label="Tokens before"
          hint="Input and output tokens that the summary replaces: the median of attempts that reported token counts."
          loading={loading}
          value={figures && figures.medianTokensBefore !== null ? formatTokens(figures.medianTokensBefore) : null}
          missing={figures?.attempts === 0 ? none : "No attempt reported token counts."}
          detail={
            figures && figures.medianShareOfLimit !== null
              ? `median; ${Math.round(figures.medianShareOfLimit * 100)} % of the limit`
              : "share of the limit unknown"
          }
        />
        <Stat
          label="Blocked by hooks"
          loading={loading}
          value={
            figures && <span className={figures.vetoed > 0 ? "text-deny" : ""}>{formatCount(figures.vetoed)}</span>
          }
          unit={figures && figures.attempts > 0 ? `of ${formatCount(figures.attempts)}` : null}
          detail={figures && `${formatCount(figures.steered)} guided, ${formatCount(figures.replaced)} replaced`}
        />
        <Stat
          label="Time taken"
          hint="Median time from the compaction's first event to the applied summary."
          loading={loading}
          value={figures && figures.medianDurationMs !== null ? formatDuration(figures.medianDurationMs) : null}
          missing={figures?.attempts === 0 ? none : "No summary was applied."}
          detail={figures?.isCut ? "median of the newest 2,000" : "median of the applied ones"}
        />
      </StatRow>
    </div>
  );
}

function endings({ applied, running, unfinished, attempts }: CompactionSummaryView): string {
  const parts = [`${formatShare(applied, attempts) ?? "0 %"} applied`];
  if (running > 0) parts.push(`${formatCount(running)} under way`);
  if (unfinished > 0) parts.push(`${formatCount(unfinished)} never finished`);
  return parts.join(", ");
}

function Reasons({ figures: { reasons } }: { figures: CompactionSummaryView }) {
  if (reasons.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-x-3">
      {reasons.slice(0, 3).map(({ reason, attempts }) => (
        <Hint key={reason} content={reasonSays(reason)} className="max-w-full truncate">
          {reason || "not reported"} {formatCount(attempts)}
        </Hint>
      ))}
      {reasons.length > 3 ? `and ${formatCount(reasons.length - 3)} more` : null}
    </span>
  );
}
