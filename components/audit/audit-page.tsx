"use client";

import dynamic from "next/dynamic";
import { parseAsString, useQueryState } from "nuqs";
import { ExportButton } from "@/components/audit/export-button";
import { type View, viewOf } from "@/components/audit/query";
import { RecordView } from "@/components/audit/record-view";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { Segmented } from "@/components/ui/segmented";

const RecordKeepingView = dynamic(() =>
  import("@/components/audit/record-keeping-view").then((one) => one.RecordKeepingView),
);

const VIEWS = [
  { value: "record", label: "Record" },
  { value: "keeping", label: "Integrity and retention" },
] as const satisfies readonly { value: View; label: string }[];

/** The audit record: its entries, its verification, and its retention. */
export function AuditPage() {
  useLiveQueries(["audit"]);
  const [text, setView] = useQueryState("view", parseAsString.withOptions({ history: "push" }));
  const view = viewOf(text);
  const tabs = (
    <Segmented
      label="View"
      value={view}
      onChange={(next) => void setView(next === "record" ? null : next)}
      options={VIEWS}
      className="w-fit"
    />
  );
  return (
    <>
      <PageHeader
        title="Audit"
        range={view === "record" ? { fallback: "30d", all: true } : false}
        live
        actions={<ExportButton />}
      />
      {view === "record" ? (
        <PageBody width="fill">
          <div className="shrink-0 pb-3">{tabs}</div>
          <RecordView />
        </PageBody>
      ) : (
        <PageBody>
          {tabs}
          <RecordKeepingView />
        </PageBody>
      )}
    </>
  );
}
