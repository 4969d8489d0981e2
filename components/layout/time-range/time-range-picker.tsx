"use client";

import { Calendar, Check } from "lucide-react";
import { useState } from "react";
import { zoneText } from "@/components/layout/time-range/day";
import { allTime, dayRangeText, type PresetText, presets } from "@/components/layout/time-range/range";
import { useTimeRange } from "@/components/layout/time-range/use-time-range";
import { Button } from "@/components/ui/button";
import { dateTimeInputInstant, viewerZone } from "@/components/ui/format/zone";
import { Input } from "@/components/ui/input";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Popover } from "@/components/ui/popover";

const CustomRange = loadWhenOpened(() =>
  import("@/components/layout/time-range/custom-range").then((one) => one.CustomRange),
);

/** Chooses what time the page speaks about: a stretch that ends now, or two instants. */
export function TimeRangePicker({ fallback, all = false }: { fallback?: PresetText; all?: boolean }) {
  const range = useTimeRange(fallback, all);
  const offered = all ? [...presets, allTime] : presets;
  const [open, setOpen] = useState(false);
  const choose = (text: string) => {
    range.set(text);
    setOpen(false);
  };
  const short = offered.find((preset) => preset.text === range.text)?.short;
  return (
    <Popover
      label="Time range"
      open={open}
      onOpenChange={setOpen}
      className="w-72 p-0"
      trigger={
        <Button variant="ghost">
          <Calendar aria-hidden />
          <span className="sr-only">Time range: </span>
          <span className="sm:hidden">{short ?? "Custom"}</span>
          <span className="max-w-56 truncate max-sm:hidden" suppressHydrationWarning>
            {range.label}
          </span>
        </Button>
      }
    >
      <ul className="p-1">
        {offered.map((preset) => (
          <li key={preset.text}>
            <button
              type="button"
              aria-pressed={range.text === preset.text}
              onClick={() => choose(preset.text)}
              className="inset-focus flex h-7 w-full items-center justify-between rounded-sm px-2 hover:bg-hover max-sm:h-10"
            >
              {preset.label}
              {range.text === preset.text ? <Check aria-hidden className="size-3.5 text-accent-text" /> : null}
            </button>
          </li>
        ))}
      </ul>
      <WholeDay text={range.text} onChoose={choose} />
      <CustomRange key={range.text} from={range.from} to={range.to} onApply={choose} chosen={!range.isLive} />
    </Popover>
  );
}

/** Whole days in the viewer's zone, and its name: clock times on the page are in it. They stand still. */
function WholeDay({ text, onChoose }: { text: string; onChoose: (text: string) => void }) {
  const nowMs = Date.now();
  const days = [
    { label: "Today", day: dayRangeText(nowMs) },
    { label: "Yesterday", day: dayRangeText(nowMs, 1) },
  ];
  const pick = (value: string) => {
    const noon = dateTimeInputInstant(`${value}T12:00`);
    // While a year is typed, its first digits are a year too.
    if (noon.getUTCFullYear() >= 2000) onChoose(dayRangeText(noon.getTime()));
  };
  return (
    <div className="flex flex-col gap-2 border-line border-t p-2">
      <div className="flex items-center gap-1">
        {days.map(({ label, day }) => (
          <Button key={label} size="sm" aria-pressed={text === day} onClick={() => onChoose(day)}>
            {label}
          </Button>
        ))}
        <Input
          type="date"
          aria-label="Choose a day"
          className="min-w-0 flex-1"
          onChange={(event) => pick(event.target.value)}
        />
      </div>
      <p className="text-muted text-sm">Days and clock times: {zoneText(nowMs, viewerZone())}</p>
    </div>
  );
}
