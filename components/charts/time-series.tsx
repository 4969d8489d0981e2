"use client";

import { ChartLine, Download, Table2 } from "lucide-react";
import dynamic from "next/dynamic";
import { type ReactNode, type RefObject, useRef, useState } from "react";
import type { ChartPick } from "@/components/charts/geometry/pick";
import { Legend } from "@/components/charts/legend";
import type { TimeMark } from "@/components/charts/prepare/marks";
import { type TimeModel, timeCsv } from "@/components/charts/prepare/time-model";
import { TimeMarks } from "@/components/charts/time-marks";
import { ErrorState } from "@/components/ui/error-state";
import { IconButton } from "@/components/ui/icon-button";
import { loadWhenOpened } from "@/components/ui/load-when-opened";
import { Menu } from "@/components/ui/menu";
import { saveFile } from "@/components/ui/save-file";
import { Loading, Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";

const TimeDrawing = dynamic(() => import("@/components/charts/time-drawing"), { ssr: false });
const TimeTable = loadWhenOpened(() => import("@/components/charts/time-table").then((one) => one.TimeTable));

const NO_MARKS: readonly TimeMark[] = [];

export interface TimeSeriesProps {
  /** Its subject, as a heading and for a screen reader: "Decisions by verdict". */
  title: string;
  /** The result of `prepareTime`, memoised; null while it loads. */
  model: TimeModel | null;
  /** `panels`: each series separately, with its own scale. */
  kind?: "bars" | "lines" | "panels";
  /** Changes to mark along the axis of time. */
  marks?: readonly TimeMark[];
  /** Changes of the range beyond those in `marks`. */
  moreMarks?: number;
  /** Next to the title: a total with its coverage. */
  aside?: ReactNode;
  /** A stretch was drawn with the mouse. */
  onRange?: (from: Date, to: Date) => void;
  /** A bar was clicked. */
  onPick?: (pick: ChartPick) => void;
  /** Replaces the legend whose buttons hide series. */
  legend?: ReactNode;
  height?: number;
  /** Shown when the range has no data. */
  emptyText?: string;
  /** The reason why there is no model. */
  error?: ReactNode;
  onRetry?: () => void;
}

/**
 * Series over time: hovering shows all values at one instant, dragging zooms, the legend hides series, and a table
 * holds the same data.
 */
export function TimeSeries(props: TimeSeriesProps) {
  const { title, model, kind = "bars", marks = NO_MARKS, moreMarks = 0, aside, onRange, onPick, height = 200 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [asTable, setAsTable] = useState(false);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const file = title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return (
    <figure className="flex min-w-0 flex-col rounded-md border bg-surface" data-chart={file}>
      <figcaption className="flex min-h-10 flex-wrap items-center gap-x-3 py-1 pr-1.5 pl-4">
        <h2 className="text-md">{title}</h2>
        {aside ? <div className="text-faint text-sm">{aside}</div> : null}
        {model?.hasDowntime ? (
          <div className="text-ask text-sm">Gaps in the chart: Quarterdeck was not running</div>
        ) : null}
        {moreMarks > 0 ? (
          <div className="text-faint text-sm">and {moreMarks.toLocaleString("en")} more changes</div>
        ) : null}
        <Tools title={title} file={file} model={model} frame={frame} asTable={asTable} onAsTable={setAsTable} />
      </figcaption>
      <div className="relative min-w-0 px-2" style={model === null && props.error ? { minHeight: height } : { height }}>
        {model === null ? (
          <Absent {...props} />
        ) : asTable ? (
          <TimeTable title={title} model={model} marks={marks} />
        ) : model.isEmpty ? (
          <p className="flex h-full animate-late items-center justify-center text-center text-muted">
            {props.emptyText ?? "No events in this range"}
          </p>
        ) : (
          <div className="relative h-full">
            <div
              ref={frame}
              role="img"
              aria-label={`${title}. The table behind this chart has its numbers.`}
              className="h-full"
            >
              <TimeDrawing model={model} kind={kind} hidden={hidden} onRange={onRange} onPick={onPick} />
            </div>
            <TimeMarks model={model} marks={marks} kind={kind === "lines" ? "lines" : "bars"} />
          </div>
        )}
      </div>
      {props.legend ??
        (model && !model.isEmpty ? (
          <Legend model={model} kind={kind === "lines" ? "lines" : "bars"} hidden={hidden} onToggle={toggle} />
        ) : (
          <div className="h-3" />
        ))}
    </figure>
  );
}

interface ToolsProps {
  title: string;
  /** The name of an exported file, without its ending. */
  file: string;
  model: TimeModel | null;
  frame: RefObject<HTMLDivElement | null>;
  asTable: boolean;
  onAsTable: (asTable: boolean) => void;
}

function Tools({ title, file, model, frame, asTable, onAsTable }: ToolsProps) {
  const png = () => {
    const chart = frame.current;
    if (chart !== null)
      import("@/components/charts/export-png")
        .then(({ savePng }) => savePng(chart, file))
        .catch(() => toast.error("The image of the chart could not be exported"));
  };
  return (
    <div className="ml-auto flex items-center" data-no-print>
      <IconButton
        icon={asTable ? ChartLine : Table2}
        label={asTable ? "Show the data as a chart" : "Show the data as a table"}
        size="sm"
        disabled={model === null}
        onClick={() => onAsTable(!asTable)}
      />
      <Menu
        trigger={<IconButton icon={Download} label={`Export ${title}`} size="sm" disabled={model === null} />}
        items={[
          {
            label: "CSV",
            onSelect: async () =>
              model && saveFile(`${file}.csv`, new Blob([await timeCsv(model)], { type: "text/csv" })),
          },
          { label: "PNG", onSelect: png, disabled: asTable },
        ]}
      />
    </div>
  );
}

/** The placeholder of a chart: its shape while it loads, or the reason for its absence. */
function Absent({ title, error, onRetry }: TimeSeriesProps) {
  return error ? (
    <ErrorState title={`${title} could not be loaded`} reason={error} compact {...(onRetry ? { onRetry } : {})} />
  ) : (
    <Loading label={title} className="flex h-full items-end gap-1 px-2 pb-6">
      {[40, 65, 50, 80, 60, 72, 45, 68, 54, 76, 62, 58].map((percent, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a shape, not data
        <Skeleton key={index} className="h-full flex-1" style={{ height: `${percent}%` }} />
      ))}
    </Loading>
  );
}
