import type { TimeModel } from "@/components/charts/prepare/time-model";
import { formatValue } from "@/components/charts/prepare/units";
import { cn } from "@/components/ui/cn";

export interface LegendProps {
  kind: "bars" | "lines";
  model: TimeModel;
  hidden: ReadonlySet<string>;
  onToggle: (name: string) => void;
}

/** The series with their sums; pressing one hides it. Rates, percentages and levels (lines) have no sum. */
export function Legend({ model, kind, hidden, onToggle }: LegendProps) {
  const sums = kind === "bars" && model.unit !== "percent" && model.unit !== "ms";
  return (
    <ul aria-label="Series" className="flex flex-wrap gap-x-1 gap-y-0.5 px-3 pt-1 pb-2">
      {model.series.map((series) => (
        <li key={series.name}>
          <button
            type="button"
            aria-pressed={!hidden.has(series.name)}
            onClick={() => onToggle(series.name)}
            className={cn(
              "flex min-h-6 items-center gap-1.5 rounded-sm px-1.5 text-left text-sm hover:bg-hover",
              hidden.has(series.name) && "text-faint line-through",
            )}
          >
            <span
              aria-hidden
              className={cn("size-2 shrink-0 rounded-full", hidden.has(series.name) && "opacity-30")}
              style={{ background: series.colour }}
            />
            {series.label}
            {sums ? <span className="text-faint">{formatValue(series.total, model.unit)}</span> : null}
          </button>
        </li>
      ))}
    </ul>
  );
}
