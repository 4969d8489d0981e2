"use client";

import { useState } from "react";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import type { Conflict } from "@/components/layout/draft/state";
import { Button } from "@/components/ui/button";
import { DiffBlock } from "@/components/ui/code/diff-block";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

/** Two people changed the same lines of one prompt. Neither text is discarded without a choice. */
export function ConflictNotice({
  conflict,
  text,
  keeper,
}: {
  conflict: Conflict;
  text: string;
  keeper: DraftAutosave;
}) {
  const [isOpen, setOpen] = useState(false);
  const take = (taken: string) => {
    keeper.settle(taken);
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
        {conflict.by ?? "Another person"} changed the same lines of this prompt while you had it open. Your version is
        kept in this browser and is not saved.
      </Notice>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Conflicting versions"
        description="Use the other person's version and discard yours, or overwrite the other version with yours."
        footer={
          <>
            <Button onClick={() => take(conflict.theirs)}>Use theirs</Button>
            <Button variant="primary" onClick={() => take(text)}>
              Keep mine
            </Button>
          </>
        }
      >
        <DiffBlock before={conflict.theirs} after={text} label="Theirs, then yours" />
      </Dialog>
    </>
  );
}
