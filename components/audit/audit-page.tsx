"use client";

import { Readable } from "@/components/access/readable";
import { ExportButton } from "@/components/audit/export-button";
import { RecordView } from "@/components/audit/record-view";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";

/** The entries of the audit record. */
export function AuditPage() {
  useLiveQueries(["audit"]);
  return (
    <>
      <PageHeader range={{ fallback: "30d", all: true }} live actions={<ExportButton />} />
      <PageBody width="fill">
        <Readable to="audit:read">
          <RecordView />
        </Readable>
      </PageBody>
    </>
  );
}
