"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";
import type { MaskingView } from "@/server/masking-settings/schema";

/** A weaker masking that waits for a second person, with the buttons that end the wait. */
export function WaitingMasking({ asked }: { asked: NonNullable<MaskingView["asked"]> }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const onSuccess = () => void queries.invalidateQueries(trpc.maskingSettings.pathFilter());
  const decide = useMutation(trpc.maskingSettings.decide.mutationOptions({ onSuccess }));
  const withdraw = useMutation(trpc.maskingSettings.withdraw.mutationOptions({ onSuccess }));
  const { at: askedAt, byName, isMine, loses, whyNot } = asked;
  const failure = decide.error ?? withdraw.error;
  return (
    <div className="flex flex-col gap-2">
      <Notice
        kind="warning"
        action={
          isMine ? (
            <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate({ askedAt })}>
              Withdraw request
            </Button>
          ) : whyNot === null ? (
            <>
              <Button size="sm" busy={decide.isPending} onClick={() => decide.mutate({ askedAt, outcome: "declined" })}>
                Decline
              </Button>
              <Button
                size="sm"
                variant="primary"
                busy={decide.isPending}
                onClick={() => decide.mutate({ askedAt, outcome: "approved" })}
              >
                Agree
              </Button>
            </>
          ) : undefined
        }
      >
        {byName} asks to stop masking {loses.join(", ")}, <RelativeTime at={askedAt} />. Another person must agree.
        {whyNot === null || isMine ? "" : ` ${whyNot}`}
      </Notice>
      {failure ? <ErrorLine>{failureSentence(failure)}</ErrorLine> : null}
    </div>
  );
}
