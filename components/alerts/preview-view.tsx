"use client";

import { useMemo } from "react";
import { isChange } from "@/components/alerts/labels";
import { otherColour } from "@/components/charts/prepare/colours";
import { prepareTime } from "@/components/charts/prepare/time-model";
import type { Unit as ChartUnit } from "@/components/charts/prepare/units";
import { TimeSeries } from "@/components/charts/time-series";
import { plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";
import { measureOf } from "@/server/alerts/measure-schema";
import type { AlertPreview, Condition } from "@/server/alerts/schema";

const DAY_MS = 86_400_000;

/** The past of a condition: how often it would have fired, and the value against its limit. */
export function PreviewView({ preview, condition }: { preview: AlertPreview; condition: Condition }) {
  const model = useMemo(() => modelOf(preview, condition), [preview, condition]);
  if (!preview.isKept) return <Notice>This measure has no history, so the alert cannot be tested.</Notice>;
  const days = Math.round((preview.to.getTime() - preview.from.getTime()) / DAY_MS);
  const count = preview.firings.length;
  const isKnown = preview.points.some(({ value }) => value !== null);
  return (
    <div className="flex flex-col gap-2" data-testid="alert-preview">
      <Notice kind={count > 0 ? "warning" : "info"}>
        {isKnown
          ? `The alert would have fired ${plural(count, "time")} in the last ${plural(days, "day")}.`
          : `No data for the last ${plural(days, "day")}.`}
      </Notice>
      <TimeSeries
        title="Value and limit"
        model={model}
        kind="lines"
        height={150}
        emptyText="All values of this measure are zero"
      />
    </div>
  );
}

function modelOf({ points, from, to, stepMinutes }: AlertPreview, { measure, comparison, threshold }: Condition) {
  const { unit } = measureOf(measure);
  const drawn: ChartUnit = isChange(comparison) || unit === "share" ? "percent" : unit;
  const number = (value: bigint) => (drawn === "percent" ? Number(value) / 1_000 : Number(value));
  const limit = comparison === "falls_by" ? -number(threshold) : number(threshold);
  return prepareTime({
    rows: points.flatMap(({ at, value }) => [
      { at, series: "value", value: value === null ? null : number(value) },
      { at, series: "limit", value: limit },
    ]),
    from,
    to,
    stepMs: stepMinutes * 60_000,
    unit: drawn,
    absent: "gap",
    order: ["value", "limit"],
    // The limit is grey and the value has its name's colour: the two must never look alike.
    colours: { limit: otherColour },
    labels: { value: "Value", limit: "Limit" },
  });
}
