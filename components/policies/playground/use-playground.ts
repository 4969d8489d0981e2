"use client";

import { contractOf, EVENTS, type EventName, LANES, type Lane, type Profile } from "@quarterdeck/hooks/contract/events";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { sampleInput } from "@quarterdeck/hooks/contract/input-fields";
import { useQuery } from "@tanstack/react-query";
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { type ReadInput, readInput } from "@/components/policies/playground/read-input";
import { type Runs, useRuns } from "@/components/policies/playground/use-runs";
import { useTRPC } from "@/components/trpc/client";
import { type DecisionKey, decisionKey } from "@/server/decisions/schema";
import type { PlaygroundSubject, RecordedInput } from "@/server/playground/schema";
import type { PolicyDetailView } from "@/server/policies/schema";
import { eventKeyText, parseEventKey } from "@/server/recording/event-key-schema";

/** The text that a run is against: `draft`, `live`, or a revision by its number. */
export type Against = "draft" | "live" | `${number}`;

export interface PlaygroundState {
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
  readonly event: EventName;
  readonly lane: Lane;
  /** Replaces the input with a sample of the new event. */
  setEvent(event: EventName): void;
  setLane(lane: Lane): void;
  /** The input as JSON text, and what can be read of it. */
  readonly text: string;
  readonly input: ReadInput;
  setText(text: string): void;
  /** The dispatch the input is from; undefined while it is fetched. */
  readonly recorded: RecordedInput | null | undefined;
  readonly recordedFailure: unknown;
  takeRecorded(key: DecisionKey & { readonly event: string; readonly lane: string }): void;
  /** Everything that binds this agent is run too. */
  readonly besideAgentId: string | null;
  setBeside(agentId: string | null): void;
  readonly against: Against;
  readonly versus: Against | null;
  setAgainst(against: Against): void;
  setVersus(versus: Against | null): void;
  readonly askJudges: boolean;
  setAskJudges(ask: boolean): void;
  readonly runAgentHooks: boolean;
  setRunAgentHooks(run: boolean): void;
  readonly runs: Runs;
  run(): void;
}

const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]]; // holds: the table's own keys

/** The playground of a policy. Its state is in the URL, so that a link shares it. */
export function usePlayground(
  policy: PolicyDetailView,
  draftText: string,
  profile: Profile,
  firstEvent?: string,
): PlaygroundState {
  const [isOpen, setOpen] = useQueryState("try", parseAsBoolean.withDefault(false));
  const [askedEvent, setAskedEvent] = useQueryState("event", parseAsStringLiteral(EVENT_NAMES));
  const [askedLane, setAskedLane] = useQueryState("lane", parseAsStringLiteral(LANES));
  const [dispatch, setDispatch] = useQueryState("dispatch", parseAsString);
  const [beside, setBeside] = useQueryState("beside", parseAsString);
  const [on, setOn] = useQueryState("on", parseAsString.withDefault("draft"));
  const [versus, setVersus] = useQueryState("versus", parseAsString);
  const [typed, setTyped] = useState<string | null>(null);
  const [askJudges, setAskJudges] = useState(false);
  const [runAgentHooks, setRunAgentHooks] = useState(false);
  const runs = useRuns();

  const { recorded, recordedFailure } = useRecordedInput(dispatch, isOpen);
  const event = askedEvent ?? known(recorded?.event) ?? known(firstEvent) ?? "pre_tool_use";
  const hasLanes = contractOf(event, profile).hasPreemptLane;
  const lane = hasLanes ? (askedLane ?? (recorded?.lane === "preempt_yolo" ? "preempt_yolo" : "default")) : "default";
  const start = useStart(recorded, event);
  const text = typed ?? start;
  const input = useMemo(() => readInput(text), [text]);
  const besideAgentId = UUID.test(beside ?? "") ? beside : null;

  return {
    isOpen,
    setOpen: (next) => void setOpen(next ? true : null),
    event,
    lane,
    setEvent(next) {
      setTyped(null);
      void setDispatch(null);
      void setAskedLane(null);
      void setAskedEvent(next);
    },
    setLane: (next) => void setAskedLane(next === "default" ? null : next),
    text,
    input,
    setText: setTyped,
    recorded,
    recordedFailure,
    takeRecorded(next) {
      setTyped(null);
      void setAskedEvent(known(next.event) ?? null);
      void setAskedLane(next.lane === "preempt_yolo" ? "preempt_yolo" : null);
      void setDispatch(eventKeyText(next));
    },
    besideAgentId,
    setBeside: (next) => void setBeside(next),
    against: againstOf(on),
    versus: versus === null ? null : againstOf(versus),
    setAgainst: (next) => void setOn(next === "draft" ? null : next),
    setVersus: (next) => void setVersus(next),
    askJudges,
    setAskJudges,
    runAgentHooks,
    setRunAgentHooks,
    runs,
    run() {
      if (!input.value || input.problems.length > 0) return;
      const sides = versus === null ? [againstOf(on)] : [againstOf(on), againstOf(versus)];
      const common = { event, lane, input: text, askJudges, runAgentHooks };
      const asked = { ...(besideAgentId !== null && { besideAgentId }), ...common };
      runs.start(
        sides.map((side) => ({
          label: againstWords(side),
          asked: { policyId: policy.id, subject: subjectOf(side, draftText), ...asked },
        })),
      );
    },
  };
}

/** The dispatch that the input is from, by its key in the address. */
function useRecordedInput(dispatch: string | null, isOpen: boolean) {
  const trpc = useTRPC();
  const key = parseEventKey(dispatch, decisionKey);
  const found = useQuery({
    ...trpc.playground.recordedInput.queryOptions(key ?? NO_KEY),
    enabled: isOpen && key !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { recorded: key === null ? null : found.data, recordedFailure: found.error };
}

/** The input before anything is typed: the recorded one, or the sample of the event. */
function useStart(recorded: RecordedInput | null | undefined, event: EventName): string {
  const text = recorded?.event === event ? recorded.input : undefined;
  return useMemo(() => (text === undefined ? pretty(sampleInput(event)) : indented(text)), [text, event]);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_KEY = { occurredAt: new Date("2000-01-01T00:00:00Z"), id: "00000000-0000-0000-0000-000000000000" };

const known = (event: string | undefined): EventName | undefined =>
  event !== undefined && Object.hasOwn(EVENTS, event) ? (event as EventName) : undefined; // holds: an own key of EVENTS

const againstOf = (text: string): Against =>
  text === "live" ? "live" : /^[1-9]\d{0,8}$/.test(text) ? (text as Against) : "draft"; // holds: digits alone

export function againstWords(against: Against): string {
  if (against === "draft") return "Your draft";
  return against === "live" ? "In force" : `Revision ${against}`;
}

export function subjectOf(against: Against, source: string): PlaygroundSubject {
  if (against === "draft") return { kind: "text", source };
  return against === "live" ? { kind: "live" } : { kind: "revision", number: Number(against) };
}

const pretty = (value: unknown): string => printExactJson(value, 2);

function indented(json: string): string {
  try {
    return pretty(parseExactJson(json));
  } catch {
    return json;
  }
}
