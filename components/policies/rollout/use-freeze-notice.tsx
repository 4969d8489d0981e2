"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { Snowflake } from "lucide-react";
import { useState } from "react";
import { PermittedButton } from "@/components/access/permitted-button";
import { ActDialog } from "@/components/layout/act-dialog";
import { worded } from "@/components/layout/four-eyes/second-person";
import type { PageNotice } from "@/components/layout/notices/notices-context";
import { reasonSentence, spanText, untilFreezeChanges } from "@/components/policies/rollout/freeze-window-text";
import { useRefresh } from "@/components/policies/rollout/use-rollout";
import { useTRPC } from "@/components/trpc/client";
import { useLiveQueries } from "@/components/trpc/live-queries";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field } from "@/components/ui/field";
import { useNow } from "@/components/ui/format/clock";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { freezeEndText } from "@/server/policies/publishing/freeze-window-schema";

/** A planned freeze is announced this long before it begins. */
const AHEAD_MS = 24 * 3_600_000;

/** The notice of a freeze on every page: by whom or until when, and why. Also that one begins within a day. */
export function useFreezeNotice(): PageNotice | null {
  useLiveQueries(["policies"]);
  const trpc = useTRPC();
  const nowMs = useNow(10_000);
  const windows = useQuery({
    ...trpc.policies.freezeWindows.queryOptions(),
    refetchInterval: ({ state }) => untilFreezeChanges([state.data?.next?.from]),
  }).data;
  const freeze = useQuery({
    ...trpc.policies.frozen.queryOptions(),
    refetchInterval: ({ state }) => untilFreezeChanges([state.data?.until?.at, windows?.next?.from]),
  }).data;
  const frame = { kind: "warning", icon: Snowflake } as const;
  if (freeze?.until)
    return {
      ...{ id: "freeze", label: "Frozen", ...frame },
      text: (
        <>
          <strong>Frozen</strong> until {freezeEndText(freeze.until.at, freeze.until.timeZone, nowMs ?? 0)}:{" "}
          {reasonSentence(freeze.reason)} No changes take effect. Drafts can still be edited.
        </>
      ),
      action: <LiftWindow />,
    };
  if (freeze)
    return {
      ...{ id: "freeze", label: "Frozen", ...frame },
      text: (
        <>
          <strong>Frozen</strong> by {freeze.by}, <RelativeTime at={freeze.at} />: {reasonSentence(freeze.reason)} No
          changes take effect. Drafts can still be edited.
        </>
      ),
      action: <LiftFreeze by={freeze.by} reason={freeze.reason} />,
    };
  const next = windows?.next;
  if (!next || nowMs === null || next.from.getTime() - nowMs > AHEAD_MS) return null;
  return {
    ...{ id: "freeze planned", label: "Freeze planned", kind: "info", icon: Snowflake },
    occurrence: `freeze ${next.from.toISOString()}`,
    text: (
      <>
        <strong>Changes freeze</strong> {spanText(next, nowMs)}: {next.reason}
      </>
    ),
  };
}

/** Ends the present window early. The next one is not affected. */
function LiftWindow() {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const input = () => {
    if (reason.trim() === "") throw new Error("Enter the reason for lifting the freeze.");
    return { reason: reason.trim() };
  };
  return (
    <>
      <PermittedButton to="policy:govern" size="sm" onClick={() => setAsking(true)}>
        Lift the freeze…
      </PermittedButton>
      <ActDialog
        mutation={trpc.policies.liftFreezeWindows.mutationOptions()}
        input={isAsking && input}
        onClose={() => setAsking(false)}
        title="Lift the freeze before its end?"
        confirm="Lift the freeze"
        onDone={async () => {
          await refresh();
          setReason("");
          toast.success("Freeze lifted");
        }}
      >
        <p>Publishing, rolling back and assigning are possible again. The next window freezes changes as planned.</p>
        <Field label="Reason">
          <Textarea value={reason} rows={2} maxLength={300} onChange={(event) => setReason(event.target.value)} />
        </Field>
      </ActDialog>
    </>
  );
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
