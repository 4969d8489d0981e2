"use client";

import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import type { JudgedText, PromptDetailView, TrialView } from "@/server/prompts/schema";

const TrialDialog = loadWhenOpened(() =>
  import("@/components/judges/prompts/trial-dialog").then((one) => one.TrialDialog),
);

export interface NewTrialButtonProps {
  prompt: PromptDetailView;
  text: JudgedText;
  trials: readonly TrialView[];
  onStarted: (trialId: string) => void;
}

/** Opens the settings of a trial. */
export function NewTrialButton(props: NewTrialButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <FlaskConical aria-hidden /> New trial…
      </Button>
      <TrialDialog open={isOpen} onOpenChange={setOpen} {...props} />
    </>
  );
}
