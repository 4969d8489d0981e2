import { bindingOf, whom } from "@/components/policies/labels";
import { LastRan } from "@/components/policies/last-ran";
import { InForceMark } from "@/components/policies/rollout/in-force-mark";
import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table/types";
import type { PolicyReachView } from "@/server/decisions/rules/policy-reach-schema";
import type { PolicyView } from "@/server/policies/schema";

/** Calls that the rules of a policy denied or sent to a person in 24 hours. */
export interface PolicyCounts {
  readonly denied: number;
  readonly asked: number;
  /** False when rules were left out of the sums. */
  readonly isWhole: boolean;
}

/** A policy in the list; `counts` is null and `lastRan` undefined while they are not known. */
export type PolicyRow = PolicyView & {
  readonly enrolled: number;
  readonly counts: PolicyCounts | null;
  /** Null: it did not run within the days that are searched. */
  readonly lastRan: PolicyReachView["lastRan"] | undefined;
};

const UNPUBLISHED = "not published yet";

export const policyColumns: readonly Column<PolicyRow>[] = [
  {
    id: "name",
    header: "Policy",
    width: 256,
    priority: 1,
    fixed: true,
    value: (row) => row.name,
    cell: (row) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link href={`/policies/${row.id}`} tabIndex={-1} className="truncate font-medium hover:underline">
          {row.name}
        </Link>
        {row.hasDraft ? <Badge look="accent">draft</Badge> : null}
        {row.isDemo ? <Badge>demo</Badge> : null}
      </span>
    ),
  },
  {
    id: "denies",
    header: "Denies",
    grow: true,
    width: 228,
    hint: "What the revision in force denies. If the revision denies nothing: what it asks about or checks.",
    value: (row) => row.denies,
    cell: (row) =>
      row.denies === null ? (
        <Missing reason={row.latestRevision === 0 ? UNPUBLISHED : "No hook of the policy denies or asks."} />
      ) : (
        <span className="line-clamp-2 whitespace-normal leading-4 max-sm:line-clamp-none" title={row.denies}>
          {row.denies}
        </span>
      ),
  },
  {
    id: "revision",
    header: "In force",
    width: 156,
    priority: 1,
    hint: "The revision in force",
    value: (row) => row.liveRevision,
    cell: (row) => <InForceMark policy={row} />,
  },
  {
    id: "binds",
    header: "Assigned to",
    width: 152,
    value: (row) => whom(bindingOf(row, row.enrolled)),
    cell: (row) =>
      row.latestRevision === 0 ? (
        <Missing reason={UNPUBLISHED} />
      ) : (
        <span className="truncate">{whom(bindingOf(row, row.enrolled))}</span>
      ),
  },
  {
    id: "held",
    header: "Can stop",
    width: 76,
    hint: "Assigned agents whose calls the policy can block",
    value: heldText,
    cell: (row) => heldText(row) ?? <Missing reason="The policy is in force for no agent." />,
  },
  countColumn("denied", "Denied 24 h", "Times that the policy's rules denied a call in the last 24 hours"),
  countColumn("asked", "Asked 24 h", "Times that the policy's rules sent a call to a person in the last 24 hours"),
  {
    id: "ran",
    header: "Last ran",
    width: 124,
    hint: "The last run of any of the policy's hooks, in the last 30 days",
    value: (row) => row.lastRan?.at ?? null,
    cell: (row) => <LastRanCell row={row} />,
  },
  {
    id: "hooks",
    priority: 3,
    header: "Hooks",
    hidden: true,
    width: 80,
    align: "right",
    hint: "Number of hooks in the revision in force, over all events",
    value: (row) => (row.latestRevision === 0 ? null : row.hooks),
    cell: (row) => (row.latestRevision === 0 ? <Missing reason={UNPUBLISHED} /> : row.hooks),
  },
  {
    id: "note",
    header: "Note",
    priority: 3,
    hidden: true,
    width: 150,
    value: (row) => row.note,
    cell: (row) =>
      row.note ? (
        <span className="truncate">{row.note}</span>
      ) : (
        <Missing reason={row.latestRevision === 0 ? UNPUBLISHED : "published without a note"} />
      ),
  },
  {
    id: "author",
    priority: 3,
    header: "Author",
    hidden: true,
    width: 90,
    value: (row) => row.publishedBy,
    cell: (row) => row.publishedBy ?? <Missing reason={UNPUBLISHED} />,
  },
  {
    id: "at",
    header: "Published",
    hidden: true,
    width: 150,
    value: (row) => row.publishedAt,
    cell: (row) =>
      row.publishedAt ? (
        <span className="truncate">
          <RelativeTime at={row.publishedAt} />
          {row.publishedBy === null ? "" : ` by ${row.publishedBy}`}
        </span>
      ) : (
        <Missing reason={UNPUBLISHED} />
      ),
  },
];

function LastRanCell({ row: { liveRevision, canary, lastRan, publishedAt } }: { row: PolicyRow }) {
  if (lastRan === undefined) return <Missing reason="Not loaded yet." />;
  if (lastRan === null && liveRevision === 0 && canary === null) return <Missing reason="Not in force." />;
  return (
    <span className="line-clamp-2 whitespace-normal leading-4">
      <LastRan last={lastRan} publishedAt={publishedAt} />
    </span>
  );
}

/** "1 of 2" agents; null where it is in force for none, or only observes. */
function heldText({ liveRevision, canary, observed, bound, unheld }: PolicyRow): string | null {
  if ((liveRevision === 0 && canary === null) || observed !== null || bound === 0) return null;
  return `${formatCount(bound - (unheld?.agents ?? 0))} of ${formatCount(bound)}`;
}

function countColumn(id: "denied" | "asked", header: string, hint: string): Column<PolicyRow> {
  const isKnown = ({ counts, liveRevision, canary }: PolicyRow) =>
    counts !== null && (counts[id] > 0 || liveRevision > 0 || canary !== null);
  return {
    ...{ id, header, hint, width: 92, align: "right" },
    value: (row) => (isKnown(row) ? row.counts?.[id] : null),
    cell: (row) =>
      isKnown(row) && row.counts ? (
        <span className={row.counts[id] === 0 ? "text-muted" : id === "denied" ? "text-deny" : "text-ask"}>
          {row.counts.isWhole ? "" : "≥ "}
          {formatCount(row.counts[id])}
        </span>
      ) : (
        <Missing reason={row.counts === null ? "Not loaded yet." : "Not in force."} />
      ),
  };
}
