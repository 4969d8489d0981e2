"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2, Users } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { DisabledWithoutPermission } from "@/components/access/permission";
import { SaveView } from "@/components/layout/views/save-view";
import { viewAddress } from "@/components/layout/views/view-address";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { SkeletonText } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import type { SavedView, ViewPage } from "@/server/views/schema";

/** The saved views in the menu, and a way to save another. `onDone` closes the menu. */
export function SavedViews({ page, onClose }: { page: ViewPage; onClose: () => void }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.views.list.queryOptions({ page }));
  const views = query.data ?? [];
  return (
    <>
      <div className="max-h-80 overflow-y-auto p-1">
        {query.isPending ? (
          <SkeletonText lines={3} />
        ) : query.isError ? (
          <div className="flex flex-col items-start gap-2 p-2 text-sm">
            <p>The views could not be loaded. {failureSentence(query.error)}</p>
            <Button size="sm" onClick={() => void query.refetch()}>
              Try again
            </Button>
          </div>
        ) : views.length === 0 ? (
          <p className="p-2 text-muted text-sm">
            No saved views yet. Filter and sort this page, then name the view below.
          </p>
        ) : (
          <ul>
            {views.map((view) => (
              <Row key={view.id} view={view} onDone={onClose} />
            ))}
          </ul>
        )}
      </div>
      <SaveView page={page} onDone={onClose} />
    </>
  );
}

function Row({ view, onDone }: { view: SavedView; onDone: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const params = useSearchParams();
  const removed = {
    onSuccess: () => queries.invalidateQueries({ queryKey: trpc.views.list.queryKey() }),
    onError: (error: unknown) => toast.error(failureSentence(error)),
  };
  const remove = useMutation(trpc.views.remove.mutationOptions(removed));
  const unshare = useMutation(trpc.views.unshare.mutationOptions(removed));
  const isShown = sameQuery(params.toString(), view.query);
  return (
    <li className="flex items-center gap-1 rounded-sm hover:bg-hover">
      <Link
        href={viewAddress(view)}
        aria-current={isShown ? "page" : undefined}
        className="inset-focus flex h-8 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 aria-[current]:font-medium max-sm:h-10"
        onClick={onDone}
      >
        <span className="truncate">{view.name}</span>
        {view.isShared ? (
          <span className="ml-auto flex shrink-0 items-center gap-1 text-faint text-xs">
            <Users aria-hidden className="size-3" /> shared by {view.owner}
          </span>
        ) : null}
      </Link>
      <DisabledWithoutPermission to={view.isShared ? "view:share" : "account:own"}>
        {(isRefused) => (
          <IconButton
            icon={Trash2}
            label={`Remove ${view.name}${view.isShared ? " for every person" : ""}`}
            size="sm"
            disabled={isRefused}
            onClick={() => (view.isShared ? unshare : remove).mutate({ id: view.id })}
          />
        )}
      </DisabledWithoutPermission>
    </li>
  );
}

/** True if two addresses have the same query, whichever record is open. */
function sameQuery(a: string, b: string): boolean {
  const sorted = (text: string) => {
    const params = new URLSearchParams(text);
    params.delete("open");
    params.sort();
    return params.toString();
  };
  return sorted(a) === sorted(b);
}
