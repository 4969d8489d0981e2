import type { ReactNode } from "react";
import { prepareRanking, type RankItem } from "@/components/charts/prepare/ranking";
import { formatValue, type Unit } from "@/components/charts/prepare/units";
import { cn } from "@/components/ui/cn";
import { formatShare } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";

export interface BarListProps {
  /** The things that are ranked and the measure: "Spend by model". */
  label: string;
  /** Heads the names: "Model". */
  nameHeader: string;
  /** Heads the numbers: "Spend". */
  valueHeader: string;
  items: readonly RankItem[];
  unit: Unit;
  /** Named rows; the rest are "other". */
  limit?: number;
  /** Draws a row's number in another way: exact money, say. */
  renderValue?: (name: string, value: number) => ReactNode;
  /** The reason that a value is missing. */
  missing?: string;
  className?: string;
}

/** Things by size with their share: a table whose rows carry bars. */
export function BarList(props: BarListProps) {
  const { label, nameHeader, valueHeader, items, unit, limit, renderValue, missing, className } = props;
  const rows = prepareRanking(items, limit);
  const whole = rows.reduce((sum, row) => sum + (row.value ?? 0), 0);
  return (
    <table aria-label={label} className={cn("w-full border-separate border-spacing-0 text-sm", className)}>
      <thead>
        <tr className="text-faint text-xs">
          <th scope="col" className="h-7 w-full text-left font-normal">
            {nameHeader}
          </th>
          <th scope="col" className="h-7 pl-3 text-right font-normal">
            {valueHeader}
          </th>
          <th scope="col" className="h-7 pl-3 text-right font-normal">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <td className="relative h-7 max-w-0 truncate">
              <span
                aria-hidden
                className="absolute inset-y-1 left-0 rounded-sm opacity-20 dark:opacity-30"
                style={{ width: `${Math.max(row.length * 100, row.length > 0 ? 1 : 0)}%`, background: row.colour }}
              />
              <span
                aria-hidden
                className="absolute inset-y-1 left-0 w-0.5 rounded-full"
                style={{ background: row.colour }}
              />
              <span className="relative pl-2">
                {row.href === null ? (
                  <span className={row.things > 1 ? "text-muted" : ""}>{row.label}</span>
                ) : (
                  <Link href={row.href} className="rounded-sm hover:underline">
                    {row.label}
                  </Link>
                )}
              </span>
            </td>
            <td className="whitespace-nowrap pl-3 text-right">
              {row.value === null ? (
                <Missing reason={missing ?? "No data."} />
              ) : (
                (row.things === 1 && renderValue?.(row.name, row.value)) || formatValue(row.value, unit)
              )}
            </td>
            <td className="whitespace-nowrap pl-3 text-right text-muted">
              {row.value === null ? (
                <Missing reason="This row has no value, so the other rows' shares do not count it." />
              ) : (
                (formatShare(row.value, whole) ?? <Missing reason="No data to compare." />)
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
