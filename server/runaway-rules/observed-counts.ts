/**
 * Counts in the memory of this process, for policies in shadow mode. Their findings bind no agent, so no database keeps
 * them, and each gateway counts only the calls that it received.
 */
import { LRUCache } from "lru-cache";
import type { CallCounts, CountedCall, ToolOutcome } from "./repository.ts";

const SESSIONS_MAX = 500;
/** Calls, and outcomes, of one session. */
const KEPT_MAX = 200;

interface Counted {
  readonly digest: bigint;
  readonly atMs: number;
}

/** The calls that one observed policy saw. */
interface ObservedCalls {
  /** Seconds since each like call, this one included, the newest first. */
  count(call: CountedCall): readonly number[];
}

export function createObservedCalls(nowMs: () => number): ObservedCalls {
  const bySession = new LRUCache<string, Counted[]>({ max: SESSIONS_MAX });
  return {
    count(call) {
      const kept = remember(bySession, sessionKey(call), { digest: call.call, atMs: nowMs() });
      return agesOf(
        kept.filter(({ digest }) => digest === call.call),
        nowMs(),
      );
    },
  };
}

/** The outcomes of tools that this process received, for all observed policies. */
interface ObservedOutcomes {
  note(outcome: ToolOutcome): void;
  /** Seconds since each failure of the call's tool after its last success, the newest first. */
  failureAges(call: CountedCall): CallCounts["failureAges"];
}

export function createObservedOutcomes(nowMs: () => number): ObservedOutcomes {
  const bySession = new LRUCache<string, (Counted & { readonly isFailure: boolean })[]>({ max: SESSIONS_MAX });
  return {
    note(outcome) {
      const { tool, isFailure } = outcome;
      remember(bySession, sessionKey(outcome), { digest: tool, atMs: nowMs(), isFailure });
    },
    failureAges(call) {
      const ofTool = (bySession.get(sessionKey(call)) ?? []).filter(({ digest }) => digest === call.tool);
      const inRow = ofTool.slice(ofTool.findLastIndex(({ isFailure }) => !isFailure) + 1);
      return agesOf(inRow, nowMs());
    },
  };
}

const sessionKey = ({ agent, session }: Pick<CountedCall, "agent" | "session">): string =>
  `${agent} ${session.toString("base64")}`;

function remember<T>(bySession: LRUCache<string, T[]>, key: string, one: T): readonly T[] {
  const kept = bySession.get(key) ?? [];
  kept.push(one);
  if (kept.length > KEPT_MAX) kept.shift();
  bySession.set(key, kept);
  return kept;
}

const agesOf = (counted: readonly Counted[], nowMs: number): readonly number[] =>
  counted.map(({ atMs }) => (nowMs - atMs) / 1_000).toReversed();
