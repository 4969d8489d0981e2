"use client";

import { History } from "lucide-react";
import { ApprovalRow } from "@/components/approvals/approval-row";
import { LoadedApprovals } from "@/components/approvals/loaded-approvals";
import { RequestsOfPerson } from "@/components/approvals/requests-of-person";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { formatDuration } from "@/components/ui/format/duration";
import { Section } from "@/components/ui/section";
import { Stat, StatRow } from "@/components/ui/stat";
import type { ApprovalList } from "@/server/approvals/schema";

/** The answered and expired requests, and how fast they were answered. */
export function AnsweredPage() {
  return (
    <>
      <PageHeader />
      <PageBody>
        <LoadedApprovals>
          {({ closed, figures }) => (
            <>
              {closed.length > 0 ? <Figures figures={figures} /> : null}
              <RequestsOfPerson requests={closed}>{(shown) => <Answered closed={shown} />}</RequestsOfPerson>
            </>
          )}
        </LoadedApprovals>
      </PageBody>
    </>
  );
}

function Answered({ closed }: Pick<ApprovalList, "closed">) {
  if (closed.length === 0)
    return (
      <EmptyState icon={History} title="No answered requests">
        Approval requests move to this page when a person answers them or they expire.
      </EmptyState>
    );
  return (
    <Section title="Answered and expired" aside={`the newest ${closed.length}`}>
      <ul
        aria-label="Answered and expired calls"
        className="flex flex-col divide-y divide-line overflow-hidden rounded-md border bg-surface"
      >
        {closed.map((request) => (
          <ApprovalRow key={request.id} request={request} />
        ))}
      </ul>
    </Section>
  );
}

/** Fewer answers than this have no 95th percentile worth showing. */
const P95_ANSWERS_MIN = 20;
const NONE = "People answered no approval request in the last 7 days.";

function Figures({ figures }: { figures: ApprovalList["figures"] }) {
  const { answered, allowed, unchanged, lapsed, p50Ms, p95Ms } = figures;
  const share = answered === 0 ? null : `${Math.round((unchanged / answered) * 100)} %`;
  const late = p95Ms === null || answered < P95_ANSWERS_MIN ? "" : `95 % within ${formatDuration(p95Ms)}, `;
  return (
    <StatRow>
      <Stat
        label="Time to answer"
        value={p50Ms === null ? null : formatDuration(p50Ms)}
        missing={NONE}
        detail={`${late}last 7 days`}
      />
      <Stat
        label="Allowed unchanged"
        value={share}
        missing={NONE}
        hint="If people nearly always allow a rule's calls unchanged, the rule may interrupt them needlessly."
        detail={`${unchanged} of ${answered} answers; ${allowed - unchanged} edited`}
      />
      <Stat label="Lapsed" value={lapsed} detail="not answered in time, last 7 days" />
    </StatRow>
  );
}
