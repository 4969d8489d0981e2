"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { DiffView } from "@/components/policies/diff/diff-view";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { ErrorLine } from "@/components/ui/error-state";
import { Link } from "@/components/ui/link";
import type { PackInstallView } from "@/server/packs/schema";

/** A policy that was created from a pack, and the update to the pack's newer version. */
export function InstalledPack({ installed, version }: { installed: PackInstallView; version: number }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const update = useMutation(
    trpc.packs.update.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries({ queryKey: trpc.packs.list.queryKey() });
        await queries.invalidateQueries({ queryKey: trpc.policies.pathKey() });
      },
    }),
  );
  const { data } = update;
  return (
    <div className="flex min-w-0 flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Link className="link min-w-0 truncate" href={`/policies/${installed.policyId}`}>
          {installed.name}
        </Link>
        <span className="text-muted">
          version {installed.version}, {installed.isPublished ? "published" : "a draft"}
        </span>
        {installed.isBehind ? (
          <Button size="sm" busy={update.isPending} onClick={() => update.mutate({ policyId: installed.policyId })}>
            Draft version {version}
          </Button>
        ) : null}
      </div>
      <div role="status">
        {data?.outcome === "drafted"
          ? "The policy's draft now has the new pack version. Review the draft, then publish it."
          : null}
        {data?.outcome === "differs"
          ? "You changed this policy, so it was not replaced. Compare your policy with the pack."
          : null}
      </div>
      {data?.outcome === "differs" ? (
        <DiffView
          before={data.yours}
          after={data.theirs}
          beforeLabel={installed.name}
          afterLabel={`Pack version ${version}`}
          same="The policy and the pack are identical."
        />
      ) : null}
      {update.error ? <ErrorLine>{failureSentence(update.error)}</ErrorLine> : null}
    </div>
  );
}
