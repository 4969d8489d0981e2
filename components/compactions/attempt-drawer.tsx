"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link as LinkIcon } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { AttemptDetail } from "@/components/compactions/attempt-detail";
import { useTRPC } from "@/components/trpc/client";
import { appCodeOf, failureSentence } from "@/components/trpc/failure";
import { copyText } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { ErrorState } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { Loading, Skeleton, SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { type AttemptKey, keyText, parseKey } from "@/server/compactions/schema";

export interface AttemptDrawerProps {
  /** `?open=`; null is closed. */
  open: string | null;
  onClose: () => void;
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
}

const NOWHERE: AttemptKey = {
  occurredAt: new Date("2000-01-01T00:00:00Z"),
  id: "00000000-0000-7000-8000-000000000000",
};

/** One attempt beside the list; its address opens it again. */
export function AttemptDrawer({ open, onClose, onPrevious, onNext }: AttemptDrawerProps) {
  const trpc = useTRPC();
  const hrefOf = useOpenHref();
  const key = parseKey(open);
  const found = useQuery({
    ...trpc.compactions.get.queryOptions(key ?? NOWHERE),
    enabled: key !== null,
    placeholderData: keepPreviousData,
  });
  // An attempt may be opened by any of its events: what is shown is the attempt that holds it.
  const detail = key !== null && found.data?.steps.some(({ id }) => id === key.id) ? found.data : undefined;
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
      width="lg"
      title={detail ? `Compaction${detail.reason === "" ? "" : `, ${detail.reason}`}` : "Compaction"}
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
        <AttemptDetail detail={detail} hrefOf={hrefOf} />
      ) : key === null || appCodeOf(found.error) === "dispatch_not_found" ? (
        <ErrorState
          title="This compaction is not stored"
          reason="The link may be cut, or the record may have passed its retention."
          stillWorks="The list behind shows what is there."
        />
      ) : found.isError ? (
        <ErrorState
          title="The compaction could not be loaded"
          reason={failureSentence(found.error)}
          stillWorks="It stays recorded; the list behind still works."
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Loading label="the compaction" className="flex flex-col gap-6">
          <Skeleton className="h-24" />
          <SkeletonText lines={8} />
          <Skeleton className="h-32" />
        </Loading>
      )}
    </Drawer>
  );
}

function useOpenHref(): (key: AttemptKey) => string {
  const path = usePathname();
  const params = useSearchParams();
  return (key) => {
    const next = new URLSearchParams(params);
    next.set("open", keyText(key));
    return `${path}?${next}`;
  };
}
