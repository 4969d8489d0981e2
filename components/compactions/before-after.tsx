"use client";

import type { ReactNode } from "react";
import { cn } from "@/components/ui/cn";
import { formatCount, plural } from "@/components/ui/format/count";
import { RelativeTime } from "@/components/ui/format/relative-time";
import { Mark } from "@/components/ui/mark";
import { Section } from "@/components/ui/section";
import type { RecallLevel, SessionContextView } from "@/server/compactions/schema";

/** The known facts of the session before the compaction, each marked as kept or lost, next to the summary. */
export function BeforeAndAfter({ around, children }: { around: SessionContextView | undefined; children: ReactNode }) {
  const { prompts = [], files = [], commands = [], openErrors = [], tools = [] } = around ?? {};
  const isKnown = [prompts, files, commands, openErrors, tools].some((list) => list.length > 0);
  if (!isKnown && children === null) return null;
  return (
    <div className={cn("grid gap-6", children !== null && isKnown && "xl:grid-cols-2")}>
      {around && isKnown ? <Before around={around} /> : null}
      {children}
    </div>
  );
}

function Before({ around }: { around: SessionContextView }) {
  const { prompts, files, commands, openErrors, tools, events, isCut } = around;
  const aside = isCut ? `the last ${formatCount(events)} events` : `from ${plural(events, "event")}`;
  return (
    <Section title="Before compaction" aside={aside}>
      <div className="flex flex-col gap-4 rounded-md border bg-surface px-4 py-3">
        <Facts title="Asked" of={prompts} keyOf={({ at, text }) => `${at.getTime()} ${text}`}>
          {({ text, at }) => (
            <>
              <span className="line-clamp-3 break-words">{text}</span>
              <RelativeTime at={at} className="text-faint text-xs" />
            </>
          )}
        </Facts>
        <Facts title="Open errors" of={openErrors} keyOf={({ at, what }) => `${at.getTime()} ${what}`}>
          {({ tool, what, error }) => (
            <>
              <span className="break-all">
                <span className="text-muted">{tool}</span> <code>{what}</code>
              </span>
              {error === "" ? null : <span className="line-clamp-2 break-words text-error text-xs">{error}</span>}
            </>
          )}
        </Facts>
        <Facts title="Files" of={files} keyOf={({ path }) => path} shown={12}>
          {({ path, calls }) => (
            <span className="break-all">
              <code>{path}</code> <span className="text-faint text-xs">{plural(calls, "call")}</span>
            </span>
          )}
        </Facts>
        <Facts title="Commands" of={commands} keyOf={({ command }) => command} shown={8}>
          {({ command, calls }) => (
            <span className="line-clamp-2 break-all">
              <code>{command}</code> {calls > 1 ? <span className="text-faint text-xs">{calls} times</span> : null}
            </span>
          )}
        </Facts>
        {tools.length === 0 ? null : (
          <div className="flex flex-col gap-1">
            <h3 className="text-muted text-sm">Tools</h3>
            <p className="text-sm">
              {tools.map(({ tool, calls, failed }, index) => (
                <span key={tool}>
                  {index === 0 ? "" : ", "}
                  {tool} {formatCount(calls)}
                  {failed > 0 ? <span className="text-error"> ({formatCount(failed)} failed)</span> : null}
                </span>
              ))}
            </p>
          </div>
        )}
      </div>
      <p className="text-faint text-xs">
        Matches exact text: a path or file name, a command or its first two words, most of a text's longer words.
        Paraphrased content counts as lost.
      </p>
    </Section>
  );
}

interface FactsProps<Fact> {
  title: string;
  of: readonly Fact[];
  keyOf: (fact: Fact) => string;
  shown?: number;
  children: (fact: Fact) => ReactNode;
}

function Facts<Fact extends { recalled: RecallLevel }>({ title, of, keyOf, shown = 5, children }: FactsProps<Fact>) {
  if (of.length === 0) return null;
  const kept = of.filter(({ recalled }) => recalled === "whole" || recalled === "part").length;
  const isJudged = of.some(({ recalled }) => recalled !== null);
  const line = (fact: Fact) => (
    <li key={keyOf(fact)} className="flex items-start gap-2">
      <RecalledMark recalled={fact.recalled} />
      <span className="flex min-w-0 flex-col">{children(fact)}</span>
    </li>
  );
  return (
    <div className="flex flex-col gap-1">
      <h3 className="text-muted text-sm">
        {title}
        {isJudged ? <span className="text-faint">{` · ${kept} of ${of.length} found in the summary`}</span> : null}
      </h3>
      <ul className="flex flex-col gap-1 text-sm">{of.slice(0, shown).map(line)}</ul>
      {of.length > shown ? (
        <details>
          <summary className="text-faint text-xs">{`${of.length - shown} more`}</summary>
          <ul className="mt-1 flex flex-col gap-1 text-sm">{of.slice(shown).map(line)}</ul>
        </details>
      ) : null}
    </div>
  );
}

function RecalledMark({ recalled }: { recalled: RecallLevel }) {
  if (recalled === null) return null;
  const [tone, label] =
    recalled === "whole"
      ? (["allow", "Kept"] as const)
      : recalled === "part"
        ? (["observe", "In part"] as const)
        : (["ask", "Lost"] as const);
  return (
    <span className="w-[72px] shrink-0">
      <Mark tone={tone} label={label} />
    </span>
  );
}
