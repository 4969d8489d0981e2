"use client";

import { Fragment } from "react";
import type { Span } from "@/components/charts/prepare/time-model";
import { Sparkline } from "@/components/charts/sparkline";
import { sparkOf } from "@/components/overview/decision-model";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { Money } from "@/components/ui/format/money";
import { Link } from "@/components/ui/link";
import { Stat, StatRow } from "@/components/ui/stat";
import { toneLook } from "@/components/ui/tone";
import type { OverviewFinalDecisions, OverviewPoint, OverviewSeries, OverviewSummary } from "@/server/overview/schema";

export interface StatsProps {
  sums: OverviewSummary | undefined;
  series: OverviewSeries | undefined;
  finals: OverviewFinalDecisions | undefined;
  /** The range, to end a sentence with: "in the last hour". */
  during: string;
  /** The short form, for narrow places: "in 24 h". */
  within: string;
  /** The range as URL text, so that the page behind a number covers the same time. */
  range: string;
  nowMs: number;
  /** Spans without recording: gaps of the sparklines. */
  down: readonly Span[];
}

/** The figures of the range; each names its total and links to the page that explains it. */
export function Stats({ sums, series, finals, during, within, range, nowMs, down }: StatsProps) {
  const loading = sums === undefined;
  const to = (path: string) => `${path}${path.includes("?") ? "&" : "?"}range=${encodeURIComponent(range)}`;
  const spark = (label: string, countOf: (point: OverviewPoint) => number, colour?: string) =>
    series && series.points.length > 1 ? (
      <Sparkline
        values={sparkOf(series, countOf, nowMs, down)}
        label={`${label} ${during}`}
        {...(colour === undefined ? {} : { colour })}
      />
    ) : null;
  const calls = sums ? sums.callsPriced + sums.callsFree + sums.callsUnpriced : 0;
  return (
    <StatRow>
      <Stat
        label={sums?.perMinuteNow === null ? "Events" : "Events per minute"}
        href={to("/sessions")}
        loading={loading}
        value={sums && (sums.perMinuteNow === null ? formatCount(sums.dispatches) : rate(sums.perMinuteNow))}
        unit={sums?.perMinuteNow === null ? within : "now"}
        detail={sums && `${plural(sums.gates, "tool call")} among ${plural(sums.dispatches, "event")}`}
        aside={spark("Events", ({ dispatches }) => dispatches, "var(--line-strong)")}
      />
      <Stat
        label="Denied by policy"
        href={to("/decisions?q=verdict:deny+by:gate")}
        loading={loading}
        value={sums && <span className={sums.gateDenied > 0 ? "text-deny" : ""}>{formatCount(sums.gateDenied)}</span>}
        unit={sums && `of ${plural(sums.gates, "tool call")}`}
        detail={sums && (sums.gates === 0 ? "no tool calls" : within)}
        more={finals && finals.denied > 0 ? <DeniedByAgents finals={finals} to={to} /> : null}
      />
      <Stat
        label="No rule ran"
        href={to("/policies")}
        loading={loading}
        value={
          sums && sums.gates > 0 ? (
            <span className={sums.gatesWithoutRule > 0 ? "text-ask" : ""}>{formatCount(sums.gatesWithoutRule)}</span>
          ) : null
        }
        missing={`No agent asked about a tool call ${during}.`}
        unit={sums && sums.gates > 0 ? `of ${plural(sums.gates, "tool call")}` : null}
        detail={sums && (sums.gates === 0 ? "no tool calls" : `rules had nothing to say about ${silentText(sums)}`)}
      />
      <Stat
        label="Hook failures"
        href={to("/decisions?q=by:gate+failed")}
        loading={loading}
        value={
          sums && <span className={sums.hooksFailed > 0 ? "text-error" : ""}>{formatCount(sums.hooksFailed)}</span>
        }
        detail={sums && `in ${plural(sums.dispatches, "event")}`}
        aside={
          sums && sums.hooksFailed > 0 ? spark("Hook failures", (point) => point.hooksFailed, toneLook.error.css) : null
        }
      />
      <Stat
        label="Spend"
        href={to("/costs")}
        loading={loading}
        value={sums && calls > 0 ? <Money nano={sums.costNano} /> : null}
        missing={`No model calls reported ${during}.`}
        detail={sums && (calls === 0 ? "no model calls" : coverage(sums, calls))}
        aside={spark("Spend", (point) => Number(point.costNano))}
      />
      <Stat
        label="Compactions"
        href={to("/compactions")}
        loading={loading}
        value={sums && formatCount(sums.compactions)}
        detail={`applied ${within}`}
        aside={sums && sums.compactions > 0 ? spark("Compactions", (point) => point.compactions) : null}
      />
    </StatRow>
  );
}

/** The calls that agents reported as denied, by the kind of the approval source that they name. */
function DeniedByAgents({ finals, to }: { finals: OverviewFinalDecisions; to: (path: string) => string }) {
  const query = (filter: string) => to(`/decisions?q=${encodeURIComponent(filter)}`);
  return (
    <p className="text-faint text-sm">
      <Link href={query(DENIED_FINALS)} className="text-muted underline">
        {plural(finals.denied, "call")} ended denied
      </Link>{" "}
      at the agents, by{" "}
      {finals.deniedBy.map(({ kind, count }, at) => (
        <Fragment key={kind}>
          {at === 0 ? "" : ", "}
          <Link href={query(`${DENIED_FINALS} settled:${kind}`)} className="text-muted underline" title={SOURCES[kind]}>
            {kind} {formatCount(count)}
          </Link>
        </Fragment>
      ))}
    </p>
  );
}

const DENIED_FINALS = "by:final verdict:deny";

/** The label of each kind of approval source. */
const SOURCES: Readonly<Record<OverviewFinalDecisions["deniedBy"][number]["kind"], string>> = {
  yolo: "The agent's auto-approve mode",
  rule: "A permission rule or a mode of the agent",
  hook: "A hook: a policy's, through Quarterdeck, or one of the agent's own",
  judge: "A judge",
  person: "A person at the agent",
  nobody: "Nobody: a person had to be asked, and there was none",
  unknown: "A source that this version does not know",
};

/** Calls that rules checked and did not decide. */
const silentText = ({ gatesWithoutOpinion, gatesWithoutRule }: OverviewSummary): string =>
  formatCount(gatesWithoutOpinion - gatesWithoutRule);

/** A small rate is shown with one decimal. */
const rate = (perMinute: number): string =>
  perMinute > 0 && perMinute < 10 ? String(Number(perMinute.toFixed(1)) || "<0.1") : formatCount(Math.round(perMinute));

/** The part of the calls that the sum covers. A free call counts as priced: its price is zero. */
function coverage({ callsUnpriced }: OverviewSummary, calls: number): string {
  const share = formatShare(calls - callsUnpriced, calls);
  return callsUnpriced === 0 ? `all ${plural(calls, "call")} priced` : `${share} of ${plural(calls, "call")} priced`;
}
