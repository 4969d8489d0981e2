"use client";

import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";
import { ChevronDown, ChevronRight, CornerDownRight, type LucideIcon } from "lucide-react";
import { memo } from "react";
import { EventTitle } from "@/components/layout/event-title";
import { kindWords, markOf } from "@/components/sessions/labels";
import { canUnfold, durationOf, mainRow, type StoryLine, type StoryNode } from "@/components/sessions/story";
import { amountText } from "@/components/sessions/timeline-row";
import { cn } from "@/components/ui/cn";
import { plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { exactMoney, shortMoney } from "@/components/ui/format/nano";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type Tone, toneLook } from "@/components/ui/tone";
import { kindOf, type LaneView, type RowView, timelineHref } from "@/server/sessions/schema";

/** The stretch of time that the bars of a window share. */
export interface TimeAxis {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface StoryLineProps {
  line: StoryLine;
  lane: LaneView | undefined;
  agentId: string;
  /** The start of the session, in milliseconds since 1970. */
  startMs: number;
  axis: TimeAxis;
  isSelected: boolean;
  isUnfolded: boolean;
  onOpen: (row: RowView) => void;
  onToggle: (node: StoryNode) => void;
}

export const STORY_GRID =
  "grid items-center gap-x-3 grid-cols-[72px_minmax(0,1fr)_minmax(96px,26%)_72px_72px] max-sm:grid-cols-[minmax(0,1fr)_auto_auto]";

/** A turn, a call, a sub-session or an event in one line, with its bar on the axis of the window. */
export const StoryRow = memo(function StoryRow(props: StoryLineProps) {
  const { line, lane, agentId, startMs, axis, isSelected, isUnfolded, onOpen, onToggle } = props;
  const { node, row, depth } = line;
  const opened = row ?? mainRow(node);
  const mark = row ? markOf(row) : markOfNode(node);
  const tone = mark?.tone ?? null;
  const label = nameOf(line, lane);
  return (
    <div
      className={cn(
        STORY_GRID,
        "relative h-full border-line border-b px-3 text-sm",
        isSelected ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <span className="text-right text-muted max-sm:hidden">
        +{formatDuration(Math.max(0, (row ? row.key.occurredAt.getTime() : node.fromMs) - startMs))}
      </span>
      <span className="flex min-w-0 items-center gap-2" style={{ paddingLeft: Math.min(depth, 8) * 16 }}>
        <Fold line={line} label={label} isUnfolded={isUnfolded} onToggle={onToggle} />
        <Name line={line} lane={lane} agentId={agentId} />
        {mark ? (
          <span className="shrink-0">
            <Mark tone={mark.tone} label={mark.label} />
          </span>
        ) : null}
        <span className="min-w-0 flex-1 truncate text-muted max-sm:hidden">{row ? row.words : wordsOf(node)}</span>
      </span>
      {row ? <span className="max-sm:hidden" /> : <Bar node={node} axis={axis} tone={tone} />}
      {row ? <span /> : <Duration node={node} />}
      <span className="text-right">{row ? null : <Cost node={node} lane={lane} />}</span>
      {opened ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Open ${label}`}
          onClick={() => onOpen(opened)}
          className="inset-focus absolute inset-0"
        />
      ) : null}
    </div>
  );
});

function Fold({
  line: { node, row },
  label,
  isUnfolded,
  onToggle,
}: Pick<StoryLineProps, "line" | "isUnfolded" | "onToggle"> & { label: string }) {
  if (row || !canUnfold(node)) return <span aria-hidden className="size-4 shrink-0" />;
  const Icon = isUnfolded ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isUnfolded}
      aria-label={`${isUnfolded ? "Fold" : "Unfold"} ${label}`}
      onClick={() => onToggle(node)}
      className="relative z-10 grid size-4 shrink-0 place-items-center rounded-sm text-faint hover:text-text"
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}

const ICONS: Readonly<Record<Exclude<StoryNode["kind"], "event">, LucideIcon>> = {
  lane: CornerDownRight,
  turn: kindWords.turn.icon,
  model: kindWords.model.icon,
  tool: kindWords.tool.icon,
  compaction: kindWords.compaction.icon,
};

function Name({ line: { node, row }, lane, agentId }: Pick<StoryLineProps, "line" | "lane" | "agentId">) {
  const event = row ?? (node.kind === "event" ? node.rows[0] : undefined);
  const Icon = node.kind === "event" || event ? kindWords[kindOf(event?.event ?? "")].icon : ICONS[node.kind];
  return (
    <>
      <Icon aria-hidden className="size-3.5 shrink-0 text-muted" strokeWidth={1.75} />
      {event ? (
        <EventTitle
          event={event.event}
          look={row ? "both" : "title"}
          className="max-w-80 shrink-0 truncate max-lg:shrink"
        />
      ) : node.kind === "lane" && lane ? (
        <Link
          href={timelineHref({ agentId, sessionId: lane.sessionId })}
          className="link relative z-10 min-w-0 shrink truncate"
        >
          Sub-session of {lane.agentName}
        </Link>
      ) : (
        <span className={cn("max-w-56 shrink-0 truncate max-lg:shrink", node.kind === "tool" && "font-medium")}>
          {nodeName(node, lane)}
        </span>
      )}
    </>
  );
}

function nodeName(node: StoryNode, lane: LaneView | undefined): string {
  const [first] = node.rows;
  if (node.kind === "lane") return `Sub-session of ${lane?.agentName ?? "an agent"}`;
  if (node.kind === "turn") return "Turn";
  if (node.kind === "tool") return node.rows.find(({ tool }) => tool !== null)?.tool ?? "Tool call";
  if (node.kind === "compaction") return "Compaction";
  if (node.kind === "model") return node.rows.find(({ call }) => call !== null)?.call?.modelId ?? "Model call";
  return eventTitle(first?.event ?? "");
}

const nameOf = ({ node, row }: StoryLine, lane: LaneView | undefined): string =>
  row ? eventTitle(row.event) : nodeName(node, lane);

function wordsOf(node: StoryNode): string {
  if (node.kind === "turn") {
    const models = node.children.filter(({ kind }) => kind === "model");
    const tools = [...models, node].flatMap(({ children }) => children.filter(({ kind }) => kind === "tool"));
    const end = node.rows.find(({ event }) => event === "turn_end")?.words ?? "";
    return `${plural(models.length, "model call")}, ${plural(tools.length, "tool call")}${end === "" ? "" : ` · ${end}`}`;
  }
  return node.rows.find(({ words }) => words !== "")?.words ?? "";
}

/** The last word on a call: the final decision, then the failure, then a verdict that was given here. */
function markOfNode(node: StoryNode) {
  if (node.kind === "turn" || node.kind === "lane") return null;
  const denied = node.rows.find(({ final }) => final?.verdict === "deny");
  if (denied) return markOf(denied);
  const failed = node.rows.find(({ isError }) => isError);
  const own = failed ?? node.rows.findLast((row) => markOf(row) !== null);
  return own ? markOf(own) : null;
}

function Bar({ node, axis, tone }: { node: StoryNode; axis: TimeAxis; tone: Tone | null }) {
  const span = Math.max(axis.toMs - axis.fromMs, 1);
  const left = ((node.fromMs - axis.fromMs) / span) * 100;
  const width = ((node.toMs - node.fromMs) / span) * 100;
  const isQuiet = node.kind === "turn" || node.kind === "lane" || node.kind === "event";
  const look = tone === "deny" || tone === "error" ? toneLook[tone].solid : isQuiet ? "bg-line-strong" : "bg-accent";
  return (
    <span aria-hidden className="relative h-full max-sm:hidden">
      <span
        className={cn("absolute top-1/2 h-1.5 min-w-0.5 -translate-y-1/2 rounded-full", look)}
        style={{ left: `min(${left}%, calc(100% - 2px))`, width: `${width}%` }}
      />
    </span>
  );
}

function Duration({ node }: { node: StoryNode }) {
  const ms = durationOf(node);
  if (ms !== null) return <span className="text-right tabular-nums">{formatDuration(ms)}</span>;
  if (node.kind === "event") return <span />;
  return (
    <span
      className="text-right text-muted"
      title="The duration is unknown: the start or end of this step is not in the loaded events."
    >
      —
    </span>
  );
}

function Cost({ node, lane }: { node: StoryNode; lane: LaneView | undefined }) {
  if (node.kind === "lane" && lane) return <span className="text-muted">{amountText(lane.own)}</span>;
  const call = node.rows.find((row) => row.call)?.call;
  if (node.kind !== "model" || !call) return null;
  if (call.nano === null) return <span className="text-muted italic">unpriced</span>;
  return (
    <span title={exactMoney(call.nano)}>
      {call.nano === 0n ? <i className="text-muted">free</i> : shortMoney(call.nano)}
    </span>
  );
}
