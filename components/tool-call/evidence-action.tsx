"use client";

import { useMutation } from "@tanstack/react-query";
import { FileCheck2 } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { toast } from "@/components/ui/toast";
import type { CountDecisionsInput, DecisionKey } from "@/server/decisions/schema";

export interface EvidenceActionProps {
  /** The range and the filter; filters that are left out match everything. */
  asked: { readonly range: CountDecisionsInput["range"]; readonly filters?: Partial<CountDecisionsInput["filters"]> };
  /** Only the calls with one of these decisions. */
  decisions?: readonly DecisionKey[];
  /** The accessible name; "Export evidence" when absent. */
  label?: string;
  /** The visible word; "Evidence" when absent. */
  text?: string;
}

/** Saves an archive: the evidence of the calls, with a cover to read and one to print. */
export function EvidenceAction({
  asked,
  decisions,
  label = "Export evidence",
  text = "Evidence",
}: EvidenceActionProps) {
  const trpc = useTRPC();
  const make = useMutation(
    trpc.decisions.evidence.mutationOptions({
      onSuccess: async (made) => {
        const { saveEvidence } = await import("@/components/tool-call/save-evidence");
        saveEvidence(made);
      },
      onError: (error) => toast.error("Couldn't create the evidence file", { description: failureSentence(error) }),
    }),
  );
  const chosen = decisions === undefined ? {} : { decisions: [...decisions] };
  return (
    <PermittedButton
      to="audit:read"
      variant="ghost"
      size="sm"
      aria-label={label}
      busy={make.isPending}
      onClick={() => make.mutate({ ...asked, ...chosen, form: "archive" })}
    >
      <FileCheck2 aria-hidden />
      <span className="max-sm:hidden">{text}</span>
    </PermittedButton>
  );
}

/** Around one decision: the call's other decisions are at most this far away. */
const CALL_MS = 3_600_000;

/** Evidence of the one call of a decision. */
export function CallEvidence({ of }: { of: DecisionKey & { readonly sessionId: string } }) {
  const at = of.occurredAt.getTime();
  const range = { from: new Date(at - CALL_MS), to: new Date(at + CALL_MS) };
  return (
    <EvidenceAction
      asked={{ range, filters: { session: [of.sessionId] } }}
      decisions={[{ occurredAt: of.occurredAt, id: of.id }]}
      label="Evidence for this call"
      text="Evidence for this call"
    />
  );
}

/** Evidence of the calls of one session. */
export function SessionEvidence({
  session,
}: {
  session: { readonly sessionId: string; readonly agentName: string; readonly firstAt: Date; readonly lastAt: Date };
}) {
  const range = { from: session.firstAt, to: new Date(session.lastAt.getTime() + 1) };
  return (
    <EvidenceAction
      asked={{ range, filters: { session: [session.sessionId], agent: [session.agentName] } }}
      label="Export evidence of this session"
    />
  );
}
