import { formatBytes } from "@/components/ui/format/bytes";
import { formatCount, formatTokens } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { shortMoney } from "@/components/ui/format/nano";

/** The unit of a chart's numbers. `money` is nano-dollars, `percent` is 0 to 100, `ms` milliseconds. */
export type Unit = "count" | "tokens" | "money" | "ms" | "percent" | "bytes";

/** A value in full, for tooltips and tables. */
export function formatValue(value: number, unit: Unit): string {
  switch (unit) {
    case "money":
      return shortMoney(BigInt(Math.round(value)));
    case "ms":
      return formatDuration(value);
    case "tokens":
      return formatTokens(value);
    case "percent":
      return `${Number(value.toFixed(1))} %`;
    case "bytes":
      return formatBytes(value);
    case "count":
      return Number.isInteger(value) ? formatCount(value) : String(Number(value.toFixed(2)));
  }
}
