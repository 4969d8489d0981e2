"use client";

import { useMemo, useState } from "react";
import type { DraftAutosave } from "@/components/layout/draft/draft-autosave";
import type { Conflict } from "@/components/layout/draft/state";
import { type Choice, chosenText, mergePieces, type OpenPiece as Piece } from "@/components/layout/draft/three-way";
import { DiffView } from "@/components/policies/diff/diff-view";
import { counted } from "@/components/policies/labels";
import { OpenPiece } from "@/components/policies/merge/open-piece";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";

/** Two people changed the same lines of one policy. Neither text is discarded without a choice. */
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
  const who = conflict.by ?? "Another person";
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
        {who} changed the same lines of this policy while you had it open. Your text is kept in this browser and is not
        saved. The other version is saved.
      </Notice>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title="Conflicting versions"
        description="The result includes all changes without a conflict. Choose a version for each conflict. Nothing is saved until you confirm."
      >
        {isOpen ? <Choosing conflict={conflict} text={text} keeper={keeper} onDone={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  );
}

function Choosing({
  conflict,
  text,
  keeper,
  onDone,
}: {
  conflict: Conflict;
  text: string;
  keeper: DraftAutosave;
  onDone: () => void;
}) {
  const { base, theirs } = conflict;
  const pieces = useMemo(() => mergePieces(base, text, theirs), [base, text, theirs]);
  const open = pieces.filter((piece): piece is Piece => piece.kind === "open");
  const [choices, setChoices] = useState<readonly (Choice | null)[]>(() => open.map(() => null));
  const left = open.filter((_, at) => (choices[at] ?? null) === null).length;
  const result = chosenText(
    pieces,
    open.map((_, at) => choices[at] ?? "mine"),
  );
  const all = (choice: Choice) => setChoices(open.map(() => choice));
  return (
    <div className="flex flex-col gap-3 pb-3">
      {open.length > 1 ? (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-muted">{counted(open.length, "conflict")}.</span>
          <Button size="sm" onClick={() => all("mine")}>
            All mine
          </Button>
          <Button size="sm" onClick={() => all("theirs")}>
            All theirs
          </Button>
        </div>
      ) : null}
      {open.map((piece, at) => (
        <OpenPiece
          key={`${piece.mineLine} ${piece.theirsLine}`}
          piece={piece}
          number={at + 1}
          of={open.length}
          choice={choices[at] ?? null}
          onChoose={(choice) => setChoices(open.map((_, other) => (other === at ? choice : (choices[other] ?? null))))}
        />
      ))}
      {left === 0 ? (
        <DiffView
          before={theirs}
          after={result}
          beforeLabel="Other version"
          afterLabel="Result"
          same="The result is identical to the saved version."
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {left > 0 ? <span className="mr-auto text-muted text-sm">{counted(left, "conflict")} left.</span> : null}
        <Button onClick={onDone}>Cancel</Button>
        <Button
          variant="primary"
          disabled={left > 0}
          onClick={() => {
            keeper.settle(result);
            onDone();
          }}
        >
          Use this text
        </Button>
      </div>
    </div>
  );
}
