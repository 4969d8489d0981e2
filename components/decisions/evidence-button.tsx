"use client";

import { useMutation } from "@tanstack/react-query";
import { FileCheck2 } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import type { DecisionsInput } from "@/components/decisions/query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { plural } from "@/components/ui/format/count";
import { saveFile } from "@/components/ui/save-file";
import { toast } from "@/components/ui/toast";

/** Saves the decisions in the list as a file that proves itself. */
export function EvidenceButton({ input: { range, filters } }: { input: DecisionsInput }) {
  const trpc = useTRPC();
  const make = useMutation(
    trpc.decisions.evidence.mutationOptions({
      onSuccess: ({ text, calls }) => {
        saveFile("evidence.jsonl", new Blob([text], { type: "application/jsonl" }));
        toast.success(`Evidence of ${plural(calls, "call")} saved`, {
          description: "Verify it anywhere with quarterdeck-verify.mjs, from this console's address.",
        });
      },
      onError: (error) => toast.error("No evidence was made", { description: failureSentence(error) }),
    }),
  );
  return (
    <PermittedButton
      to="audit:read"
      variant="ghost"
      aria-label="Export evidence"
      busy={make.isPending}
      onClick={() => make.mutate({ range, filters })}
    >
      <FileCheck2 aria-hidden />
      <span className="max-sm:hidden">Evidence</span>
    </PermittedButton>
  );
}
