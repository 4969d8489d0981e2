"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { usePermission } from "@/components/access/permission";
import { LABELS } from "@/components/judge-label/label-words";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { useHotkey } from "@/components/ui/hotkeys/use-hotkey";
import { toast } from "@/components/ui/toast";
import { decisionOf, expectations, type LabelSubject, type LabelWord } from "@/server/prompts/schema";

export interface LabelledRow {
  readonly subject: LabelSubject;
  /** The judge's verdict; a row without a decision takes no label. */
  readonly verdict: string | null;
}

/** Labels the row under the focus by the keys 1, 2 and 3. While a drawer is open, the keys belong to it. */
export function useRowLabels(rowOf: (id: string) => LabelledRow | null): void {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { isGranted } = usePermission("policy:review");
  const set = useMutation(
    trpc.prompts.label.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: trpc.prompts.pathKey() }),
      onError: (error) => toast.error("The label was not saved", { description: failureSentence(error) }),
    }),
  );
  const label = (word: LabelWord) => {
    const id = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
    const row = id === undefined ? null : rowOf(id);
    const said = decisionOf(row?.verdict ?? null);
    if (!isGranted || !row || said === null || expectations(said, word).length === 0 || set.isPending) return;
    set.mutate({ subject: row.subject, word, note: "" });
  };
  const of = (word: LabelWord) => ({ label: `Label: ${LABELS[word].label.toLowerCase()}`, group: "Answers" });
  useHotkey(LABELS.right.keys, () => label("right"), of("right"));
  useHotkey(LABELS.too_strict.keys, () => label("too_strict"), of("too_strict"));
  useHotkey(LABELS.too_loose.keys, () => label("too_loose"), of("too_loose"));
}
