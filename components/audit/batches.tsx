"use client";

import { ChevronDown, ChevronRight } from "lucide-react";
import { createContext, useCallback, useContext, useMemo, useState } from "react";
import { useTRPCClient } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Button } from "@/components/ui/button";
import { formatCount, plural } from "@/components/ui/format/count";
import { toast } from "@/components/ui/toast";
import type { AuditRange, AuditView, BatchesView } from "@/server/record/schema";

/** A row of the record: an entry, or batches of dispatches that are collapsed to one row. */
export type AuditRow = AuditView & { readonly batches?: BatchesView };

/** Batches that one press opens; the others stay collapsed. */
const OPENED_MAX = 200;

export const rangeText = ({ from, to }: Pick<BatchesView, "from" | "to">): string =>
  from === to ? `entry ${formatCount(from)}` : `entries ${formatCount(from)} to ${formatCount(to)}`;

/** The key of collapsed batches: their first and last number, `61-398`. */
const batchesKey = ({ from, to }: Pick<BatchesView, "from" | "to">): string => `${from}-${to}`;

interface Opening {
  readonly isOpening: string | null;
  open(of: BatchesView): void;
}
const OpeningContext = createContext<Opening>({ isOpening: null, open: () => undefined });
export const BatchesProvider = OpeningContext.Provider;

/** The opened batches, by the collapsed rows that they take the place of. */
export function useOpenedBatches(range: AuditRange) {
  const client = useTRPCClient();
  const [opened, setOpened] = useState<ReadonlyMap<string, readonly AuditView[]>>(new Map());
  const [isOpening, setOpening] = useState<string | null>(null);
  const { from, to } = range;
  const open = useCallback(
    async (of: BatchesView) => {
      const key = batchesKey(of);
      setOpening(key);
      try {
        const filters = { kind: ["dispatches_recorded"], actor: [], target: [] };
        const input = { range: { from, to }, filters, cursor: of.to + 1, limit: OPENED_MAX };
        const page = await client.audit.list.query(input);
        const rows = page.rows.filter(({ seq }) => seq >= of.from);
        setOpened((before) => new Map(before).set(key, rows));
      } catch (error) {
        toast.error("Couldn't load the batches", { description: failureSentence(error) });
      } finally {
        setOpening(null);
      }
    },
    [client, from, to],
  );
  const opening = useMemo(() => ({ isOpening, open: (of: BatchesView) => void open(of) }), [isOpening, open]);
  return { opened, opening };
}

/** The entries with their collapsed and opened batches, the newest first. */
export function withBatches(
  entries: readonly AuditView[],
  batches: readonly BatchesView[],
  opened: ReadonlyMap<string, readonly AuditView[]>,
): AuditRow[] {
  const collapsed = batches.flatMap((one): AuditRow[] => {
    const rows = opened.get(batchesKey(one));
    if (rows === undefined) return [collapsedRow(one)];
    const rest = one.batches - rows.length;
    const last = rows.at(-1);
    if (rest <= 0 || last === undefined) return [...rows];
    const dispatches = one.dispatches - rows.reduce((sum, { body }) => sum + Number(body?.count ?? 0), 0);
    return [...rows, collapsedRow({ ...one, to: last.seq - 1, at: last.at, batches: rest, dispatches })];
  });
  return [...entries, ...collapsed].toSorted((a, b) => b.seq - a.seq);
}

function collapsedRow(batches: BatchesView): AuditRow {
  const none = { actor: null, from: null, target: null, body: null, changes: null };
  return { ...none, seq: batches.to, at: batches.at, kind: "dispatches_recorded", batches };
}

export const batchesText = (of: BatchesView): string =>
  `${plural(of.batches, "batch", "batches")} of dispatches, ${rangeText(of)}`;

/** Collapsed batches as a button that opens them in place. */
export function BatchesToggle({ of }: { of: BatchesView }) {
  const { isOpening, open } = useContext(OpeningContext);
  const isBusy = isOpening === batchesKey(of);
  const Icon = isBusy ? ChevronDown : ChevronRight;
  return (
    <Button
      variant="ghost"
      size="sm"
      className="relative z-1 -ml-2 h-auto min-h-6 max-w-full justify-start text-left"
      busy={isBusy}
      aria-expanded={false}
      onClick={() => open(of)}
    >
      <Icon aria-hidden />
      <span className="truncate">{batchesText(of)}</span>
    </Button>
  );
}
