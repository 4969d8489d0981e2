"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Ellipsis, ListChecks, Play, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { EventTitle } from "@/components/layout/event-title";
import { counted } from "@/components/policies/labels";
import { type CaseDraft, draftOfCase } from "@/components/policies/playground/case-draft";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence, problemsOf } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorLine, ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Mark } from "@/components/ui/mark";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { CASE_FILE_BYTES_MAX, type CaseView } from "@/server/playground/schema";
import type { PolicyDetailView } from "@/server/policies/schema";

const CaseDialog = loadWhenOpened(() =>
  import("@/components/policies/playground/case-dialog").then((one) => one.CaseDialog),
);

export interface TestsViewProps {
  policy: PolicyDetailView;
  draftText: string;
  onOpen: (one: CaseView) => void;
  onBench: () => void;
}

/** The cases a policy is held to: run on the draft, edited, taken elsewhere. */
export function TestsView({ policy, draftText, onOpen, onBench }: TestsViewProps) {
  const policyId = policy.id;
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const cases = useQuery(trpc.playground.cases.queryOptions({ policyId }));
  const run = useMutation(trpc.playground.runCases.mutationOptions());
  const copy = useMutation(trpc.playground.duplicateCase.mutationOptions());
  const remove = useMutation(trpc.playground.deleteCase.mutationOptions());
  const take = useMutation(trpc.playground.importCases.mutationOptions());
  const [draft, setDraft] = useState<CaseDraft | null>(null);
  const [leaving, setLeaving] = useState<CaseView | null>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const renew = () => queries.invalidateQueries({ queryKey: trpc.playground.cases.queryKey({ policyId }) });

  const runAll = async () => {
    const { cases: ran } = await run.mutateAsync({ policyId, subject: { kind: "text", source: draftText } });
    await renew();
    const failed = ran.filter(({ passed }) => !passed).length;
    if (failed === 0) toast.success(`${counted(ran.length, "test case")} passed`);
    else toast.error(`${failed} of ${counted(ran.length, "test case")} failed`);
  };
  const exportAll = async () => {
    try {
      const file = await client.playground.exportCases.query({ policyId });
      saveFile(`${policy.name}.cases.yaml`, new Blob([file], { type: "application/yaml" }));
    } catch (error) {
      toast.error("The cases were not exported", { description: failureSentence(error) });
    }
  };
  const importFrom = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > CASE_FILE_BYTES_MAX) {
      toast.error("A file of cases has at most 1 MiB");
      return;
    }
    const { added, replaced } = await take.mutateAsync({ policyId, file: await file.text() });
    await renew();
    toast.success(`${counted(added, "case")} added, ${replaced} replaced`);
  };
  const importButton = (
    <Button onClick={() => chooser.current?.click()} busy={take.isPending}>
      <Upload aria-hidden />
      Import
    </Button>
  );
  return (
    <div className="flex flex-col gap-3">
      <input
        ref={chooser}
        type="file"
        accept=".yaml,.yml"
        aria-label="A file of cases"
        className="hidden"
        onChange={(event) => {
          importFrom(event.target.files?.[0]).catch(() => undefined);
          event.target.value = "";
        }}
      />
      {take.error ? (
        <div className="flex flex-col gap-1">
          <ErrorLine>{failureSentence(take.error)}</ErrorLine>
          <ul className="list-disc pl-5 text-sm">
            {problemsOf(take.error).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      {run.error ? <ErrorLine>{failureSentence(run.error)}</ErrorLine> : null}
      {cases.data ? (
        cases.data.length === 0 ? (
          <EmptyState
            icon={ListChecks}
            title="No test cases yet"
            action={
              <div className="flex gap-2">
                <Button onClick={onBench}>Open the bench</Button>
                {importButton}
              </div>
            }
          >
            Run the text on an input in the test bench and save the result. Test cases run on every publish.
          </EmptyState>
        ) : (
          <>
            <div className="flex flex-wrap items-center gap-2">
              <Button onClick={() => runAll().catch(() => undefined)} busy={run.isPending}>
                {run.isPending ? null : <Play aria-hidden />}
                Run all on your text
              </Button>
              {importButton}
              <Button onClick={() => void exportAll()}>
                <Download aria-hidden />
                Export
              </Button>
            </div>
            <ul aria-label="Test cases" className="flex flex-col overflow-hidden rounded-md border">
              {cases.data.map((one) => (
                <li key={one.id} className="flex items-start gap-3 border-line px-3 py-2 not-first:border-t">
                  <State one={one} />
                  <div className="min-w-0 flex-1">
                    <button
                      type="button"
                      className="link text-left font-medium"
                      onClick={() => setDraft(draftOfCase(one))}
                    >
                      {one.name}
                    </button>
                    <p className="text-muted text-sm">
                      <EventTitle event={one.event} /> · by {one.createdBy}
                      {one.isMasked ? " · secrets masked" : ""}
                      {one.last ? (
                        <>
                          {" · ran "}
                          <RelativeTime at={one.last.at} />
                        </>
                      ) : null}
                    </p>
                    {one.last?.differs.map((difference) => (
                      <p key={difference} className="break-words text-deny text-sm">
                        {difference}
                      </p>
                    ))}
                  </div>
                  <Menu
                    trigger={<IconButton icon={Ellipsis} label={`More about ${one.name}`} size="sm" />}
                    items={[
                      { label: "Replay in test bench", onSelect: () => onOpen(one) },
                      { label: "Edit", onSelect: () => setDraft(draftOfCase(one)) },
                      {
                        label: "Duplicate",
                        onSelect: () =>
                          void copy
                            .mutateAsync({ policyId, caseId: one.id })
                            .then(renew)
                            .catch((error: unknown) =>
                              toast.error("It was not copied", { description: failureSentence(error) }),
                            ),
                      },
                      { kind: "separator" },
                      { label: "Delete…", danger: true, onSelect: () => setLeaving(one) },
                    ]}
                  />
                </li>
              ))}
            </ul>
          </>
        )
      ) : cases.error ? (
        <ErrorState
          title="The test cases could not be loaded"
          reason={failureSentence(cases.error)}
          stillWorks="They are asked when the policy is published all the same."
          onRetry={() => void cases.refetch()}
        />
      ) : (
        <Loading label="the test cases">
          <SkeletonText lines={6} />
        </Loading>
      )}
      <CaseDialog policyId={policyId} draft={draft} onClose={() => setDraft(null)} />
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setLeaving(null))}
        title={`Delete the test case ${leaving?.name ?? ""}?`}
        confirm="Delete test case"
        onConfirm={async () => {
          if (leaving) await remove.mutateAsync({ policyId, caseId: leaving.id });
          await renew();
        }}
      >
        The policy is not held to it any more when it is published.
      </ConfirmDialog>
    </div>
  );
}

function State({ one: { last } }: { one: CaseView }) {
  if (!last) return <Mark tone="unknown" label="Not run" />;
  return last.passed ? <Mark tone="allow" label="Passed" /> : <Mark tone="deny" label="Failed" />;
}
