import { GateTitle } from "@/components/decisions/gate-title";
import { RESULT_BY_ORDER } from "@/components/decisions/labels";
import { cn } from "@/components/ui/cn";
import { formatDuration } from "@/components/ui/format/duration";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type Tone, toneLook } from "@/components/ui/tone";
import { Tooltip } from "@/components/ui/tooltip";
import { type CallRecordView, sourceWords, verdictWords } from "@/server/decisions/schema";

export interface CallTimelineProps {
  callRecords: readonly CallRecordView[];
  /** The decision the drawer shows. */
  currentId: string;
  /** The URL of another decision on the same call. */
  hrefOf: (record: CallRecordView) => string;
}

/** Everything recorded about one tool call, in order, with the time between. */
export function CallTimeline({ callRecords, currentId, hrefOf }: CallTimelineProps) {
  return (
    <ol className="flex flex-col">
      {callRecords.map((record, index) => {
        const { tone, label } = meaningOf(record);
        const before = callRecords[index - 1];
        const gapMs = before ? record.occurredAt.getTime() - before.occurredAt.getTime() : null;
        const isCurrent = record.id === currentId;
        const isLast = index === callRecords.length - 1;
        return (
          <li key={`${record.occurredAt.getTime()}.${record.id}`} className="relative flex gap-3 pb-3 last:pb-0">
            {isLast ? null : <span aria-hidden className="absolute top-3 bottom-0 left-[3.5px] w-px bg-line-strong" />}
            <span
              aria-hidden
              className={cn(
                "relative mt-1.5 size-2 shrink-0 rounded-full",
                toneLook[tone].solid,
                isCurrent && "outline-2 outline-accent outline-offset-2",
              )}
            />
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
              <GateTitle {...record} className={cn(isCurrent && "font-semibold")} />
              <Mark tone={tone} label={label} />
              {record.decision === null || isCurrent ? null : (
                <Link className="link text-sm" href={hrefOf(record)} scroll={false}>
                  Open
                </Link>
              )}
              {isCurrent ? <span className="text-faint text-sm">this one</span> : null}
              {record.isByOrder ? (
                <Tooltip content={RESULT_BY_ORDER}>
                  <span className="text-faint text-sm">matched by order</span>
                </Tooltip>
              ) : null}
              <span className="ml-auto flex gap-2 text-faint text-sm">
                {gapMs === null ? null : <span>+{formatDuration(gapMs)}</span>}
                <RelativeTime at={record.occurredAt} look="clock" />
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The meaning of one record, in a word and a tone. */
function meaningOf(record: CallRecordView): { tone: Tone; label: string } {
  if (record.decision?.verdict === "none")
    return { tone: "unknown", label: capitalized(sourceWords(record.decision.source).label) };
  if (record.decision?.kind === "final") {
    const { tone, word } = verdictWords(record.decision.verdict);
    return { tone, label: `${word}: ${sourceWords(record.decision.source).label}` };
  }
  if (record.verdict !== "none") {
    const { tone, word } = verdictWords(record.verdict);
    return { tone, label: word };
  }
  if (record.isResponseRewritten)
    return { tone: "ask", label: record.toolError ? "Tool failed, response rewritten" : "Response rewritten" };
  if (record.event === "post_tool_use")
    return record.toolError ? { tone: "error", label: "Tool failed" } : { tone: "observe", label: "Tool ran" };
  if (record.event === "tool_response_transform")
    return { tone: "observe", label: record.toolError ? "Refusal sent to the model" : "Response" };
  if (record.origin === "report") return { tone: "observe", label: "Reported" };
  return { tone: "unknown", label: "No verdict" };
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
