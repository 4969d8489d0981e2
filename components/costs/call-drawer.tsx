"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link as LinkIcon } from "lucide-react";
import { CallDetail } from "@/components/costs/call-detail";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { copyText } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Loading, Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { type CallKey, parseKey } from "@/server/costs/schema";

export interface CallDrawerProps {
  /** `?open=`; null is closed. */
  open: string | null;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

const NOWHERE: CallKey = { occurredAt: new Date("2000-01-01T00:00:00Z"), id: "00000000-0000-7000-8000-000000000000" };

/** One model call beside the list; its address opens it again. */
export function CallDrawer({ open, onClose, onPrevious, onNext }: CallDrawerProps) {
  const trpc = useTRPC();
  const key = parseKey(open);
  const found = useQuery({
    ...trpc.costs.callDetail.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  const detail = key !== null && found.data?.id === key.id ? found.data : undefined;
  const copyLink = () => {
    copyText(window.location.href)
      .then(() => toast.success("Link copied"))
      .catch(() => toast.error("The browser did not allow copying"));
  };
  return (
    <Drawer
      open={open !== null}
      onClose={onClose}
      onPrevious={onPrevious}
      onNext={onNext}
      title={detail ? detail.modelId || "No model named" : "Model call"}
      subtitle={
        detail ? (
          <>
            {detail.agentName} · <RelativeTime at={detail.occurredAt} />
          </>
        ) : null
      }
      actions={<IconButton icon={LinkIcon} label="Copy link" onClick={copyLink} side="bottom" />}
    >
      {detail ? (
        <CallDetail detail={detail} />
      ) : key === null || appCodeOf(found.error) === "dispatch_not_found" ? (
        <ErrorState
          title="This call is not stored"
          reason="The link may be cut, or the record may have passed its retention."
          stillWorks="The list behind shows what is there."
        />
      ) : found.isError ? (
        <ErrorState
          title="The call could not be loaded"
          reason={failureSentence(found.error)}
          stillWorks="It stays recorded; the list behind still works."
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="the call" className="flex flex-col gap-6">
          <Skeleton className="h-16" />
          <SkeletonText lines={5} />
          <Skeleton className="h-24" />
        </Loading>
      )}
    </Drawer>
  );
}
