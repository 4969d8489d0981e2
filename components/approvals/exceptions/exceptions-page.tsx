"use client";

import { ExceptionsSection } from "@/components/approvals/exceptions/exceptions-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";

/** The exceptions of the workspace. */
export function ExceptionsPage() {
  return (
    <>
      <PageHeader />
      <PageBody>
        <ExceptionsSection />
      </PageBody>
    </>
  );
}
