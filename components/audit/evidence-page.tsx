"use client";

import { ExportButton } from "@/components/audit/export-button";
import { StatementsSection } from "@/components/audit/statements-section";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";

/** The ways to get a file that proves what happened. */
export function EvidencePage() {
  useLiveQueries(["audit"]);
  return (
    <>
      <PageHeader live actions={<ExportButton />} />
      <PageBody>
        <StatementsSection />
        <Section title="Evidence for calls" framed>
          <div className="flex flex-col items-start gap-4">
            <p className="text-muted">
              An evidence file holds calls with their verdicts and the proof that they are in the record. Filter the
              calls, then choose Evidence. Export saves the whole record.
            </p>
            <Button asChild>
              <Link href="/activity">Choose calls</Link>
            </Button>
          </div>
        </Section>
      </PageBody>
    </>
  );
}
