"use client";

import { ArrowRight } from "lucide-react";
import { interventionWords } from "@/components/compactions/labels";
import {
  afterMissingSays,
  costSays,
  nextTurnsWords,
  rateOf,
  rates,
  troubleSentence,
} from "@/components/compactions/measure-text";
import { TroubleMark } from "@/components/compactions/trouble-mark";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/cn";
import { formatShare, formatTokens, plural } from "@/components/ui/format/count";
import { Missing } from "@/components/ui/format/missing";
import { exactMoney } from "@/components/ui/format/nano";
import { KeyValue } from "@/components/ui/key-value";
import { Section } from "@/components/ui/section";
import { Hint } from "@/components/ui/tooltip";
import type { AttemptView, JoinedView, SessionContextView } from "@/server/compactions/schema";

/** The effect of the compaction: on the context, and on the work after it. */
export function Effect({ attempt, around }: { attempt: AttemptView; around: SessionContextView }) {
  const { joined, troubles } = around;
  return (
    <>
      <Section title="What it did">
        <KeyValue
          items={[
            { label: "Context", value: <Context attempt={attempt} joined={joined} /> },
            {
              label: "Model",
              value: joined.modelId || <Missing reason="No model calls were recorded for this session." />,
            },
            { label: "Hooks", value: <Hooks attempt={attempt} joined={joined} /> },
            {
              label: "Cost",
              value:
                joined.costNano === null ? (
                  <span className="text-muted">{costSays(joined.costState)}</span>
                ) : (
                  exactMoney(joined.costNano)
                ),
            },
            { label: "Secrets", value: <Secrets joined={joined} /> },
          ]}
        />
      </Section>
      {joined.nextTurns === "none" ? null : (
        <Section title="What came after" aside={nextTurnsWords(joined)}>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <TroubleMark isTroubled={joined.isTroubled} />
            <p className="min-w-48 flex-1">{troubleSentence(joined, troubles)}</p>
          </div>
          <Comparison joined={joined} troubles={troubles} />
        </Section>
      )}
    </>
  );
}

function Context({ attempt, joined }: { attempt: AttemptView; joined: JoinedView }) {
  const { tokensBefore } = attempt;
  const { tokensAfter, afterMissing } = joined;
  const before = tokensBefore === null ? <Missing reason="No event of the compaction reported token counts." /> : null;
  const share = tokensBefore !== null && tokensAfter !== null ? formatShare(tokensAfter, tokensBefore) : null;
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      {before ?? <span>{formatTokens(tokensBefore ?? 0n)} before</span>}
      <ArrowRight aria-hidden className="size-3.5 text-faint" />
      {tokensAfter === null ? (
        <span className="text-muted">{afterMissingSays(afterMissing)}</span>
      ) : (
        <Hint content="Context tokens of the first model call after the compaction: input, cached input and cache writes.">
          {formatTokens(tokensAfter)} after
        </Hint>
      )}
      {share === null ? null : <span className="text-muted">{share} remains</span>}
    </span>
  );
}

function Hooks({ attempt, joined }: { attempt: AttemptView; joined: JoinedView }) {
  const did =
    attempt.interventions.length === 0
      ? "no hook intervened"
      : attempt.interventions.map((one) => interventionWords[one].short).join(", ");
  return (
    <>
      {joined.hooksRun === 0 ? "no hook ran" : `${plural(joined.hooksRun, "hook")} ran, ${did}`}
      {joined.hooksFailed > 0 ? <span className="text-error">, {joined.hooksFailed} failed</span> : null}
    </>
  );
}

function Secrets({ joined: { secrets, secretRules } }: { joined: JoinedView }) {
  if (secrets === null) return <Missing reason="No summary." />;
  if (secrets === 0) return <>none found in the summary</>;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <span className="text-deny">{plural(secrets, "secret")} in the summary, masked:</span>
      {secretRules.length === 0 ? (
        <span className="text-muted">not counted at that time</span>
      ) : (
        secretRules.map(([rule, count]) => (
          <Badge key={rule} look="outline" mono>
            {count === 1 ? rule : `${rule} × ${count}`}
          </Badge>
        ))
      )}
    </span>
  );
}

function Comparison({ joined, troubles }: { joined: JoinedView; troubles: readonly string[] }) {
  const { before, after } = joined;
  return (
    <div className="overflow-x-auto rounded-md border">
      <table className="w-full text-sm">
        <thead className="bg-sunken text-left text-muted">
          <tr>
            <th className="px-3 py-1.5 font-medium">Out of</th>
            <th className="px-3 py-1.5 text-right font-medium">{plural(before.turns, "turn")} before</th>
            <th className="px-3 py-1.5 text-right font-medium">{plural(after.turns, "turn")} after</th>
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <tr key={rate.what} className="border-line border-t">
              <th scope="row" className="px-3 py-1.5 text-left font-normal">
                <Hint content={rate.says}>{rate.label}</Hint> <span className="text-faint">of {rate.out}</span>
              </th>
              <Rate of={rateOf(before, rate)} out={rate.out} />
              <Rate of={rateOf(after, rate)} out={rate.out} isWorse={troubles.includes(rate.what)} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Rate({ of, out, isWorse }: { of: ReturnType<typeof rateOf>; out: string; isWorse?: boolean }) {
  return (
    <td className={cn("whitespace-nowrap px-3 py-1.5 text-right", isWorse && "font-medium text-error")}>
      {of === null ? (
        <Missing reason={`No ${out}.`} />
      ) : (
        <>
          {isWorse ? "▲ " : ""}
          {of.text} <span className={isWorse ? "" : "text-faint"}>{of.share}</span>
        </>
      )}
    </td>
  );
}
