/** The URL as inputs of the audit procedures. Pure: the server prefetches under the keys the browser looks for. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Filter, valuesOf } from "@/components/ui/filter/filter-text";
import type { AuditRange, ListAudit } from "@/server/record/schema";

/** The keys of the filter bar, as typed before the colon. */
export const filterKeys = ["kind", "actor", "target"] as const;

export type AuditInput = Omit<ListAudit, "cursor" | "direction">;

export function auditInput({ from, to }: AuditRange, filter: Filter): AuditInput {
  const of = (key: (typeof filterKeys)[number]) =>
    valuesOf(filter, key)
      .slice(0, 30)
      .map((value) => truncateText(value, 200, ""));
  return { range: { from, to }, filters: { kind: of("kind"), actor: of("actor"), target: of("target") }, limit: 100 };
}

/** The entry in `?open=`; null when it says none. */
export function openSeq(text: string | null): number | null {
  return /^[1-9]\d{0,14}$/.test(text ?? "") ? Number(text) : null;
}
