"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRefreshReviews } from "@/components/policies/review/use-reviews";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { PolicyDetailView } from "@/server/policies/schema";
import type { PolicyReviewView } from "@/server/reviews/schema";

/** The setting that a policy's publication takes a second person, and the switch: on at once, off by two people. */
export function FourEyesDialog({
  open,
  onOpenChange,
  policy,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  policy: PolicyDetailView;
}) {
  const trpc = useTRPC();
  const refresh = useRefreshReviews();
  const status = useQuery({ ...trpc.reviews.ofPolicy.queryOptions({ policyId: policy.id }), enabled: open });
  const set = useMutation(trpc.reviews.setFourEyes.mutationOptions({ onSuccess: refresh }));
  const change = (isOn: boolean) => set.mutate({ policyId: policy.id, isOn });
  const { data } = status;
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => {
        set.reset();
        onOpenChange(isOpen);
      }}
      title={`Second approver for ${policy.name}`}
      footer={
        data ? (
          <>
            <Button onClick={() => onOpenChange(false)}>Close</Button>
            <Switches status={data} busy={set.isPending} onChange={change} />
          </>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-2 pb-2">
        {data ? (
          sentences(data).map((sentence) => <p key={sentence}>{sentence}</p>)
        ) : status.error ? (
          <ErrorLine>{failureSentence(status.error)}</ErrorLine>
        ) : (
          <Loading label="the switch">
            <SkeletonText lines={3} />
          </Loading>
        )}
        {set.error ? <ErrorLine>{failureSentence(set.error)}</ErrorLine> : null}
      </div>
    </Dialog>
  );
}

function Switches({
  status: { fourEyes, offAsked },
  busy,
  onChange,
}: {
  status: PolicyReviewView;
  busy: boolean;
  onChange: (isOn: boolean) => void;
}) {
  if (!fourEyes)
    return (
      <Button variant="primary" busy={busy} onClick={() => onChange(true)}>
        Require a second approver
      </Button>
    );
  return (
    <>
      {offAsked ? (
        <Button busy={busy} onClick={() => onChange(true)}>
          Keep requiring a second approver
        </Button>
      ) : null}
      {offAsked?.isMine ? null : (
        <Button variant={offAsked ? "danger" : "secondary"} busy={busy} onClick={() => onChange(false)}>
          {offAsked ? "Agree to require no second approver" : "Request to require no second approver"}
        </Button>
      )}
    </>
  );
}

function sentences({ fourEyes, offAsked, reviewers }: PolicyReviewView): string[] {
  const rule =
    "Each draft needs the approval of a person who did not edit or send it. This rule applies to the console and to scripts.";
  const back = "Rollbacks and changes that loosen or reassign the policy also require a second person.";
  const people = `${reviewers} ${reviewers === 1 ? "person" : "people"} in this workspace can review.`;
  if (!fourEyes)
    return [
      "A second approver is not required: each publisher can publish alone.",
      `If a second approver is required: ${rule} ${back}`,
      people,
    ];
  if (offAsked)
    return [
      `A second approver is required. ${rule}`,
      offAsked.isMine
        ? "You requested to stop requiring a second approver. The requirement stays until another person agrees."
        : `${offAsked.name} requested to stop requiring a second approver. If you agree, each publisher can publish alone.`,
    ];
  return [
    `A second approver is required. ${rule} ${back}`,
    "It takes two people to stop requiring a second approver: one requests, another agrees.",
    people,
  ];
}
