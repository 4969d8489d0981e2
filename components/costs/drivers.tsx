import { type Driver, driversOf, driverText, previousWords } from "@/components/costs/driver-model";
import { UNNAMED } from "@/components/costs/query";
import { plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Tooltip } from "@/components/ui/tooltip";
import type { CostBreakdownView, CostPreviousView, SeriesBy } from "@/server/costs/schema";

export interface DriversProps {
  previous: CostPreviousView | undefined;
  models: CostBreakdownView | undefined;
  agents: CostBreakdownView | undefined;
  /** The sessions of an agent, and the calls of a model. */
  hrefOf: Readonly<Record<SeriesBy, (key: string, value: string) => string>>;
}

const SHOWN = 5;

/**
 * The agents and models that moved the spend most, against one named period. Renders nothing without a period to
 * compare with.
 */
export function Drivers({ previous, models, agents, hrefOf }: DriversProps) {
  if (!previous || !models || !agents) return null;
  const lists = [
    { by: "agent" as const, title: "By agent", drivers: driversOf(agents, previous.agents) },
    { by: "model" as const, title: "By model", drivers: driversOf(models, previous.models) },
  ];
  if (lists.every(({ drivers }) => drivers.length === 0)) return null;
  return (
    <Section title="Drivers of change" aside={`vs. ${previousWords(previous)}`} framed flush>
      <div className="grid gap-x-6 gap-y-3 px-4 py-3 lg:grid-cols-2">
        {lists.map((list) => (
          <DriverList key={list.by} {...list} hrefOf={hrefOf[list.by]} />
        ))}
      </div>
    </Section>
  );
}

interface DriverListProps {
  hrefOf: (key: string, value: string) => string;
  by: SeriesBy;
  title: string;
  drivers: readonly Driver[];
}

function DriverList({ by, title, drivers, hrefOf }: DriverListProps) {
  const rest = drivers.length - SHOWN;
  return (
    <section aria-label={`Drivers ${title.toLowerCase()}`} className="flex min-w-0 flex-col gap-1 text-sm">
      <h3 className="font-normal text-muted text-sm">{title}</h3>
      <ul className="flex flex-col gap-1">
        {drivers.slice(0, SHOWN).map((driver) => (
          <li key={driver.name} className="grid grid-cols-[6rem_minmax(0,1fr)] gap-x-3">
            <span className="text-right font-medium">
              <Amount nano={driver.nano} />
            </span>
            <span className="min-w-0">
              <Link className="rounded-sm hover:underline" href={hrefOf(by, driver.name || UNNAMED)}>
                {driver.name || UNNAMED}
              </Link>{" "}
              <span className="text-muted">{driverText(driver)}</span>
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? <p className="text-muted">and {plural(rest, "smaller change")}</p> : null}
    </section>
  );
}

function Amount({ nano }: { nano: bigint | null }) {
  if (nano === null) return <Missing reason="One of the two compared periods has no priced calls." />;
  const sign = nano < 0n ? "−" : "+";
  const size = nano < 0n ? -nano : nano;
  return (
    <Tooltip content={`${sign}${exactMoney(size)}`}>
      <span>
        {sign}
        {shortMoney(size)}
      </span>
    </Tooltip>
  );
}
