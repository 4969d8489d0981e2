"use client";

import { answerActs, useWaitingActs } from "@/components/trpc/step-up";
import { Dialog } from "@/components/ui/dialog";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const StepUpForm = loadWhenOpened(() => import("@/components/layout/step-up-form").then((one) => one.StepUpForm));

/** Opens when the server requires a confirmation of identity for an act. */
export function StepUpDialog() {
  const says = useWaitingActs();
  return (
    <Dialog
      open={says.length > 0}
      onOpenChange={(isOpen) => (isOpen ? undefined : answerActs(false))}
      title="Confirm your identity"
      description={
        says.length > 0 ? `${says.join(" ")} The confirmation is valid for 15 minutes in this browser.` : undefined
      }
      size="sm"
    >
      {says.length === 0 ? null : (
        <StepUpForm onConfirmed={() => answerActs(true)} onCancel={() => answerActs(false)} />
      )}
    </Dialog>
  );
}
