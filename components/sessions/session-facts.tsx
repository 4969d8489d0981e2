"use client";

import { gapSentences } from "@/components/coverage/gap-text";
import { StateMark } from "@/components/sessions/columns";
import { Spent } from "@/components/sessions/spent";
import { SessionEvidence } from "@/components/tool-call/evidence-action";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Link } from "@/components/ui/link";
import { Mark } from "@/components/ui/mark";
import { type OutlineView, timelineHref } from "@/server/sessions/schema";

/** The facts of a session, in two lines above its timeline. */
export function SessionFacts({ outline }: { outline: OutlineView }) {
  const { session, lanes, ancestors } = outline;
  const own = lanes[0];
  const parent = ancestors.at(-1);
  const below = lanes.length - 1;
  return (
    <section aria-label="The session" className="flex shrink-0 flex-col gap-1.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {session.state === "ended" ? null : <StateMark session={session} />}
        <span className="font-medium">{session.agentName}</span>
        <span className="flex min-w-0 items-center gap-1">
          <code className="min-w-0 truncate text-muted text-sm">{session.sessionId}</code>
          <CopyButton text={session.sessionId} label="Copy session ID" size="sm" />
        </span>
        {parent === undefined ? null : (
          <Link className="link text-sm" href={timelineHref({ agentId: session.agentId, sessionId: parent })}>
            its parent session
          </Link>
        )}
        <SessionEvidence session={session} />
        <span className="text-muted text-sm max-sm:basis-full max-sm:truncate">
          began <RelativeTime at={session.firstAt} look="clock" />, lasted{" "}
          {formatDuration(session.lastAt.getTime() - session.firstAt.getTime())}
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <span>{plural(session.events, "event")}</span>
        <span className={session.turns ? "" : "text-faint"}>
          {session.turns === null
            ? "turns not counted"
            : session.turns === 0
              ? "no turn reported"
              : plural(session.turns, "turn")}
        </span>
        <span className={session.denied > 0 ? "text-deny" : "text-muted"}>{plural(session.denied, "call")} denied</span>
        <span className="text-muted">{plural(session.compactions, "compaction")}</span>
        {own ? (
          <span>
            <Spent of={own.own} /> own
            {below > 0 ? (
              <>
                {" · "}
                <Spent of={own.tree} /> with {plural(below, "sub-session")}
              </>
            ) : null}
            {own.tree.calls === 0 ? null : (
              <span className="text-faint">
                {" "}
                · {formatCount(own.tree.calls - own.tree.unpriced)} of {plural(own.tree.calls, "call")} priced
              </span>
            )}
          </span>
        ) : null}
        <Seen outline={outline} />
      </div>
      <RuleMarks outline={outline} />
    </section>
  );
}

/** The marks that rules set here or on a session above. */
function RuleMarks({ outline: { ruleMarks, session } }: { outline: OutlineView }) {
  if (ruleMarks.length === 0) return null;
  return (
    <section aria-label="Marks" className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
      <h2 className="text-muted">Marks set by rules</h2>
      <ul className="contents">
        {ruleMarks.map(({ mark, sessionId, agentName, setAt }) => (
          <li key={`${sessionId} ${mark}`} className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
            <Badge look="outline" mono>
              {mark}
            </Badge>
            <span className="text-muted">
              set <RelativeTime at={setAt} /> by {agentName}
              {sessionId === session.sessionId ? (
                ""
              ) : (
                <>
                  {" "}
                  in{" "}
                  <Link className="link" href={timelineHref({ agentId: session.agentId, sessionId })}>
                    a session above
                  </Link>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="basis-full text-faint">{MARKS_HELP}</p>
    </section>
  );
}

const MARKS_HELP =
  'A rule with "after" looks for a mark that is not older than its "within". A mark is removed 30 days after it was last set.';

function Seen({ outline: { seen, seenEvents, session } }: { outline: OutlineView }) {
  if (seen === null) return <span className="text-faint">not checked for gaps yet</span>;
  // Events that seem to be missing of a part may be in the rest.
  if (seenEvents !== session.events)
    return (
      <span className="text-faint">
        {formatCount(seenEvents)} of {plural(session.events, "event")} checked for gaps
      </span>
    );
  const gaps = gapSentences(seen);
  if (gaps.length === 0)
    return (
      <span className="text-muted">
        no gap found{seen.underWay > 0 ? `, ${formatCount(seen.underWay)} under way` : ""}
      </span>
    );
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <Mark tone="unknown" label="Missing events" />
      <span>{gaps.join(", ")}</span>
    </span>
  );
}
