"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DiffView } from "@/components/policies/diff/diff-view";
import type { DraftKeeper, DraftState } from "@/components/policies/draft-keeper";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorLine } from "@/components/ui/error-state";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Notice } from "@/components/ui/notice";

/** Two people changed one policy. Nobody's text is thrown away before somebody says so. */
export function ConflictNotice({
  policyId,
  draft,
  keeper,
}: {
  policyId: string;
  draft: DraftState;
  keeper: DraftKeeper;
}) {
  const trpc = useTRPC();
  const [isOpen, setOpen] = useState(false);
  const theirs = useQuery({ ...trpc.policies.get.queryOptions({ policyId }), enabled: isOpen, staleTime: 0 });
  const settle = (act: "takeTheirs" | "keepMine") => {
    if (theirs.data) keeper[act](theirs.data);
    setOpen(false);
  };
  return (
    <>
      <Notice
        kind="warning"
        className="m-3 mb-0"
        action={
          <Button size="sm" onClick={() => setOpen(true)}>
            Compare and choose…
          </Button>
        }
      >
        Somebody saved or published this policy while you had it open. Your text is kept in this browser and is not
        saved.
      </Notice>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Two texts of one policy"
        description="Take the other text and lose yours, or save yours over it."
        footer={
          <>
            <Button disabled={!theirs.data || theirs.isFetching} onClick={() => settle("takeTheirs")}>
              Reload the other text
            </Button>
            <Button variant="primary" disabled={!theirs.data || theirs.isFetching} onClick={() => settle("keepMine")}>
              Overwrite with mine
            </Button>
          </>
        }
      >
        {theirs.error ? <ErrorLine>{failureSentence(theirs.error)}</ErrorLine> : null}
        {theirs.data ? (
          <div className="flex flex-col gap-3">
            <p className="text-muted">
              {theirs.data.draftVersion > 0 && theirs.data.draftUpdatedAt ? (
                <>
                  The other text is a draft saved by {theirs.data.draftUpdatedBy ?? "somebody"}{" "}
                  <RelativeTime at={theirs.data.draftUpdatedAt} />.
                </>
              ) : (
                <>
                  The other text is revision {theirs.data.latestRevision}, published by {theirs.data.publishedBy}
                  {theirs.data.publishedAt ? (
                    <>
                      {" "}
                      <RelativeTime at={theirs.data.publishedAt} />
                    </>
                  ) : null}
                  .
                </>
              )}
            </p>
            <DiffView
              before={theirs.data.source}
              after={draft.text}
              beforeLabel="The other text"
              afterLabel="Your text"
              same="Both texts are the same."
            />
          </div>
        ) : null}
      </Dialog>
    </>
  );
}
