"use client";

import { Check, CircleAlert, CircleDashed, GitBranch, Lock } from "lucide-react";
import { usePermission } from "@/components/access/permission";
import type { DraftState } from "@/components/layout/draft/draft-autosave";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Spinner } from "@/components/ui/spinner";

/** The save state of the text on screen, always visible and in words. */
export function SaveState({
  noun = "policy",
  draft,
  onRetry,
}: {
  noun?: string;
  draft: DraftState;
  onRetry: () => void;
}) {
  const { isGranted, reason } = usePermission("policy:write");
  const isDirty = draft.text !== draft.saved;
  const line = "flex min-w-0 items-center gap-1.5 text-sm [&_svg]:size-3.5 [&_svg]:shrink-0";
  if (!isGranted)
    return (
      <span role="status" className={cn(line, "text-muted")} title={reason ?? undefined}>
        <Lock aria-hidden /> Read-only: edits are not saved
      </span>
    );
  switch (draft.phase) {
    case "saving":
      return (
        <span role="status" className={cn(line, "text-muted")}>
          <Spinner /> Saving…
        </span>
      );
    case "failed":
      return (
        <span role="status" className={cn(line, "text-deny")}>
          <CircleAlert aria-hidden />
          <span className="truncate" title={draft.failure ?? undefined}>
            Draft not saved on the server; kept in this browser
          </span>
          <Button size="sm" onClick={onRetry}>
            Save again
          </Button>
        </span>
      );
    case "conflict":
      return (
        <span role="status" className={cn(line, "text-ask")}>
          <GitBranch aria-hidden /> Not saved: the {noun} moved on
        </span>
      );
    default:
      break;
  }
  if (isDirty)
    return (
      <span role="status" className={cn(line, "text-muted")}>
        <CircleDashed aria-hidden /> Not saved yet
      </span>
    );
  if (draft.version === 0)
    return (
      <span role="status" className={cn(line, "whitespace-nowrap text-muted")}>
        No draft
      </span>
    );
  return (
    <span role="status" className={cn(line, "whitespace-nowrap text-muted")}>
      <Check aria-hidden className="text-allow" /> Draft saved
      {draft.savedAt ? <RelativeTime at={draft.savedAt} className="max-sm:hidden" /> : null}
    </span>
  );
}
