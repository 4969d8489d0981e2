import { AXIS_WIDTH, PLOT_MARGIN } from "@/components/charts/plot-margins";
import { placeMarks, type TimeMark } from "@/components/charts/prepare/marks";
import type { TimeModel } from "@/components/charts/prepare/time-model";
import { viewerFormat } from "@/components/ui/format/zone";
import { Tooltip } from "@/components/ui/tooltip";

export interface TimeMarksProps {
  model: TimeModel;
  marks: readonly TimeMark[];
  kind: "bars" | "lines";
}

const INSTANT = viewerFormat({
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Thin vertical lines at changes; each describes its change on hover and focus. */
export function TimeMarks({ model, marks, kind }: TimeMarksProps) {
  const placed = placeMarks(model, marks, kind);
  if (placed.length === 0) return null;
  return (
    <ul
      aria-label="Changes"
      className="pointer-events-none absolute inset-y-0"
      style={{ left: AXIS_WIDTH, right: PLOT_MARGIN.right }}
    >
      {placed.map(({ share, marks: group }) => (
        <li
          key={`${group[0]?.at.getTime()} ${group[0]?.label}`}
          className="absolute top-0 bottom-6 w-0"
          style={{ left: `${share * 100}%` }}
        >
          <span aria-hidden className="absolute top-2 bottom-0 -left-px w-px bg-accent opacity-60" />
          <Tooltip
            content={
              <span className="flex flex-col gap-1">
                {group.map((mark) => (
                  <span key={`${mark.at.getTime()} ${mark.label}`}>
                    {INSTANT.format(mark.at)}: {mark.label}
                  </span>
                ))}
              </span>
            }
          >
            <button
              type="button"
              aria-label={nameOf(group)}
              className="pointer-events-auto absolute -top-1 -left-2 flex size-4 items-center justify-center rounded-full border border-accent bg-surface font-medium text-accent-text text-xs leading-none"
            >
              {group.length > 1 ? group.length : <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
            </button>
          </Tooltip>
        </li>
      ))}
    </ul>
  );
}

/** The name of a mark. It begins with the number that is shown: a person who says it finds the button. */
function nameOf(group: readonly TimeMark[]): string {
  const changes = group.map((mark) => `${INSTANT.format(mark.at)}: ${mark.label}`).join("; ");
  return group.length > 1 ? `${group.length} changes: ${changes}` : changes;
}
