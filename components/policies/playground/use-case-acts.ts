"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { counted } from "@/components/policies/labels";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";
import { CASE_FILE_BYTES_MAX, type CaseView } from "@/server/playground/schema";
import type { PolicyDetailView } from "@/server/policies/schema";

/** The actions on the test cases of a policy. Each reports its result, and the list is fetched again. */
export function useCaseActs({ id: policyId, name }: PolicyDetailView, draftText: string) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const run = useMutation(trpc.playground.runCases.mutationOptions());
  const copy = useMutation(trpc.playground.duplicateCase.mutationOptions());
  const take = useMutation(trpc.playground.importCases.mutationOptions());
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
      saveFile(`${name}.cases.yaml`, new Blob([file], { type: "application/yaml" }));
    } catch (error) {
      toast.error("The test cases were not exported", { description: failureSentence(error) });
    }
  };
  const importFrom = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > CASE_FILE_BYTES_MAX) {
      toast.error("The file is larger than 1 MiB");
      return;
    }
    const { added, replaced } = await take.mutateAsync({ policyId, file: await file.text() });
    await renew();
    toast.success(`${counted(added, "case")} added, ${replaced} replaced`);
  };
  const duplicate = ({ id }: CaseView) =>
    copy
      .mutateAsync({ policyId, caseId: id })
      .then(renew)
      .catch((error: unknown) => toast.error("The test case was not copied", { description: failureSentence(error) }));
  return { run, take, runAll, exportAll, importFrom, duplicate, renew };
}
