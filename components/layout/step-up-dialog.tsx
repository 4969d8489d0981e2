"use client";

import { useStepUp } from "@/components/trpc/step-up";
import { Dialog } from "@/components/ui/dialog";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const StepUpForm = loadWhenOpened(() => import("@/components/layout/step-up-form").then((one) => one.StepUpForm));

/** Opens by itself when an act is so grave that the server asks who is at this browser. */
export function StepUpDialog() {
  const [says, answer] = useStepUp();
  return (
    <Dialog
      open={says !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : answer(false))}
      title="Confirm that it is you"
      description={says ? `${says} It holds for 15 minutes, in this browser.` : undefined}
      size="sm"
    >
      {says === null ? null : <StepUpForm onConfirmed={() => answer(true)} onCancel={() => answer(false)} />}
    </Dialog>
  );
}
