import { marksIn, type TimeMark } from "@/components/charts/prepare/marks";
import type { TimeModel } from "@/components/charts/prepare/time-model";
import { formatValue } from "@/components/charts/prepare/units";
import { Missing } from "@/components/ui/format/missing";
import { viewerFormat } from "@/components/ui/format/zone";

const INSTANT = viewerFormat({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The numbers behind a chart, the latest first. */
export function TimeTable({ title, model, marks }: { title: string; model: TimeModel; marks: readonly TimeMark[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section aria-label={title} tabIndex={0} className="inset-focus h-full overflow-auto">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr>
            <th scope="col" className="sticky top-0 h-7 bg-sunken px-2 text-left font-medium text-muted text-xs">
              From
            </th>
            {model.series.map((series) => (
              <th
                key={series.name}
                scope="col"
                className="sticky top-0 h-7 bg-sunken px-2 text-right font-medium text-muted text-xs"
              >
                {series.label}
              </th>
            ))}
            {marks.length > 0 ? (
              <th scope="col" className="sticky top-0 h-7 bg-sunken px-2 text-left font-medium text-muted text-xs">
                Changes
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {model.buckets.toReversed().map((bucket) => (
            <tr key={bucket.at}>
              <th scope="row" className="h-6 whitespace-nowrap border-line border-b px-2 text-left font-normal">
                {INSTANT.format(bucket.at)}
              </th>
              {model.series.map((series, index) => {
                const value = bucket.values[index] ?? null;
                return (
                  <td key={series.name} className="h-6 whitespace-nowrap border-line border-b px-2 text-right">
                    {value === null ? <Missing reason="No data for this period." /> : formatValue(value, model.unit)}
                  </td>
                );
              })}
              {marks.length > 0 ? (
                <td className="h-6 border-line border-b px-2 text-left">
                  {marksIn(marks, bucket.at, model.stepMs)
                    .map(({ label }) => label)
                    .join("; ")}
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
