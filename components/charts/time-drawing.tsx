"use client";

import { memo, useState } from "react";
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  ReferenceArea,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { type Bucket, bucketTotal, type TimeModel } from "@/components/charts/prepare/time-model";
import { timeTicks } from "@/components/charts/prepare/time-ticks";
import { formatAxis, formatValue } from "@/components/charts/prepare/units";

export interface TimeDrawingProps {
  model: TimeModel;
  kind: "bars" | "lines";
  hidden: ReadonlySet<string>;
  onRange?: ((from: Date, to: Date) => void) | undefined;
}

const TEXT = { fontSize: 11, fill: "var(--faint)" };

/**
 * The drawing itself: by far the dearest thing on a page, so it is drawn again for what it shows and for nothing else. A default
 * export, so that the chart library loads with the first chart and not before.
 */
export default memo(TimeDrawing);

function TimeDrawing({ model, kind, hidden, onRange }: TimeDrawingProps) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const starts = model.buckets.map((bucket) => bucket.at);
  // The zone's offset at the end of the range: a change of clocks inside it moves a label by an hour at most.
  const offsetMs = -new Date(starts.at(-1) ?? 0).getTimezoneOffset() * 60_000;
  const { ticks, format } = timeTicks(starts, model.stepMs, 7, offsetMs);
  const shown = model.series
    .map((series, index) => ({ series, index }))
    .filter(({ series }) => !hidden.has(series.name));
  const finish = () => {
    if (drag && drag.from !== drag.to) {
      const [a, b] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
      onRange?.(new Date(a), new Date(b + model.stepMs));
    }
    setDrag(null);
  };
  return (
    <ComposedChart
      responsive
      data={[...model.buckets]}
      style={{ width: "100%", height: "100%", cursor: onRange ? "crosshair" : "default", userSelect: "none" }}
      margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
      barCategoryGap={model.buckets.length > 80 ? 0 : "12%"}
      accessibilityLayer={false}
      onMouseDown={({ activeLabel }) =>
        onRange && typeof activeLabel === "number" && setDrag({ from: activeLabel, to: activeLabel })
      }
      onMouseMove={({ activeLabel }) =>
        drag && typeof activeLabel === "number" && setDrag({ ...drag, to: activeLabel })
      }
      onMouseUp={finish}
      onMouseLeave={() => setDrag(null)}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="at"
        ticks={[...ticks]}
        tickFormatter={format}
        interval="preserveStartEnd"
        tick={TEXT}
        tickLine={false}
        axisLine={{ stroke: "var(--line-strong)" }}
        height={24}
      />
      <YAxis
        width={52}
        tick={TEXT}
        tickLine={false}
        axisLine={false}
        tickCount={5}
        allowDecimals={model.unit !== "count" && model.unit !== "tokens"}
        tickFormatter={(value: number) => formatAxis(value, model.unit)}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={kind === "bars" ? { fill: "var(--hover)" } : { stroke: "var(--line-strong)" }}
        content={({ active, label }) => {
          const bucket = active ? model.buckets.find((each) => each.at === label) : undefined;
          return bucket ? <Instant model={model} bucket={bucket} hidden={hidden} stacked={kind === "bars"} /> : null;
        }}
      />
      {shown.map(({ series, index }) => {
        const read = (bucket: Bucket) => bucket.values[index];
        return kind === "bars" ? (
          <Bar
            key={series.name}
            name={series.label}
            dataKey={read}
            stackId="all"
            fill={series.colour}
            isAnimationActive={false}
          />
        ) : (
          <Line
            key={series.name}
            name={series.label}
            dataKey={read}
            stroke={series.colour}
            strokeWidth={1.5}
            dot={({ cx, cy, index: at, key }: DotItemDotProps) =>
              isAlone(model.buckets, at, index) ? <circle key={key} cx={cx} cy={cy} r={2} fill={series.colour} /> : null
            }
            activeDot={{ r: 3 }}
            connectNulls={false}
            isAnimationActive={false}
            type="linear"
          />
        );
      })}
      {drag && drag.from !== drag.to ? (
        <ReferenceArea
          x1={Math.min(drag.from, drag.to)}
          x2={Math.max(drag.from, drag.to)}
          fill="var(--accent)"
          fillOpacity={0.14}
          stroke="var(--accent)"
        />
      ) : null}
    </ComposedChart>
  );
}

/** A value between two gaps: no line leads to it. */
function isAlone(buckets: readonly Bucket[], at: number, series: number): boolean {
  const has = (index: number) => (buckets[index]?.values[series] ?? null) !== null;
  return has(at) && !has(at - 1) && !has(at + 1);
}

const INSTANT = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

interface InstantProps {
  model: TimeModel;
  bucket: Bucket;
  hidden: ReadonlySet<string>;
  stacked: boolean;
}

/** All series at one instant; a gap says that it is one. */
function Instant({ model, bucket, hidden, stacked }: InstantProps) {
  const total = bucketTotal(bucket);
  return (
    <div className="min-w-40 rounded-md bg-raised px-3 py-2 text-sm shadow-overlay">
      <p className="mb-1 text-muted">
        {INSTANT.format(bucket.at)} –{" "}
        {INSTANT.format(bucket.at + model.stepMs)
          .split(", ")
          .at(-1)}
      </p>
      {total === null ? <p className="text-faint">Nothing is known of this stretch.</p> : null}
      {total === null
        ? null
        : model.series.map((series, index) => {
            const value = bucket.values[index] ?? null;
            return hidden.has(series.name) ? null : (
              <p key={series.name} className="flex items-center gap-2">
                <span className="size-2 rounded-full" style={{ background: series.colour }} />
                <span className="flex-1">{series.label}</span>
                <span className="pl-4">{value === null ? "—" : formatValue(value, model.unit)}</span>
              </p>
            );
          })}
      {stacked && total !== null && model.series.length > 1 ? (
        <p className="mt-1 flex justify-between border-line border-t pt-1 font-medium">
          <span>Together</span>
          <span>{formatValue(total, model.unit)}</span>
        </p>
      ) : null}
    </div>
  );
}
