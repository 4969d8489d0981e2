"use client";

import { Hand } from "lucide-react";
import { useState } from "react";
import { ApprovalCard } from "@/components/approvals/approval-card";
import { type EqualRequests, equalRequests } from "@/components/approvals/equal-requests";
import { LoadedApprovals } from "@/components/approvals/loaded-approvals";
import { RequestPanel } from "@/components/approvals/request-panel";
import { RequestsOfPerson } from "@/components/approvals/requests-of-person";
import { NotifyButton } from "@/components/layout/notices/notify-button";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { plural } from "@/components/ui/format/count";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Section } from "@/components/ui/section";
import { useMedia } from "@/components/ui/use-media";
import type { ApprovalList } from "@/server/approvals/schema";

const AlwaysAllowDialog = loadWhenOpened(() =>
  import("@/components/approvals/exceptions/always-allow-dialog").then((one) => one.AlwaysAllowDialog),
);

/** Calls that wait for an answer. */
export function ApprovalsPage() {
  return (
    <>
      <PageHeader primary={<NotifyButton />} />
      <PageBody>
        <LoadedApprovals>
          {(list) => <RequestsOfPerson requests={list.open}>{(open) => <Waiting open={open} />}</RequestsOfPerson>}
        </LoadedApprovals>
      </PageBody>
    </>
  );
}

function Waiting({ open }: { open: ApprovalList["open"] }) {
  const own = open.filter(({ isForReader }) => isForReader);
  const groups = equalRequests(own);
  const others = equalRequests(open.filter(({ isForReader }) => !isForReader));
  const hasPanel = useMedia("(min-width: 1024px)", true);
  // Kept in the page and not in the card: the card disappears as soon as an approver answers, and typed text must stay.
  const [always, setAlways] = useState<EqualRequests | null>(null);
  const isOpen = groups.some(({ first }) => first.id === always?.first.id);
  return (
    <>
      {always ? <AlwaysAllowDialog group={always} isOpen={isOpen} onClose={() => setAlways(null)} /> : null}
      {open.length === 0 ? (
        <EmptyState icon={Hand} title="No pending approvals">
          Calls appear here when a policy uses the builtin ask_a_person. The agent waits for your answer, or retries the
          call after you allow it. Unanswered calls are denied.
        </EmptyState>
      ) : groups.length === 0 ? null : (
        <Section title="To answer" aside={plural(own.length, "call")}>
          {hasPanel ? (
            <RequestPanel groups={groups} onAlways={setAlways} />
          ) : (
            <ul aria-label="Calls to answer" className="flex flex-col gap-3">
              {groups.map((group) => (
                <ApprovalCard
                  key={group.first.id}
                  as="li"
                  request={group.first}
                  all={group.all}
                  onAlways={() => setAlways(group)}
                  hasKeys={false}
                />
              ))}
            </ul>
          )}
        </Section>
      )}
      {others.length > 0 ? (
        <Section title="Waiting for other people" aside={plural(open.length - own.length, "call")}>
          <ul aria-label="Calls that other people must answer" className="flex flex-col gap-3">
            {others.map((group) => (
              <ApprovalCard
                key={group.first.id}
                as="li"
                request={group.first}
                all={group.all}
                onAlways={() => setAlways(group)}
                hasKeys={false}
              />
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}
