"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Snowflake } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { worded } from "@/components/layout/four-eyes/second-person";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { toast } from "@/components/ui/toast";

/** The notice of a freeze on every page: by whom, since when and why. */
export function useFreezeNotice(): PageNotice | null {
  useLiveQueries(["policies"]);
  const trpc = useTRPC();
  const freeze = useQuery(trpc.policies.frozen.queryOptions()).data;
  if (!freeze) return null;
  return {
    id: "freeze",
    label: "Frozen",
    kind: "warning",
    icon: Snowflake,
    text: (
      <>
        <strong>Frozen</strong> by {freeze.by}, <RelativeTime at={freeze.at} />: {freeze.reason} No changes take effect.
        Drafts can still be edited.
      </>
    ),
    action: <LiftFreeze by={freeze.by} reason={freeze.reason} />,
  };
}

function LiftFreeze({ by, reason }: { by: string; reason: string }) {
  const trpc = useTRPC();
  const renew = useRefresh();
  const lift = useMutation(trpc.policies.unfreeze.mutationOptions());
  const [isAsking, setAsking] = useState(false);
  const act = async () => {
    await worded(lift.mutateAsync());
    await renew();
    toast.success("Freeze lifted");
  };
  return (
    <>
      <PermittedButton to="policy:govern" size="sm" onClick={() => setAsking(true)}>
        Lift the freeze…
      </PermittedButton>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Lift the freeze?"
        confirm="Lift the freeze"
        danger={false}
        onConfirm={act}
      >
        <p>
          {by} froze the workspace: {reason} Publishing, rolling back and assigning are possible again.
        </p>
      </ConfirmDialog>
    </>
  );
}
