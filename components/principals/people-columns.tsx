import { Badge } from "@/components/ui/badge";
import { formatCount } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Money } from "@/components/ui/format/money";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table/types";
import type { LedgerView } from "@/server/costs/schema";
import type { PersonRow } from "@/server/principals/schema";

/** A person with the sums of their model calls; null without any, undefined while they load or cannot be loaded. */
export interface ListedPerson {
  readonly person: PersonRow;
  readonly spend: LedgerView | null | undefined;
  readonly isSpendMissing: boolean;
}

export const peopleColumns: readonly Column<ListedPerson>[] = [
  {
    id: "name",
    header: "Name",
    width: 240,
    grow: true,
    fixed: true,
    priority: 1,
    value: ({ person }) => person.name,
    cell: ({ person }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link className="link truncate" href={`/agents/people/${person.id}`}>
          {person.name}
        </Link>
        <PersonBadges person={person} />
      </span>
    ),
  },
  {
    id: "agents",
    header: "Agents",
    hint: "Agents that work for this person now.",
    width: 96,
    align: "right",
    value: ({ person }) => person.agents,
    cell: ({ person }) => formatCount(person.agents),
  },
  {
    id: "calls",
    header: "Model calls 30 d",
    width: 132,
    align: "right",
    value: ({ spend }) => spend?.calls ?? null,
    cell: ({ spend, isSpendMissing }) =>
      spend === undefined ? (
        <NotLoaded isMissing={isSpendMissing} />
      ) : spend === null ? (
        <Missing reason={NO_CALLS} />
      ) : (
        formatCount(spend.calls)
      ),
  },
  {
    id: "spend",
    header: "Spend 30 d",
    hint: "Cost of the model calls of the last 30 days, with corrections. Unpriced calls are not included.",
    width: 120,
    align: "right",
    priority: 1,
    value: ({ spend }) => (!spend || spend.calls === spend.unpriced ? null : spend.nano),
    cell: ({ spend, isSpendMissing }) =>
      spend === undefined ? (
        <NotLoaded isMissing={isSpendMissing} />
      ) : spend === null || spend.calls === spend.unpriced ? (
        <Missing reason={NO_CALLS} />
      ) : (
        <Money nano={spend.nano} />
      ),
  },
];

const NO_CALLS = "No priced model calls in the last 30 days, or not among the 100 people who spent most.";

function NotLoaded({ isMissing }: { isMissing: boolean }) {
  return isMissing ? <Missing reason="The spend could not be loaded." /> : null;
}

/** Badges for a service, the reader, and a person who left. */
export function PersonBadges({ person }: { person: PersonRow }) {
  return (
    <>
      {person.kind === "service" ? <Badge>service</Badge> : null}
      {person.isReader ? <Badge look="accent">you</Badge> : null}
      {person.hasLeft ? <Badge>left</Badge> : null}
    </>
  );
}
