/**
 * One viewer's stream of calls: what its filter finds among the changed calls, at most twenty messages a second. What a
 * slow viewer has not read is limited: beyond the limit, it reads its list again.
 */
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../../errors/app-error.ts";
import { type Pressure, REFRESH_WAIT_MS, YIELDS_AT } from "../../pressure/index.ts";
import type { DecisionFilters } from "../schema.ts";
import { asStored } from "../service.ts";
import { callFilter } from "./call-filter.ts";
import type { CallFollower, CallNews } from "./follower.ts";
import { createGaps } from "./gaps.ts";
import { isFollowable, type LiveCall, type LiveCallsMessage } from "./schema.ts";
import type { WholeCall } from "./whole-calls.ts";

const INTERVAL_MS = 50;
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
  let wake: (() => void) | null = null;
  const unsent = createUnsent(filters, () => wake?.());
  const stop = await callFollower.follow(workspaceId, unsent.add);
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
      if (message.kind === "pace") continue;
      await delay(INTERVAL_MS, undefined, { signal }).catch(() => undefined);
      // The follower reads rows more slowly while gates wait; so are lists read again.
      if (message.kind === "missed")
        await pressure.untilBelow(YIELDS_AT.refresh, REFRESH_WAIT_MS[pressure.level] ?? 0, signal);
    }
  } finally {
    signal.removeEventListener("abort", end);
    stop();
    unsent.close();
  }
}

/** The newest state of each call that waits to be sent. `onNews`: there is something to send. */
function createUnsent(filters: DecisionFilters, onNews: () => void) {
  const matchingIn = callFilter(asStored(filters));
  const unsent = new Map<string, { readonly call: LiveCall; readonly characters: number }>();
  let characters = 0;
  let isMissed = false;
  const slowed = { follower: false, own: false, sent: false };
  const isSlowed = () => slowed.follower || slowed.own;
  /** Gaps of this viewer, who reads too slowly. */
  const gaps = createGaps((news) => {
    if (news === null) miss();
    else slowed.own = news.isSlowed;
    onNews();
  });

  function clear(): void {
    unsent.clear();
    characters = 0;
  }

  function miss(): void {
    clear();
    isMissed = true;
  }

  function keep(name: string, call: LiveCall): void {
    characters -= unsent.get(name)?.characters ?? 0;
    const own = call.decisions.reduce((sum, { reason, excerpt }) => sum + reason.length + excerpt.length, 0);
    unsent.set(name, { call, characters: own });
    characters += own;
    if (unsent.size <= UNSENT_MAX && characters <= UNSENT_TEXT_MAX) return;
    clear();
    gaps.add();
  }

  function addCalls(news: readonly WholeCall[]): void {
    for (const call of news) {
      // The list will be read after these.
      if (isMissed) return;
      const matching = matchingIn(call);
      // Later decisions can end the outcome that a list shows.
      const mayLeave = filters.outcome.length > 0 && call.decisions.length > 1;
      if (matching.length > 0 || mayLeave) keep(call.name, liveCallOf(call, matching));
    }
  }

  return {
    add(news: CallNews): void {
      if (news === null) miss();
      else if ("isSlowed" in news) slowed.follower = news.isSlowed;
      else addCalls(news);
      if (isMissed || unsent.size > 0 || isSlowed() !== slowed.sent) onNews();
    },
    take(): LiveCallsMessage | null {
      if (isSlowed() !== slowed.sent) {
        slowed.sent = isSlowed();
        return { kind: "pace", isSlowed: slowed.sent };
      }
      if (isMissed) {
        isMissed = false;
        return { kind: "missed" };
      }
      if (unsent.size === 0) return null;
      const calls = [...unsent.values()].map(({ call }) => call);
      clear();
      return { kind: "calls", calls };
    },
    close: gaps.close,
  };
}

const liveCallOf = ({ decisions, request, ran, followUp }: WholeCall, matching: number[]): LiveCall => ({
  ...{ decisions, matching, request, ran, followUp },
});
