/** The comparison of a revision with the one before it, in sentences. Pure. */
import { formatShare, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import type { RevisionLine, RuleRevisions } from "@/server/decisions/rules/revision-schema";

/** The newest revision in force, else the newest that ran, with the one before it. Null without two revisions. */
export function comparedLines({ lines }: Pick<RuleRevisions, "lines">): readonly [RevisionLine, RevisionLine] | null {
  const at = Math.max(
    0,
    lines.findIndex(({ state }) => state !== "past"),
  );
  const [now, before] = [lines[at], lines[at + 1]];
  return now && before ? [now, before] : null;
}

/** The changes of `now` against `before`; one sentence that says why where one of them did not run. */
export function changeSentences(now: RevisionLine, before: RevisionLine): readonly string[] {
  const idle = [now, before].filter(({ fired }) => fired === 0).map(({ revision }) => revision);
  if (idle.length > 0)
    return [
      `No comparison: ${idle.length === 1 ? `revision ${idle[0]} has` : `revisions ${idle.join(" and ")} have`} not run in this range.`,
    ];
  return [denials(now, before), latency("p50", now, before), latency("p95", now, before)].filter((one) => one !== null);
}

const deniedOf = ({ outcomes }: RevisionLine): number => outcomes.denied ?? 0;

function denials(now: RevisionLine, before: RevisionLine): string {
  const shares = [now, before].map((line) => (deniedOf(line) / line.fired) * 100);
  const points = Number(((shares[0] ?? 0) - (shares[1] ?? 0)).toFixed(1));
  const words = (line: RevisionLine) => `${formatShare(deniedOf(line), line.fired)} of ${plural(line.fired, "run")}`;
  const text = `Denied: ${words(now)}, before ${words(before)}`;
  if (points === 0) return `${text}. The share is the same.`;
  return `${text}. The share ${points > 0 ? "rose" : "fell"} by ${pointsText(Math.abs(points))}.`;
}

const pointsText = (points: number): string => `${points} percentage point${points === 1 ? "" : "s"}`;

function latency(name: "p50" | "p95", now: RevisionLine, before: RevisionLine): string | null {
  const [is, was] = [now.latency[name], before.latency[name]];
  if (is === null || was === null) return null;
  if (is === was) return `${name}: ${formatDuration(is)}, the same as before.`;
  const percent = Math.round((Math.abs(is - was) / was) * 100);
  return `${name}: ${formatDuration(is)}, before ${formatDuration(was)}: ${percent} % ${is > was ? "slower" : "faster"}.`;
}
