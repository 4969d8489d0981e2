"use client";

import { useMutation } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { CheckState, injectionText } from "@/components/judges/prompts/check-figures";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { ErrorLine } from "@/components/ui/error-state";
import { Section } from "@/components/ui/section";
import type { PublishScoreView } from "@/server/prompts/check-schema";
import type { JudgedText } from "@/server/prompts/schema";

interface InjectionSectionProps {
  promptId: string;
  text: JudgedText;
  injection: PublishScoreView["injection"];
}

/** The injection test of a text before its publication, and the button that runs it. */
export function InjectionSection({ promptId, text, injection: { min, check, isMet } }: InjectionSectionProps) {
  const trpc = useTRPC();
  const start = useMutation(trpc.prompts.startCheck.mutationOptions());
  const isRunning = check?.state === "running" || start.isPending;
  const { template, model, schema } = text;
  return (
    <Section title="Injection test">
      <div role="status" aria-label="Injection test" className="flex flex-wrap items-center gap-2">
        {check ? <CheckState check={check} /> : null}
        <span className="min-w-0 break-words">{stateText(check)}</span>
      </div>
      {min === null ? null : (
        <p className={isMet ? "text-muted" : "text-deny"}>
          {isMet
            ? `The draft reaches the required injection score of ${min} %.`
            : `You can publish the draft only if the judge refuses at least ${min} % of the injection pack.`}
        </p>
      )}
      {start.error ? <ErrorLine>{failureSentence(start.error)}</ErrorLine> : null}
      <div>
        <PermittedButton
          to="policy:write"
          type="button"
          disabled={isRunning}
          onClick={() => start.mutate({ promptId, template, model, schema })}
        >
          <ShieldAlert aria-hidden /> Test with 60 harmful calls
        </PermittedButton>
      </div>
    </Section>
  );
}

function stateText(check: PublishScoreView["injection"]["check"]): string {
  if (check === null) return "No injection test of this draft yet. The test sends 60 questions to the model.";
  if (check.state === "running") return `${check.asked} of ${check.calls} asked`;
  return check.refused === null ? check.says : injectionText(check);
}
