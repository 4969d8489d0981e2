"use client";

import { useState } from "react";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import type { Merged } from "@/components/layout/draft/state";
import { DiffView } from "@/components/policies/diff/diff-view";
import { changedLines } from "@/components/policies/merge/changed-lines";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

/** Another person's change was merged into the text: the change, and an undo. */
export function MergeNotice({ merged, text, keeper }: { merged: Merged; text: string; keeper: DraftAutosave }) {
  const [isOpen, setOpen] = useState(false);
  const whose = merged.by === null ? "another change" : `${merged.by}'s change`;
  const canUndo = text === merged.result;
  return (
    <>
      <Notice
        kind="info"
        className="m-3 mb-0"
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="sm" onClick={() => setOpen(true)}>
              See the change
            </Button>
            {canUndo ? (
              <Button size="sm" onClick={() => keeper.undoMerge()}>
                Undo the merge
              </Button>
            ) : null}
            <Button size="sm" onClick={() => keeper.acknowledgeMerge()}>
              OK
            </Button>
          </span>
        }
      >
        Your draft was merged with {whose} to {changedLines(merged.mine, merged.result)}.
      </Notice>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Merged changes"
        description="Compares your draft before and after the merge."
      >
        <DiffView
          before={merged.mine}
          after={merged.result}
          beforeLabel="Your draft"
          afterLabel="Merged draft"
          same="No differences."
        />
      </Dialog>
    </>
  );
}
