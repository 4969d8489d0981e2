/** The scripted agents at work now: one session after another, through the real dispatcher, until they are stopped. */
import { setTimeout as delay } from "node:timers/promises";
import { contractOf } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import type { AgentActor } from "../access/actor.ts";
import type { Dispatcher } from "../dispatches/index.ts";
import type { Log } from "../platform/log.ts";
import type { Fired, Heard } from "./fired-event.ts";
import { play } from "./play.ts";
import type { Scenario } from "./scenario.ts";

export interface Live {
  /** Resolves after the last started event is recorded. */
  stop(): Promise<void>;
}

export interface DemoAgent {
  readonly actor: AgentActor;
  readonly scenario: Scenario;
}

/** Agents start one after the other, so that their sessions do not march in step. */
const STAGGER_MS = 3_000;
/** The pause between two sessions grows, so that an unattended demo stays small; after half a day it ends. */
const REST_MS_STEP = 10_000;
const REST_MS_MAX = 10 * 60_000;
const LIVE_MS_MAX = 12 * 3_600_000;
/** After a failure: the database may be away. */
const RETRY_MS = 5_000;

const answered = z.looseObject({
  decision: z.string().optional(),
  reason: z.string().optional(),
  hook_specific_output: z
    .looseObject({
      permission_decision: z.enum(["allow", "ask", "deny"]).optional(),
      permission_decision_reason: z.string().optional(),
      summary: z.string().optional(),
    })
    .optional(),
});

export function startLive(dispatcher: Dispatcher, log: Log, hands: readonly DemoAgent[]): Live {
  const stopping = new AbortController();
  const { signal } = stopping;
  const untilMs = Date.now() + LIVE_MS_MAX;

  async function work({ actor, scenario }: DemoAgent, index: number): Promise<void> {
    await pause(index * STAGGER_MS);
    for (let session = 0; Date.now() < untilMs; session += 1) {
      const run = scenario.runs[session % scenario.runs.length];
      if (!run) return;
      try {
        await playLive(actor, play(scenario, run, `${actor.id} live ${Date.now()}`));
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, agent: actor.name }, "a demo session was cut short");
        await pause(RETRY_MS);
      }
      await pause(Math.min(REST_MS_STEP * (session + 1), REST_MS_MAX));
    }
  }

  async function playLive(actor: AgentActor, playing: ReturnType<typeof play>): Promise<void> {
    for (let next = playing.next(); !next.done; ) {
      await pause(next.value.afterMs);
      next = playing.next(await dispatch(actor, next.value));
    }
  }

  async function dispatch(actor: AgentActor, { event, input }: Fired): Promise<Heard> {
    signal.throwIfAborted();
    const request = { event, text: JSON.stringify(input), input, idempotencyKey: null } as const;
    // Not our signal, because a started event is recorded even if we are stopped.
    const client = { signal: new AbortController().signal };
    // As an enrolled docker-agent does: every tool call asks through the early lane first.
    if (contractOf(event, "2026-07").hasPreemptLane) {
      const early = heardIn((await dispatcher.dispatch(actor, { ...request, lane: "preempt_yolo", client })).answer);
      if (early.verdict !== "none") return early;
    }
    return heardIn((await dispatcher.dispatch(actor, { ...request, lane: "default", client })).answer);
  }

  const pause = (ms: number) => delay(ms, undefined, { signal });
  const working = hands.map((hand, index) => work(hand, index).catch(() => undefined));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(working);
    },
  };
}

/** An agent's reading of hook output JSON. */
export function heardIn(answer: string): Heard {
  const { decision, reason, hook_specific_output: specific } = answered.parse(JSON.parse(answer));
  const verdict = decision === "block" ? "deny" : (specific?.permission_decision ?? "none");
  return {
    verdict,
    reason: reason ?? specific?.permission_decision_reason ?? "",
    summary: specific?.summary ?? "",
  };
}
