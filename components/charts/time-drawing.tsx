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
import { AXIS_WIDTH, PANEL_GAP, PLOT_MARGIN, TIME_AXIS_HEIGHT } from "@/components/charts/plot-margins";
import { type Bucket, longestRun, type Series, type TimeModel } from "@/components/charts/prepare/time-model";
import { timeTicks } from "@/components/charts/prepare/time-ticks";
import { rangeOf, valueTicks } from "@/components/charts/prepare/value-ticks";
import { TimeInstant } from "@/components/charts/time-instant";
import { offsetMs, viewerZone } from "@/components/ui/format/zone";

export interface TimeDrawingProps {
  model: TimeModel;
  /** `panels`: bars of each series by itself, one above the other and each on a scale of its own. */
  kind: "bars" | "lines" | "panels";
  hidden: ReadonlySet<string>;
  onRange?: ((from: Date, to: Date) => void) | undefined;
}

interface Drawn {
  readonly series: Series;
  readonly index: number;
}

/** Fewer values in a row make no line: they are dots. */
const LINE_POINTS_MIN = 4;
const TEXT = { fontSize: 11, fill: "var(--faint)" };

/**
 * The drawing itself: by far the dearest thing on a page, so it is drawn again for what it shows and for nothing else. A default
 * export, so that the chart library loads with the first chart and not before.
 */
export default memo(TimeDrawing);

function TimeDrawing({ model, kind, hidden, onRange }: TimeDrawingProps) {
  const shown = model.series
    .map((series, index) => ({ series, index }))
    .filter(({ series }) => !hidden.has(series.name));
  if (kind !== "panels") return <Plot model={model} kind={kind} hidden={hidden} shown={shown} onRange={onRange} />;
  return (
    <div className="flex h-full flex-col">
      {shown.map((one, at) => {
        const isLast = at === shown.length - 1;
        return (
          <div
            key={one.series.name}
            // The label of its zero reaches into the panel below.
            className="min-h-0 flex-1 [&_svg]:overflow-visible"
            style={{ flexBasis: isLast ? TIME_AXIS_HEIGHT : PANEL_GAP }}
          >
            <Plot model={model} kind="bars" hidden={hidden} shown={[one]} onRange={onRange} panel={{ isLast }} />
          </div>
        );
      })}
    </div>
  );
}

interface PlotProps extends Omit<TimeDrawingProps, "kind"> {
  kind: "bars" | "lines";
  shown: readonly Drawn[];
  /** One panel of several: only the last one has the axis of time. */
  panel?: { isLast: boolean };
}

function Plot({ model, kind, hidden, shown, onRange, panel }: PlotProps) {
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const starts = model.buckets.map((bucket) => bucket.at);
  // The zone's offset at the end of the range: a change of clocks inside it moves a label by an hour at most.
  const { ticks, format } = timeTicks(starts, model.stepMs, 7, offsetMs(starts.at(-1) ?? 0, viewerZone()));
  const indexes = shown.map(({ index }) => index);
  const [low, high] = rangeOf(model.buckets, indexes, kind === "bars");
  const values = valueTicks(low, high, model.unit, panel ? 2 : 4);
  const hasTimeAxis = panel === undefined || panel.isLast;
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
      margin={hasTimeAxis ? PLOT_MARGIN : { ...PLOT_MARGIN, bottom: PANEL_GAP }}
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
        height={TIME_AXIS_HEIGHT}
        hide={!hasTimeAxis}
      />
      <YAxis
        width={AXIS_WIDTH}
        tick={TEXT}
        tickLine={false}
        axisLine={false}
        ticks={[...values.ticks]}
        domain={[...values.domain]}
        interval={0}
        tickFormatter={values.format}
      />
      <Tooltip
        isAnimationActive={false}
        cursor={kind === "bars" ? { fill: "var(--hover)" } : { stroke: "var(--line-strong)" }}
        content={({ active, label }) => {
          const bucket = active ? model.buckets.find((each) => each.at === label) : undefined;
          return bucket ? (
            <TimeInstant model={model} bucket={bucket} hidden={hidden} stacked={kind === "bars" && !panel} />
          ) : null;
        }}
      />
      {shown.map(({ series, index }) => {
        const read = (bucket: Bucket) => bucket.values[index];
        const isDotted = kind === "lines" && longestRun(model.buckets, index) < LINE_POINTS_MIN;
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
            strokeWidth={isDotted ? 0 : 1.5}
            dot={({ cx, cy, index: at, key }: DotItemDotProps) =>
              (isDotted && hasValue(model.buckets, at, index)) || isAlone(model.buckets, at, index) ? (
                <circle key={key} cx={cx} cy={cy} r={isDotted ? 3 : 2} fill={series.colour} />
              ) : null
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

/** The library asks for a dot of each gap too, and would draw it at the upper edge. */
const hasValue = (buckets: readonly Bucket[], at: number, series: number): boolean =>
  (buckets[at]?.values[series] ?? null) !== null;

/** A value between two gaps: no line leads to it. */
const isAlone = (buckets: readonly Bucket[], at: number, series: number): boolean =>
  hasValue(buckets, at, series) && !hasValue(buckets, at - 1, series) && !hasValue(buckets, at + 1, series);
