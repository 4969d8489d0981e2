"use client";

import { CheckpointsSection } from "@/components/audit/checkpoints-section";
import { ExportButton } from "@/components/audit/export-button";
import { RecordState } from "@/components/audit/record-state";
import { VerifySection } from "@/components/audit/verify-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";

/** The proof that the record is whole: its verification and its checkpoints. */
export function VerificationPage() {
  useLiveQueries(["audit"]);
  return (
    <>
      <PageHeader live actions={<ExportButton />} />
      <PageBody>
        <RecordState>
          {(state) => (
            <>
              <VerifySection />
              <CheckpointsSection state={state} />
            </>
          )}
        </RecordState>
      </PageBody>
    </>
  );
}
