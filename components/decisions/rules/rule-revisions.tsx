"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { changeSentences, comparedLines } from "@/components/decisions/rules/revision-text";
import type { TimeRange } from "@/components/layout/time-range/range";
import { useTRPC } from "@/components/trpc/client";
import { failureSentence } from "@/components/trpc/failure";
import { Badge } from "@/components/ui/badge";
import { ErrorLine } from "@/components/ui/error-state";
import { formatCount, formatShare, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { Missing } from "@/components/ui/format/missing";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonText } from "@/components/ui/skeleton";
import type { RevisionLine, RuleRevisions as Revisions, RunFigures } from "@/server/decisions/rules/revision-schema";
import type { RuleKey } from "@/server/decisions/rules/schema";

/** The figures of a rule by the revision of its policy, and the newest compared with the one before it. */
export function RuleRevisions({ rule, range: { from, to } }: { rule: RuleKey; range: TimeRange }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.rules.revisions.queryOptions({ from, to, rule }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="By revision" aside="in this range">
      {query.data ? (
        <Figures view={query.data} />
      ) : query.isError ? (
        <ErrorLine>{failureSentence(query.error)}</ErrorLine>
      ) : (
        <SkeletonText lines={3} />
      )}
    </Section>
  );
}

function Figures({ view }: { view: Revisions }) {
  const { lines, earlier, uncounted } = view;
  const compared = comparedLines(view);
  if (lines.length === 0 && earlier === null && uncounted.fired === 0)
    return <p className="text-muted text-sm">No revision of this policy has run the rule in this range.</p>;
  return (
    <>
      {lines.length === 0 && earlier === null ? null : <Lines view={view} />}
      {compared === null ? null : <Comparison lines={compared} />}
      {uncounted.fired > 0 ? (
        <p className="text-muted text-sm">
          {plural(uncounted.fired, "run")} in this range {uncounted.fired === 1 ? "has" : "have"} no revision.{" "}
          {uncounted.countedSince === null ? null : (
            <>
              Runs are counted by revision since <RelativeTime at={uncounted.countedSince} />.
            </>
          )}
        </p>
      ) : null}
    </>
  );
}

function Comparison({ lines: [now, before] }: { lines: readonly [RevisionLine, RevisionLine] }) {
  return (
    <div className="rounded-md border bg-surface p-3 text-sm">
      <h3 className="font-semibold">
        Revision {now.revision} compared with revision {before.revision}
      </h3>
      <ul aria-label={`Changes from revision ${before.revision} to revision ${now.revision}`}>
        {changeSentences(now, before).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

const COLUMNS = ["Runs", "Denied", "p50", "p95"];

function Lines({ view: { lines, earlier } }: { view: Revisions }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="inset-focus overflow-x-auto" tabIndex={0} aria-label="Figures by revision">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-faint">
            <th className="py-1 pr-4 font-normal">Revision</th>
            {COLUMNS.map((name) => (
              <th key={name} className="whitespace-nowrap py-1 pl-4 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.revision} className="border-line border-t">
              <th scope="row" className="py-1 pr-4 text-left font-normal">
                <Name line={line} />
              </th>
              <Cells figures={line} />
            </tr>
          ))}
          {earlier === null ? null : (
            <tr className="border-line border-t">
              <th scope="row" className="py-1 pr-4 text-left font-normal">
                Earlier
              </th>
              <Cells figures={earlier} />
            </tr>
          )}
        </tbody>
      </table>
    </section>
  );
}

function Name({ line: { revision, state, inForceSince, publishedAt } }: { line: RevisionLine }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span className="font-medium">{revision}</span>
      {state === "live" ? <Badge>in force</Badge> : null}
      {state === "canary" ? <Badge>canary</Badge> : null}
      <span className="text-muted">
        {inForceSince !== null ? (
          <>
            since <RelativeTime at={inForceSince} />
          </>
        ) : publishedAt !== null ? (
          <>
            published <RelativeTime at={publishedAt} />
          </>
        ) : (
          "not published in this workspace"
        )}
      </span>
    </span>
  );
}

function Cells({ figures: { fired, outcomes, latency } }: { figures: RunFigures }) {
  const denied = outcomes.denied ?? 0;
  const ms = (value: number | null) =>
    value === null ? <Missing reason="The revision has no measured run in this range." /> : formatDuration(value);
  const values = [
    fired === 0 ? "none" : formatCount(fired),
    fired === 0 ? "—" : denied === 0 ? "0" : `${formatCount(denied)} · ${formatShare(denied, fired)}`,
    ms(latency.p50),
    ms(latency.p95),
  ];
  return values.map((value, index) => (
    <td key={COLUMNS[index]} className="whitespace-nowrap py-1 pl-4 text-right">
      {value}
    </td>
  ));
}
