"use client";

import type { UseQueryResult } from "@tanstack/react-query";
import { parseAsString, useQueryState } from "nuqs";
import type { ReactNode } from "react";
import { ConnectionsSection } from "@/components/judges/connections-section";
import { TotalJudgeCost } from "@/components/judges/cost";
import { Failures } from "@/components/judges/failures";
import { JudgesTable } from "@/components/judges/judges-table";
import { GatewayStatus } from "@/components/layout/gateway-status";
import { PageBody } from "@/components/layout/page-body";
import { RenewalNotice } from "@/components/layout/renewal-notice";
import { labelInSentence } from "@/components/layout/time-range/range";
import type { TimeRangeControl } from "@/components/layout/time-range/use-time-range";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorState } from "@/components/ui/error-state";
import { formatCount, formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { Stat, StatRow } from "@/components/ui/stat";
import type { ConnectionView, JudgeCallSums, JudgesSummary } from "@/server/judges/schema";

export interface OverviewViewProps {
  range: TimeRangeControl;
  stale: string | null;
  connections: UseQueryResult<ConnectionView[], unknown>;
  summary: UseQueryResult<JudgesSummary, unknown>;
  tabs: ReactNode;
  onAdd: () => void;
  onEdit: (connection: ConnectionView) => void;
}

/** The calls of the judges, their cost, the reasons that some failed, and the places where judges are asked. */
export function OverviewView({ range, stale, connections, summary, tabs, onAdd, onEdit }: OverviewViewProps) {
  const [rangeText] = useQueryState("range", parseAsString);
  const failed = [connections, summary].filter((query) => query.isError);
  const again = () => {
    for (const query of failed) void query.refetch();
  };
  const hasNothing = failed.length > 0 && summary.data === undefined && connections.data === undefined;
  if (hasNothing)
    return (
      <PageBody>
        <ErrorState
          title="The judges could not be loaded"
          reason={failureSentence(failed[0]?.error)}
          stillWorks={<GatewayStatus />}
          onRetry={again}
          retrying={failed.some((query) => query.isFetching)}
        />
      </PageBody>
    );
  return (
    <PageBody>
      {stale ? <Notice kind="warning">{stale}</Notice> : null}
      <RenewalNotice failed={failed} onRetry={again} />
      <div className="flex flex-col gap-3">
        {tabs}
        <Figures ledger={summary.data?.ledger} isLost={summary.isError} during={labelInSentence(range.label)} />
      </div>
      {summary.data ? <Failures summary={summary.data} rangeText={rangeText} /> : null}
      <ConnectionsSection connections={connections.data} onAdd={onAdd} onEdit={onEdit} />
      <JudgesTable summary={summary} rangeText={rangeText} hasConnections={(connections.data?.length ?? 0) > 0} />
    </PageBody>
  );
}

interface FiguresProps {
  ledger: JudgeCallSums | undefined;
  /** They could not be asked for. */
  isLost: boolean;
  during: string;
}

function Figures({ ledger, isLost, during }: FiguresProps) {
  const loading = ledger === undefined && !isLost;
  const none = ledger === undefined ? "This figure could not be loaded." : `No judge calls ${during}.`;
  const isAsked = ledger !== undefined && ledger.calls > 0;
  return (
    <StatRow>
      <Stat
        label="Asked"
        loading={loading}
        value={ledger ? formatCount(ledger.calls) : null}
        missing={none}
        detail={`by agents' calls, ${during}; trials not counted`}
      />
      <Stat
        label="Failed"
        hint="If a judge fails at a gate, the call is denied."
        loading={loading}
        value={isAsked ? formatCount(ledger.failed) : null}
        missing={none}
        detail={isAsked ? `${formatShare(ledger.failed, ledger.calls)} of ${plural(ledger.calls, "call")}` : null}
      />
      <Stat
        label="Spent on judges"
        hint="Judge costs are not included in the agents' spend."
        loading={loading}
        value={isAsked ? <TotalJudgeCost ledger={ledger} /> : null}
        missing={none}
        detail={isAsked ? coverage(ledger) : null}
      />
      <Stat
        label="Tokens"
        loading={loading}
        value={isAsked ? formatTokens(ledger.inputTokens + ledger.outputTokens) : null}
        missing={none}
        detail={isAsked ? `${formatTokens(ledger.inputTokens)} in, ${formatTokens(ledger.outputTokens)} out` : null}
      />
    </StatRow>
  );
}

/** `92 % of 808 answers priced · 4 unanswered`. */
export function coverage({ calls, priced, free, unpriced, unanswered }: JudgeCallSums): string {
  const answers = calls - unanswered;
  const share =
    unpriced === 0
      ? `all ${plural(answers, "answer")} priced`
      : `${formatShare(priced + free, answers)} of ${plural(answers, "answer")} priced`;
  const parts = [answers === 0 ? null : share, unanswered === 0 ? null : `${formatCount(unanswered)} unanswered`];
  return parts.filter((part) => part !== null).join(" · ");
}
