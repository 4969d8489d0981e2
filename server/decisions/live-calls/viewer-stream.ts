/**
 * One viewer's stream of calls: what its filter finds among the changed calls, at most ten messages a second. What a
 * slow viewer has not read is limited: beyond the limit, it reads its list again.
 */
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../errors/app-error.ts";
import { type Pressure, REFRESH_WAIT_MS, YIELDS_AT } from "../../pressure/index.ts";
import type { DecisionFilters } from "../schema.ts";
import { asStored } from "../service.ts";
import { callFilter } from "./call-filter.ts";
import type { CallFollower } from "./follower.ts";
import { isFollowable, type LiveCall, type LiveCallsMessage } from "./schema.ts";
import type { WholeCall } from "./whole-calls.ts";

const INTERVAL_MS = 100;
/** A list is read again twice a second at most. */
const MISSED_PAUSE_MS = 500;
const UNSENT_MAX = 300;
/** Characters of the unsent reasons and arguments. */
const UNSENT_TEXT_MAX = 1_000_000;

export interface StreamSources {
  readonly callFollower: Pick<CallFollower, "follow">;
  readonly pressure: Pick<Pressure, "level" | "untilBelow">;
}

export interface CallViewer {
  readonly workspaceId: string;
  readonly filters: DecisionFilters;
}

/** Until `signal` ends it. Errors: `invalid_input` for filters that memory cannot follow; those of PostgreSQL. */
export async function* streamCalls(
  { callFollower, pressure }: StreamSources,
  { workspaceId, filters }: CallViewer,
  signal: AbortSignal,
): AsyncGenerator<LiveCallsMessage> {
  if (!isFollowable(filters))
    throw new AppError("invalid_input", undefined, { says: "Calls with these filters cannot be followed." });
  const unsent = createUnsent(filters);
  let wake: (() => void) | null = null;
  const stop = await callFollower.follow(workspaceId, (news) => {
    if (unsent.add(news)) wake?.();
  });
  const end = () => wake?.();
  signal.addEventListener("abort", end);
  try {
    yield { kind: "started" };
    while (!signal.aborted) {
      const message = unsent.take();
      if (message === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = null;
        continue;
      }
      yield message;
      const isMissed = message.kind === "missed";
      await delay(isMissed ? MISSED_PAUSE_MS : INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      // The follower reads rows more slowly while gates wait; so are lists read again.
      if (isMissed) await pressure.untilBelow(YIELDS_AT.refresh, REFRESH_WAIT_MS[pressure.level] ?? 0, signal);
    }
  } finally {
    signal.removeEventListener("abort", end);
    stop();
  }
}

/** The newest state of each call that waits to be sent. */
function createUnsent(filters: DecisionFilters) {
  const matchingIn = callFilter(asStored(filters));
  const unsent = new Map<string, { readonly call: LiveCall; readonly characters: number }>();
  let characters = 0;
  let isMissed = false;

  function miss(): void {
    unsent.clear();
    [characters, isMissed] = [0, true];
  }

  function keep(name: string, call: LiveCall): void {
    characters -= unsent.get(name)?.characters ?? 0;
    const own = call.decisions.reduce((sum, { reason, excerpt }) => sum + reason.length + excerpt.length, 0);
    unsent.set(name, { call, characters: own });
    characters += own;
    if (unsent.size > UNSENT_MAX || characters > UNSENT_TEXT_MAX) miss();
  }

  return {
    /** True if there is something to send. */
    add(news: readonly WholeCall[] | null): boolean {
      if (news === null) miss();
      for (const call of news ?? []) {
        if (isMissed) break;
        const matching = matchingIn(call);
        // Later decisions can end the outcome that a list shows.
        const mayLeave = filters.outcome.length > 0 && call.decisions.length > 1;
        if (matching.length > 0 || mayLeave) keep(call.name, liveCallOf(call, matching));
      }
      return isMissed || unsent.size > 0;
    },
    take(): LiveCallsMessage | null {
      const calls = [...unsent.values()].map(({ call }) => call);
      const message: LiveCallsMessage | null = isMissed
        ? { kind: "missed" }
        : calls.length > 0
          ? { kind: "calls", calls }
          : null;
      unsent.clear();
      [characters, isMissed] = [0, false];
      return message;
    },
  };
}

const liveCallOf = ({ decisions, request, ran, followUp }: WholeCall, matching: number[]): LiveCall => ({
  ...{ decisions, matching, request, ran, followUp },
});
