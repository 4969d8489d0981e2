"use client";

import { useQuery } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import type { StartedTrial } from "@/components/judges/prompts/trial-dialog";
import { useTRPC } from "@/components/trpc/client";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";

const TrialDialog = loadWhenOpened(() =>
  import("@/components/judges/prompts/trial-dialog").then((one) => one.TrialDialog),
);

export interface NewTrialButtonProps {
  prompt: PromptDetailView;
  text: JudgedText;
  className?: string;
}

const NONE: readonly TrialView[] = [];
const PLACE = {
  ...{ view: parseAsString, trial: parseAsString, left: parseAsString },
  ...{ right: parseAsString, answer: parseAsString },
};

/** Opens the settings of a trial; the started trial is shown, or compared with the one before it. */
export function NewTrialButton({ prompt, text, className }: NewTrialButtonProps) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const [, setPlace] = useQueryStates(PLACE, { history: "push" });
  const trials = useQuery(trpc.prompts.trials.queryOptions({ promptId: prompt.id }));
  const show = ({ trialId, beforeId }: StartedTrial) =>
    void setPlace(
      beforeId === null
        ? { view: "trials", trial: trialId, left: null, right: null, answer: null }
        : { view: "compare", trial: null, left: beforeId, right: trialId, answer: null },
    );
  return (
    <>
      <PermittedButton to="policy:write" onClick={() => setOpen(true)} place={className}>
        <FlaskConical aria-hidden /> New trial…
      </PermittedButton>
      <TrialDialog
        open={isOpen}
        onOpenChange={setOpen}
        prompt={prompt}
        text={text}
        trials={trials.data ?? NONE}
        onStarted={show}
      />
    </>
  );
}
