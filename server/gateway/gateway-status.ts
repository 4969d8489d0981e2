/**
 * The gateway's own word on whether agents are answered, for the pages: they show it where something failed, and claim
 * nothing that was not asked. It names no workspace, so anyone may read it.
 */
import { z } from "zod";
import { ERRORS, type ErrorCode } from "../errors/catalogue.ts";
import type { Clock } from "../platform/clock.ts";
import type { GatewayStatusView } from "../platform/schema.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";

/** An older refusal says nothing about the present. */
const REFUSAL_COUNTS_MS = 60_000;
const QUESTION = "refusals";
/** Refusals that do not affect our own state: temporary load, and a shutdown, which has its own state. */
const PASSING: readonly string[] = ["overloaded", "draining"];

const refusals = z.object({
  /** Since the last answer that an agent got. */
  count: z.number(),
  firstMs: z.number(),
  lastMs: z.number(),
  says: z.string(),
});
type Refusals = z.infer<typeof refusals>;

export interface GatewayStatus {
  /** An agent got its answer, and it is recorded. */
  answered(): void;
  /** A request of the agent API was refused with this code. */
  refused(code: string): void;
  /** `checks` as in readiness: by name, the problem as a sentence or null. */
  read(checks: readonly (readonly [string, string | null])[]): Promise<GatewayStatusView>;
}

export function createGatewayStatus({
  workerRpc,
  clock,
  figuresBehindMs,
}: {
  readonly workerRpc: WorkerRpc;
  readonly clock: Clock;
  readonly figuresBehindMs: () => Promise<number | null>;
}): GatewayStatus {
  let own: Refusals | null = null;
  /** When a check was first seen to fail, by its name. */
  const failing = new Map<string, number>();
  workerRpc.answer(QUESTION, () => own);

  async function refusalsOfNode(): Promise<readonly Refusals[]> {
    const answers = workerRpc.isAlone ? [own] : await workerRpc.ask(QUESTION).catch(() => [own]);
    const now = clock.now();
    return answers
      .flatMap((answer) => refusals.safeParse(answer).data ?? [])
      .filter(({ lastMs }) => now - lastMs < REFUSAL_COUNTS_MS);
  }

  return {
    answered() {
      own = null;
    },
    refused(code) {
      const { status, says } = ERRORS[code as ErrorCode] ?? { status: 0, says: "" };
      if (status < 500 || PASSING.includes(code)) return;
      const now = clock.now();
      own = { count: (own?.count ?? 0) + 1, firstMs: own?.firstMs ?? now, lastMs: now, says };
    },
    async read(checks) {
      const now = clock.now();
      for (const [name, reason] of checks)
        if (reason === null) failing.delete(name);
        else if (!failing.has(name)) failing.set(name, now);
      const refused = await refusalsOfNode();
      const wrong = checks.flatMap(([, reason]) => reason ?? []);
      const isBlocking = wrong.length > 0 || refused.length > 0;
      const sinceMs = Math.min(...failing.values(), ...refused.map(({ firstMs }) => firstMs));
      return {
        state: isBlocking ? "blocking" : "answering",
        since: isBlocking ? new Date(sinceMs).toISOString() : null,
        reasons: [...new Set(wrong.length > 0 ? wrong : refused.map(({ says }) => says))],
        refused: refused.reduce((sum, { count }) => sum + count, 0),
        checks: Object.fromEntries(checks.map(([name, reason]) => [name, reason ?? "ok"])),
        figuresBehindMs: isBlocking ? null : await figuresBehindMs().catch(() => null),
      };
    },
  };
}
