"use client";

import { AppliesToDialog } from "@/components/policies/applies-to-dialog";
import type { PolicyDialog, PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { CaseDialog } from "@/components/policies/playground/case-dialog";
import { PublishDialog } from "@/components/policies/publish-dialog";
import { FourEyesDialog } from "@/components/policies/review/four-eyes-dialog";
import { ReviewDrawer } from "@/components/policies/review/review-drawer";
import { SendDialog } from "@/components/policies/review/send-dialog";
import { RevisionDrawer } from "@/components/policies/revision-drawer";
import { PutInForceDialog } from "@/components/policies/rollout/put-in-force-dialog";

/** Everything that opens above the page: publication, review, assignment, revisions, cases. */
export function PolicyDialogs({ studio }: { studio: PolicyStudio }) {
  const { policy, binding, draft, keeper, checked, isChecking, goTo, takeUp, dialog, setDialog, enrolled } = studio;
  const { newCase, setNewCase, putting, setPutting, revision, setRevision } = studio;
  const held = (name: PolicyDialog) => ({
    open: dialog === name,
    onOpenChange: (isOpen: boolean) => setDialog(isOpen ? name : null),
    policy,
  });
  const isKnown = revision !== null && revision >= 1 && revision <= policy.latestRevision;
  return (
    <>
      <PublishDialog
        {...held("publish")}
        binding={binding}
        draft={draft}
        keeper={keeper}
        checked={checked}
        isChecking={isChecking}
        onGoTo={goTo}
        onSend={() => setDialog("send")}
      />
      <SendDialog {...held("send")} draft={draft} keeper={keeper} />
      <FourEyesDialog {...held("four eyes")} />
      <ReviewDrawer />
      <AppliesToDialog {...held("applies")} binding={binding} agents={enrolled} />
      <CaseDialog policyId={policy.id} draft={newCase} onClose={() => setNewCase(null)} />
      <RevisionDrawer
        policyId={policy.id}
        policyName={policy.name}
        latest={policy.latestRevision}
        live={policy.liveRevision}
        number={isKnown ? revision : null}
        draftText={draft.text}
        onShow={(number) => void setRevision(number)}
        onTakeUp={takeUp}
        onPutInForce={(chosen) => {
          // The way back appears where the drawer would cover it.
          void setRevision(null);
          setPutting(chosen);
        }}
      />
      <PutInForceDialog policy={policy} binding={binding} chosen={putting} onClose={() => setPutting(null)} />
    </>
  );
}
