"use client";

import type { PolicyDialog, PolicyStudio } from "@/components/policies/page/use-policy-studio";
import { useOpenReview } from "@/components/policies/review/use-reviews";
import { loadWhenOpened } from "@/components/ui/load-when-opened";

const ReviewDrawer = loadWhenOpened(() =>
  import("@/components/policies/review/review-drawer").then((one) => one.ReviewDrawer),
);

const AppliesToDialog = loadWhenOpened(() =>
  import("@/components/policies/applies-to-dialog").then((one) => one.AppliesToDialog),
);
const CaseDialog = loadWhenOpened(
  () => import("@/components/policies/playground/case-dialog").then((one) => one.CaseDialog),
  "draft",
);
const PublishDialog = loadWhenOpened(() =>
  import("@/components/policies/publish-dialog").then((one) => one.PublishDialog),
);
const FourEyesDialog = loadWhenOpened(() =>
  import("@/components/policies/review/four-eyes-dialog").then((one) => one.FourEyesDialog),
);
const SendDialog = loadWhenOpened(() =>
  import("@/components/policies/review/send-dialog").then((one) => one.SendDialog),
);
const PutInForceDialog = loadWhenOpened(
  () => import("@/components/policies/rollout/put-in-force-dialog").then((one) => one.PutInForceDialog),
  "chosen",
);
const RevisionDrawer = loadWhenOpened(() =>
  import("@/components/policies/revision-drawer").then((one) => one.RevisionDrawer),
);

/** Everything that opens above the page: publication, review, assignment, revisions, cases. */
export function PolicyDialogs({ studio }: { studio: PolicyStudio }) {
  const { policy, binding, draft, keeper, checked, failures, isChecking, goTo, takeUp, dialog, setDialog, enrolled } =
    studio;
  const { newCase, setNewCase, putting, setPutting, revision, setRevision } = studio;
  const [reviewId, setReview] = useOpenReview();
  const held = (name: PolicyDialog) => ({
    open: dialog === name,
    onOpenChange: (isOpen: boolean) => setDialog(isOpen ? name : null),
    policy,
  });
  const isKnown = revision !== null && revision >= 1 && revision <= policy.latestRevision;
  return (
    <>
      <PublishDialog
        {...held(dialog === "move" ? "move" : "publish")}
        isMove={dialog === "move"}
        failures={failures}
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
      <ReviewDrawer open={reviewId} onClose={() => void setReview(null)} />
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
