"use client";

import type { EventContract } from "@quarterdeck/hooks/contract/events";
import { ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { HookNode } from "@/components/policies/document/tree";
import { ASK_WORDS } from "@/components/policies/form/ask-place";
import { useAskPlace } from "@/components/policies/form/ask-place-context";
import { HookCard } from "@/components/policies/form/hook-card";
import { OpenRuleContext } from "@/components/policies/form/rules/open-rule";
import { useSentenceFacts } from "@/components/policies/sentences/facts-context";
import { findGap, gapText, type RulePlace, resultText } from "@/components/policies/sentences/rule-facts";
import { ended, hookSentences, type RuleSentence } from "@/components/policies/sentences/rule-sentence";
import type { OpenHooks } from "@/components/policies/sentences/use-open-hooks";
import { cn } from "@/components/ui/cn";
import { ErrorLine } from "@/components/ui/error-state";
import { useNow } from "@/components/ui/format/clock";
import { plural } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import { toneLook } from "@/components/ui/tone";
import type { PolicyProblem } from "@/server/policies/schema";

const AGE_STEP_MS = 60_000;

export interface HookSentencesProps {
  hook: HookNode;
  event: string;
  /** Undefined on events without matchers. */
  matcher: string | undefined;
  isEarly: boolean;
  contract: EventContract | null;
  index: number;
  of: number;
  problems: readonly PolicyProblem[];
  opened: OpenHooks;
  /** The fields that all hooks of the entry share; shown above the form of the hook. */
  settings?: ReactNode;
}

/** One hook as sentences, with its results. A sentence opens the form of its hook and rule. */
export function HookSentences({
  hook,
  event,
  matcher,
  isEarly,
  contract,
  index,
  of,
  problems,
  opened,
  settings = null,
}: HookSentencesProps) {
  const { clients } = useSentenceFacts();
  const formId = useId();
  const sentences = hookSentences(hook, { event, matcher }, clients);
  const ruleAt = opened.ruleAt(hook);
  const isOpen = ruleAt !== null || sentences.length === 0;
  const place = { event, matcher, isEarly, fields: hook.fields };
  return (
    <div className="flex flex-col gap-2" data-hook-sentences>
      {sentences.length === 0 ? null : (
        <div className="rounded-md border border-line bg-surface">
          <ul aria-label={nameOf(hook)} className="divide-y divide-line">
            {sentences.map((sentence, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may have the same sentence, and their order is their place.
              <li key={at}>
                <SentenceButton
                  sentence={sentence}
                  isOpen={isOpen}
                  formId={formId}
                  onToggle={() => opened.toggle(hook, at)}
                />
              </li>
            ))}
          </ul>
          <HookResult place={place} name={nameOf(hook)} rules={sentences.length} />
          {!isOpen && problems.length > 0 ? (
            <ErrorLine className="px-3 pb-2">{problems[0]?.message ?? ""}</ErrorLine>
          ) : null}
        </div>
      )}
      <div id={formId}>
        {isOpen ? (
          <div className="flex flex-col gap-3">
            {settings}
            <OpenRuleContext value={ruleAt}>
              <HookCard hook={hook} event={event} contract={contract} index={index} of={of} problems={problems} />
            </OpenRuleContext>
          </div>
        ) : null}
      </div>
    </div>
  );
}

const nameOf = ({ fields }: HookNode): string =>
  typeof fields.name === "string" && fields.name !== "" ? fields.name : String(fields.type ?? "hook");

interface SentenceButtonProps {
  sentence: RuleSentence;
  isOpen: boolean;
  formId: string;
  onToggle: () => void;
}

function SentenceButton({ sentence, isOpen, formId, onToggle }: SentenceButtonProps) {
  const { when, tools, verdict, what, reason } = sentence;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={formId}
      onClick={onToggle}
      className="flex w-full items-start gap-2 rounded-md px-3 py-2 text-left hover:bg-hover"
    >
      <ChevronRight aria-hidden className={cn("mt-0.5 size-3.5 shrink-0 text-faint", isOpen && "rotate-90")} />
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        <span className="text-muted">
          {when}
          {tools.length > 0 ? (
            <>
              {" ("}
              <code>{tools.join(", ")}</code>
              {")"}
            </>
          ) : null}
          {": "}
        </span>
        {verdict === null ? null : <VerdictWord verdict={verdict} />}
        <span className="font-medium">{ended(what)}</span>
        {reason === "" ? null : <span className="text-muted"> “{reason}”</span>}
      </span>
    </button>
  );
}

const VERDICTS = {
  deny: { word: "deny", tone: "deny" },
  ask: { word: "ask about", tone: "ask" },
  allow: { word: "allow", tone: "allow" },
} as const satisfies Record<string, { word: string; tone: Tone }>;

function VerdictWord({ verdict }: { verdict: keyof typeof VERDICTS }) {
  const { word, tone } = VERDICTS[verdict];
  const askPlace = useAskPlace();
  const { icon: Icon, text } = toneLook[tone];
  return (
    <>
      <strong className={cn("font-semibold", text)}>
        <Icon aria-hidden className="mr-1 mb-0.5 inline size-3" strokeWidth={2.5} />
        {verdict === "ask" && askPlace ? ASK_WORDS[askPlace.place] : word}
      </strong>{" "}
    </>
  );
}

function HookResult({ place, name, rules }: { place: RulePlace; name: string; rules: number }) {
  const facts = useSentenceFacts();
  const now = useNow(AGE_STEP_MS);
  const result = resultText(place, facts, now);
  const gap = findGap(place, facts);
  const prefix = rules > 1 ? `${plural(rules, "rule")} of ${name}` : name;
  return (
    <div className="flex flex-col gap-0.5 px-3 pb-2 pl-8.5 text-sm">
      <p className="text-muted [overflow-wrap:anywhere]">
        {prefix}
        {result === null ? null : ` · ${result}`}
      </p>
      {gap === undefined ? null : <p className="text-deny [overflow-wrap:anywhere]">{gapText(gap)}</p>}
    </div>
  );
}
