"use client";

import { ErasePersonSection } from "@/components/audit/erase-person-section";
import { EraseSection } from "@/components/audit/erase-section";
import { HoldsSection } from "@/components/audit/holds-section";
import { MaskingSection } from "@/components/audit/masking/masking-section";
import { RawSection } from "@/components/audit/raw-section";
import { RecordState } from "@/components/audit/record-state";
import { RetentionSection } from "@/components/audit/retention-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";

/** The retention of recorded data: periods, legal holds, erasures, masking, and raw capture. */
export function DataLifecyclePage() {
  useLiveQueries(["audit", "masking"]);
  return (
    <>
      <PageHeader />
      <PageBody>
        <RecordState>
          {({ retention, retentionFaults, holds }) => (
            <>
              <RetentionSection key={JSON.stringify(retention)} retention={retention} faults={retentionFaults} />
              <HoldsSection holds={holds} />
              <EraseSection />
              <ErasePersonSection />
              <MaskingSection />
              <RawSection />
            </>
          )}
        </RecordState>
      </PageBody>
    </>
  );
}
