import { sparkPath } from "@/components/charts/prepare/spark";
import { cn } from "@/components/ui/cn";

export interface SparklineProps {
  values: readonly (number | null)[];
  /** Its subject, for a screen reader: "Dispatches per minute in the last hour". */
  label: string;
  colour?: string;
  className?: string;
}

const WIDTH = 120;
const HEIGHT = 32;

/** The shape of a series without its numbers; the number is shown next to it. Fills its box. */
export function Sparkline({ values, label, colour = "var(--accent)", className }: SparklineProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cn("block h-full w-full overflow-visible", className)}
    >
      <path
        d={sparkPath(values, WIDTH, HEIGHT)}
        fill="none"
        stroke={colour}
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
