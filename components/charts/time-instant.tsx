import { type Bucket, bucketTotal, type TimeModel } from "@/components/charts/prepare/time-model";
import { formatValue } from "@/components/charts/prepare/units";
import { viewerFormat } from "@/components/ui/format/zone";

const INSTANT = viewerFormat({
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

/** All series at one instant; a gap is labelled as such. */
export function TimeInstant({ model, bucket, hidden, stacked }: InstantProps) {
  const total = bucketTotal(bucket);
  return (
    <div className="min-w-40 rounded-md bg-raised px-3 py-2 text-sm shadow-overlay">
      <p className="mb-1 text-muted">
        {INSTANT.format(bucket.at)} –{" "}
        {INSTANT.format(bucket.at + model.stepMs)
          .split(", ")
          .at(-1)}
      </p>
      {total === null ? <p className="text-faint">No data for this period.</p> : null}
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
