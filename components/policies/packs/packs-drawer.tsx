"use client";

import { useQuery } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { PackCard } from "@/components/policies/packs/pack-card";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Drawer } from "@/components/ui/drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Loading, SkeletonText } from "@/components/ui/skeleton";

/** Policies that are ready to be taken: what each promises, and what it does not see. */
export function PacksDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const packs = useQuery({ ...trpc.packs.list.queryOptions(), enabled: open });
  return (
    <Drawer
      open={open}
      onClose={onClose}
      width="lg"
      title="Packs"
      subtitle="Ready policies. Each becomes a draft; nothing is in force before you publish it."
    >
      {packs.data ? (
        packs.data.length > 0 ? (
          <ul className="flex flex-col gap-4">
            {packs.data.map((pack) => (
              <PackCard key={pack.id} pack={pack} />
            ))}
          </ul>
        ) : (
          <EmptyState icon={Package} title="No packs">
            This server brings none. Write a policy of your own, or import one.
          </EmptyState>
        )
      ) : packs.error ? (
        <ErrorState
          compact
          title="The packs could not be loaded"
          reason={failureSentence(packs.error)}
          stillWorks="Your policies are as they were."
          onRetry={() => void packs.refetch()}
          retrying={packs.isFetching}
        />
      ) : (
        <Loading label="the packs">
          <SkeletonText lines={12} />
        </Loading>
      )}
    </Drawer>
  );
}
