import { GateTitle } from "@/components/decisions/gate-title";
import { cn } from "@/components/ui/cn";
import { formatDuration } from "@/components/ui/format/duration";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type Tone, toneLook } from "@/components/ui/tone";
import { type SiblingView, sourceWords, verdictWords } from "@/server/decisions/schema";

export interface CallTimelineProps {
  siblings: readonly SiblingView[];
  /** The decision the drawer shows. */
  currentId: string;
  /** The URL of another decision on the same call. */
  hrefOf: (sibling: SiblingView) => string;
}

/** Everything recorded about one tool call, in order, with the time between. */
export function CallTimeline({ siblings, currentId, hrefOf }: CallTimelineProps) {
  return (
    <ol className="flex flex-col">
      {siblings.map((sibling, index) => {
        const { tone, label } = meaningOf(sibling);
        const before = siblings[index - 1];
        const gapMs = before ? sibling.occurredAt.getTime() - before.occurredAt.getTime() : null;
        const isCurrent = sibling.id === currentId;
        const isLast = index === siblings.length - 1;
        return (
          <li key={`${sibling.occurredAt.getTime()}.${sibling.id}`} className="relative flex gap-3 pb-3 last:pb-0">
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
              <GateTitle {...sibling} className={cn(isCurrent && "font-semibold")} />
              <Mark tone={tone} label={label} />
              {sibling.decision === null || isCurrent ? null : (
                <Link className="link text-sm" href={hrefOf(sibling)} scroll={false}>
                  Open
                </Link>
              )}
              {isCurrent ? <span className="text-faint text-sm">this one</span> : null}
              <span className="ml-auto flex gap-2 text-faint text-sm">
                {gapMs === null ? null : <span>+{formatDuration(gapMs)}</span>}
                <RelativeTime at={sibling.occurredAt} look="clock" />
              </span>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The meaning of one record, in a word and a tone. */
function meaningOf(sibling: SiblingView): { tone: Tone; label: string } {
  if (sibling.decision?.verdict === "none")
    return { tone: "unknown", label: capitalized(sourceWords(sibling.decision.source).label) };
  if (sibling.decision?.kind === "final") {
    const { tone, word } = verdictWords(sibling.decision.verdict);
    return { tone, label: `${word}: ${sourceWords(sibling.decision.source).label}` };
  }
  if (sibling.verdict !== "none") {
    const { tone, word } = verdictWords(sibling.verdict);
    return { tone, label: word };
  }
  if (sibling.event === "post_tool_use")
    return sibling.toolError ? { tone: "error", label: "Tool failed" } : { tone: "observe", label: "Tool ran" };
  if (sibling.event === "tool_response_transform")
    return { tone: "observe", label: sibling.toolError ? "Refusal sent to the model" : "Response" };
  if (sibling.origin === "report") return { tone: "observe", label: "Reported" };
  return { tone: "unknown", label: "No verdict" };
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
