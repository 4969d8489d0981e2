"use client";

import { useQuery } from "@tanstack/react-query";
import { Download, ListChecks, Play, Upload } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { type CaseDraft, draftOfCase } from "@/components/policies/playground/case-draft";
import { CaseList } from "@/components/policies/playground/case-list";
import { useCaseActs } from "@/components/policies/playground/use-case-acts";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence, problemsOf } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { CaseView } from "@/server/playground/schema";
import type { PolicyDetailView } from "@/server/policies/schema";

const CaseDialog = loadWhenOpened(
  () => import("@/components/policies/playground/case-dialog").then((one) => one.CaseDialog),
  "draft",
);

export interface TestsViewProps {
  policy: PolicyDetailView;
  draftText: string;
  onOpen: (one: CaseView) => void;
  onBench: () => void;
}

/** The test cases of a policy, with actions to run, edit, import and export them. */
export function TestsView({ policy, draftText, onOpen, onBench }: TestsViewProps) {
  const trpc = useTRPC();
  const cases = useQuery(trpc.playground.cases.queryOptions({ policyId: policy.id }));
  const acts = useCaseActs(policy, draftText);
  const [draft, setDraft] = useState<CaseDraft | null>(null);
  const [leaving, setLeaving] = useState<CaseView | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const importButton = (
    <PermittedButton to="policy:write" onClick={() => chooser.current?.click()} busy={acts.take.isPending}>
      <Upload aria-hidden />
      Import
    </PermittedButton>
  );
  return (
    <div className="flex flex-col gap-3">
      <input
        ref={chooser}
        type="file"
        accept=".yaml,.yml"
        aria-label="Test case file"
        className="hidden"
        onChange={(event) => {
          acts.importFrom(event.target.files?.[0]).catch(() => undefined);
          event.target.value = "";
        }}
      />
      {acts.take.error ? <ImportFailure error={acts.take.error} /> : null}
      {acts.run.error ? <ErrorLine>{failureSentence(acts.run.error)}</ErrorLine> : null}
      {cases.data ? (
        cases.data.length === 0 ? (
          <NoCases onBench={onBench} importButton={importButton} />
        ) : (
          <>
            <Toolbar acts={acts} importButton={importButton} />
            <CaseList
              cases={cases.data}
              onOpen={onOpen}
              onEdit={(one) => setDraft(draftOfCase(one))}
              onDuplicate={(one) => void acts.duplicate(one)}
              onDelete={setLeaving}
            />
          </>
        )
      ) : cases.error ? (
        <ErrorState
          title="The test cases could not be loaded"
          reason={failureSentence(cases.error)}
          stillWorks="Publishing the policy still runs its test cases."
          onRetry={() => void cases.refetch()}
        />
      ) : (
        <Loading label="the test cases">
          <SkeletonText lines={6} />
        </Loading>
      )}
      <CaseDialog policyId={policy.id} draft={draft} onClose={() => setDraft(null)} />
      <ActDialog
        mutation={trpc.playground.deleteCase.mutationOptions()}
        input={leaving && { policyId: policy.id, caseId: leaving.id }}
        onClose={() => setLeaving(null)}
        title={`Delete the test case ${leaving?.name ?? ""}?`}
        confirm="Delete test case"
        onDone={acts.renew}
      >
        Publishing will no longer run this test case.
      </ActDialog>
    </div>
  );
}

function ImportFailure({ error }: { error: unknown }) {
  return (
    <div className="flex flex-col gap-1">
      <ErrorLine>{failureSentence(error)}</ErrorLine>
      <ul className="list-disc pl-5 text-sm">
        {problemsOf(error).map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function NoCases({ onBench, importButton }: { onBench: () => void; importButton: ReactNode }) {
  return (
    <EmptyState
      icon={ListChecks}
      title="No test cases yet"
      action={
        <div className="flex gap-2">
          <Button onClick={onBench}>Open the playground</Button>
          {importButton}
        </div>
      }
    >
      Run the policy on an input in the playground and save the result. Test cases run before each publication.
    </EmptyState>
  );
}

function Toolbar({ acts, importButton }: { acts: ReturnType<typeof useCaseActs>; importButton: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <PermittedButton to="policy:write" onClick={() => acts.runAll().catch(() => undefined)} busy={acts.run.isPending}>
        {acts.run.isPending ? null : <Play aria-hidden />}
        Run all on your draft
      </PermittedButton>
      {importButton}
      <Button onClick={() => void acts.exportAll()}>
        <Download aria-hidden />
        Export
      </Button>
    </div>
  );
}
