"use client";

import { useQuery } from "@tanstack/react-query";
import { Package } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { PageBody } from "@/components/layout/page-body";
import { PageHeader } from "@/components/layout/page-header";
import { InstallPackDialog } from "@/components/policies/packs/install-pack-dialog";
import { PackCard } from "@/components/policies/packs/pack-card";
import { searchPacks } from "@/components/policies/packs/search-packs";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Loading, SkeletonText } from "@/components/ui/skeleton";
import type { PackView } from "@/server/packs/schema";

/** Ready-made policies, each with its promise and its limits. `?install=` a pack opens its dialog. */
export function PacksPage() {
  const trpc = useTRPC();
  const [installing, setInstalling] = useQueryState("install", parseAsString);
  const packs = useQuery(trpc.packs.list.queryOptions());
  const chosen = packs.data?.find(({ id }) => id === installing) ?? null;
  return (
    <>
      <PageHeader />
      <PageBody className="max-w-260">
        <p className="text-muted">Ready-made policies. Install a policy as a draft, or publish a policy at once.</p>
        <InstallPackDialog pack={chosen} onClose={() => void setInstalling(null)} />
        {packs.data ? (
          packs.data.length > 0 ? (
            <Gallery packs={packs.data} onInstall={({ id }) => void setInstalling(id)} />
          ) : (
            <EmptyState icon={Package} title="No packs">
              This server has no packs. Write or import a policy.
            </EmptyState>
          )
        ) : packs.error ? (
          <ErrorState
            compact
            title="The packs could not be loaded"
            reason={failureSentence(packs.error)}
            stillWorks="Your policies are not affected."
            onRetry={() => void packs.refetch()}
            retrying={packs.isFetching}
          />
        ) : (
          <Loading label="the packs">
            <SkeletonText lines={12} />
          </Loading>
        )}
      </PageBody>
    </>
  );
}

const ALL = "All";

/** The packs by category, filtered by the search text. */
function Gallery({ packs, onInstall }: { packs: readonly PackView[]; onInstall: (pack: PackView) => void }) {
  const [sought, setSought] = useState("");
  const [category, setCategory] = useState<string>(ALL);
  const shown = searchPacks(packs, sought).filter((pack) => category === ALL || pack.category === category);
  const categories = [...new Set(packs.map((pack) => pack.category))];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label="Search packs"
          placeholder="Search packs"
          className="min-w-48 flex-1"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
        <Select
          aria-label="Category"
          value={category}
          onChange={setCategory}
          options={[
            { value: ALL, label: "All categories" },
            ...categories.map((one) => ({ value: one as string, label: one })),
          ]}
        />
      </div>
      {shown.length === 0 ? (
        <p role="status" className="text-muted">
          No matching packs. Clear the search, or choose another category.
        </p>
      ) : (
        <ul className="flex flex-col gap-4">
          {shown.map((pack) => (
            <PackCard key={pack.id} pack={pack} onInstall={() => onInstall(pack)} />
          ))}
        </ul>
      )}
    </div>
  );
}
