"use client";

import { EnrolmentTokensSection } from "@/components/agents/enrolment-tokens-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";

/** The tokens that machines join with. */
export function EnrolmentPage() {
  useLiveQueries(["agents"]);
  return (
    <>
      <PageHeader live />
      <PageBody>
        <EnrolmentTokensSection />
      </PageBody>
    </>
  );
}
