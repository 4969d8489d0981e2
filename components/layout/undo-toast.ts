import { failureSentence } from "@/components/trpc/failure";
import { TakenOver } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";

const UNDO_MS = 10_000;
/** One toast for all acts: only the latest one can be undone. */
const TOAST_ID = "undo";

interface Undoable {
  readonly title: string;
  readonly description?: string;
  /** Undoes the act; null where the state before cannot be restored. Rejects with a sentence. */
  readonly undo: (() => Promise<void>) | null;
  /** The state after the undo: "Revision 1 of guard is in force". */
  readonly undone: string;
}

/** Confirms an act, and offers to undo it for ten seconds. */
export function toastWithUndo({ title, description, undo, undone }: Undoable): void {
  const onClick = () =>
    void undo?.().then(
      () => toast.success(undone, { description: "The undo was added to the audit log." }),
      (error: unknown) => {
        if (!(error instanceof TakenOver)) toast.error("Nothing was undone", { description: failureSentence(error) });
      },
    );
  toast.success(title, {
    id: TOAST_ID,
    description,
    duration: UNDO_MS,
    // Named also without an undo: the toast of the act before may have one.
    action: undo === null ? null : { label: "Undo", onClick },
  });
}
