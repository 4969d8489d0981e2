import { bindingOf, whom } from "@/components/policies/labels";
import { InForceMark } from "@/components/policies/rollout/in-force-mark";
import { Badge } from "@/components/ui/badge";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table/types";
import type { PolicyView } from "@/server/policies/schema";

export type PolicyRow = PolicyView & { readonly enrolled: number };

const UNPUBLISHED = "not published yet";

export const policyColumns: readonly Column<PolicyRow>[] = [
  {
    id: "name",
    header: "Policy",
    width: 290,
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
    id: "revision",
    header: "In force",
    width: 170,
    priority: 1,
    hint: "The revision in force",
    value: (row) => row.liveRevision,
    cell: (row) => <InForceMark policy={row} />,
  },
  {
    id: "binds",
    header: "Assigned to",
    width: 230,
    value: (row) => whom(bindingOf(row, row.enrolled)),
    cell: (row) =>
      row.latestRevision === 0 ? (
        <Missing reason={UNPUBLISHED} />
      ) : (
        <span className="truncate">{whom(bindingOf(row, row.enrolled))}</span>
      ),
  },
  {
    id: "hooks",
    priority: 3,
    header: "Hooks",
    width: 80,
    align: "right",
    hint: "Hooks over all events of the revision in force",
    value: (row) => (row.latestRevision === 0 ? null : row.hooks),
    cell: (row) => (row.latestRevision === 0 ? <Missing reason={UNPUBLISHED} /> : row.hooks),
  },
  {
    id: "note",
    header: "Note",
    grow: true,
    width: 200,
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
    width: 90,
    value: (row) => row.publishedBy,
    cell: (row) => row.publishedBy ?? <Missing reason={UNPUBLISHED} />,
  },
  {
    id: "at",
    header: "Published",
    width: 112,
    value: (row) => row.publishedAt,
    cell: (row) => (row.publishedAt ? <RelativeTime at={row.publishedAt} /> : <Missing reason={UNPUBLISHED} />),
  },
];
