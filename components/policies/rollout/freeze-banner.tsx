"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Snowflake } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { worded } from "@/components/layout/four-eyes/second-person";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { toast } from "@/components/ui/toast";

/** Across the top of every page while nothing that is in force may change: who said so, since when, and why. */
export function FreezeBanner() {
  useLiveQueries(["policies"]);
  const trpc = useTRPC();
  const renew = useRefresh();
  const freeze = useQuery(trpc.policies.frozen.queryOptions()).data;
  const lift = useMutation(trpc.policies.unfreeze.mutationOptions());
  const [isAsking, setAsking] = useState(false);
  if (!freeze) return null;
  const act = async () => {
    await worded(lift.mutateAsync());
    await renew();
    toast.success("The freeze is lifted");
  };
  return (
    <section
      aria-label="Frozen"
      className="flex min-h-8 shrink-0 items-center justify-center gap-x-3 gap-y-1 border-ask-line border-b bg-ask-soft px-4 py-1 text-ask text-sm"
    >
      <Snowflake aria-hidden className="size-3.5 shrink-0" />
      <span className="min-w-0">
        <strong>Frozen</strong> by {freeze.by}, <RelativeTime at={freeze.at} />: {freeze.reason} Nothing that is in
        force changes; drafts go on.
      </span>
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
          {freeze.by} froze the workspace: {freeze.reason} Publishing, rolling back and assigning are possible again,
          for everybody who may.
        </p>
      </ConfirmDialog>
    </section>
  );
}
