"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Clock, Play } from "lucide-react";
import { useState } from "react";
import type { Frozen } from "@/components/decisions/feed/use-frozen";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { Popover } from "@/components/ui/popover";
import type { DecisionFilters } from "@/server/decisions/schema";

const InstantForm = loadWhenOpened(() =>
  import("@/components/decisions/feed/instant-form").then((one) => one.InstantForm),
);

export interface FrozenStripProps {
  frozen: Frozen;
  at: Date;
  /** Those of the list: only what would be in it is counted. */
  filters: DecisionFilters;
}

const STEPS = [5, 15, 60] as const;

/** The instant of a frozen list, the number of newer decisions, and the controls to move to another instant. */
export function FrozenStrip({ frozen, at, filters }: FrozenStripProps) {
  const { step, resume, until } = frozen;
  return (
    <section aria-label="Paused" className="flex flex-wrap items-center gap-1 text-sm">
      <span className="mr-1 flex items-baseline gap-1.5">
        <span className="font-medium">
          Paused at <RelativeTime at={at} look="clock" />
        </span>
        {until > at ? <Arrived at={at} until={until} filters={filters} /> : null}
      </span>
      <IconButton icon={ChevronLeft} label="Step back a minute" size="sm" onClick={() => step(-1)} />
      <IconButton icon={ChevronRight} label="Step forward a minute" size="sm" onClick={() => step(1)} />
      <Menu
        trigger={
          <Button variant="ghost" size="sm">
            Step
          </Button>
        }
        items={[
          ...STEPS.map((minutes) => ({ label: `${minutes} minutes back`, onSelect: () => step(-minutes) })),
          { kind: "separator" as const },
          ...STEPS.map((minutes) => ({ label: `${minutes} minutes forward`, onSelect: () => step(minutes) })),
        ]}
      />
      <ChooseInstant key={at.getTime()} frozen={frozen} at={at} />
      <Button size="sm" onClick={resume}>
        <Play aria-hidden />
        Resume
      </Button>
    </section>
  );
}

/** The number of decisions that arrived after the list was frozen. */
function Arrived({ at, until, filters }: { at: Date; until: Date; filters: DecisionFilters }) {
  const trpc = useTRPC();
  const { data, isError } = useQuery({
    ...trpc.decisions.arrived.queryOptions({ range: { from: at, to: until }, filters }),
    placeholderData: keepPreviousData,
  });
  if (isError) return <span className="text-muted">what is new cannot be counted now</span>;
  if (!data) return null;
  return (
    <output className="text-muted">
      {formatCount(data.count)}
      {data.isWhole ? "" : " or more"} new since
    </output>
  );
}

function ChooseInstant({ frozen, at }: { frozen: Frozen; at: Date }) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      label="Choose an instant"
      open={open}
      onOpenChange={setOpen}
      trigger={<IconButton icon={Clock} label="Choose an instant" size="sm" />}
    >
      <InstantForm
        at={at}
        onChosen={(instant) => {
          frozen.freeze(instant);
          setOpen(false);
        }}
      />
    </Popover>
  );
}
