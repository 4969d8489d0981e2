"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Clock, Play } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Frozen } from "@/components/decisions/feed/use-frozen";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { dateTimeInputInstant, dateTimeInputText } from "@/components/ui/format/zone";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { Menu } from "@/components/ui/menu";
import { Popover } from "@/components/ui/popover";
import type { DecisionFilters } from "@/server/decisions/schema";

export interface FrozenStripProps {
  frozen: Frozen;
  at: Date;
  /** Those of the list: only what would be in it is counted. */
  filters: DecisionFilters;
}

const STEPS = [5, 15, 60] as const;

/** Where the list stands, what it does not show yet, and the ways to another instant. */
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

/** Asked for anew as decisions arrive, while the list stands. */
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
  const [text, setText] = useState(dateTimeInputText(at, "second"));
  const instant = dateTimeInputInstant(text);
  const wrong = Number.isNaN(instant.getTime())
    ? "An instant is needed."
    : instant.getTime() > Date.now()
      ? "It has not come yet."
      : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong) return;
    frozen.freeze(instant);
    setOpen(false);
  };
  return (
    <Popover
      label="Choose an instant"
      open={open}
      onOpenChange={setOpen}
      trigger={<IconButton icon={Clock} label="Choose an instant" size="sm" />}
    >
      <form onSubmit={submit} className="flex flex-col gap-2">
        <Field label="Show the list as of" error={wrong}>
          <Input type="datetime-local" step={1} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Button type="submit" disabled={wrong !== undefined}>
          Go there
        </Button>
      </form>
    </Popover>
  );
}
