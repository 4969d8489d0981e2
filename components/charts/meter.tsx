import { formatValue, type Unit } from "@/components/charts/prepare/units";
import { cn } from "@/components/ui/cn";
import { formatShare } from "@/components/ui/format/count";

export interface MeterSegment {
  label: string;
  value: number | bigint;
  /** A CSS colour from the tokens: `toneLook.allow.css`, `var(--series-1)`. */
  colour: string;
  /** Striped: what is not known. */
  hatched?: boolean;
}

export interface MeterProps {
  label: string;
  segments: readonly MeterSegment[];
  unit: Unit;
  /** The whole, when it is more than the segments: a limit. */
  whole?: number | bigint;
  /** The words below. */
  legend?: boolean;
  className?: string;
}

/** Parts of one whole on one bar, each with its number in words below. */
export function Meter({ label, segments, unit, whole, legend = true, className }: MeterProps) {
  const parts = segments.map((segment) => ({ ...segment, value: Number(segment.value) }));
  const all = whole === undefined ? parts.reduce((sum, part) => sum + part.value, 0) : Number(whole);
  const words = parts.map((part) => `${part.label} ${formatValue(part.value, unit)}`).join(", ");
  return (
    <div className={cn("flex min-w-0 flex-col gap-2", className)}>
      <div
        role="img"
        aria-label={`${label}: ${words}`}
        className="flex h-2 gap-px overflow-hidden rounded-full bg-pressed"
      >
        {parts.map((part) =>
          part.value > 0 && all > 0 ? (
            <span
              key={part.label}
              className={part.hatched ? "hatched" : ""}
              style={{ width: `${(part.value / all) * 100}%`, minWidth: 2, backgroundColor: part.colour }}
            />
          ) : null,
        )}
      </div>
      {legend ? (
        <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {parts.map((part) => (
            <li key={part.label} className="flex items-center gap-1.5">
              <span
                aria-hidden
                className={cn("size-2 rounded-full", part.hatched && "hatched")}
                style={{ backgroundColor: part.colour }}
              />
              <span className="text-muted">{part.label}</span>
              <span>{formatValue(part.value, unit)}</span>
              <span className="text-faint">{formatShare(part.value, all) ?? ""}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
