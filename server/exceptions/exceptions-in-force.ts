/**
 * The exceptions in force, read when a hook asks or denies, and cached briefly. A failure lifts nothing: the verdict
 * remains.
 */
import { isUngrantable, type LiftVerdict } from "@quarterdeck/hooks";
import { LRUCache } from "lru-cache";
import { needsOthers, ownAgentsOf } from "../approvals/index.ts";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import { selectBy } from "../platform/select.ts";
import { comparableCall, type ExceptionCall, liftsVerdict } from "./match.ts";
import * as exceptions from "./repository.ts";
import { exceptionLabel } from "./schema.ts";
import { exceptionProblem } from "./stored-exception.ts";

export interface JudgedCall {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly input: { readonly session_id?: unknown; readonly tool_name?: unknown; readonly tool_input?: unknown };
}

export interface ExceptionsInForce {
  lifterFor(call: JudgedCall): LiftVerdict;
}

interface Known {
  readonly rows: readonly exceptions.ExceptionInForce[];
  /** The agents that each maker of an exception may not answer for: their exceptions do not apply to these. */
  readonly ownByMaker: ReadonlyMap<string, ReadonlySet<string>>;
  /** The time of the query, in milliseconds of a monotonic clock: the remaining times count from there. */
  readonly askedMs: number;
}

const WORKSPACES_MAX = 5_000;
/** A second limit: changes and ends are notified at once. */
const TRUST_MS = 5_000;

export function createExceptionsInForce(world: {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
}): ExceptionsInForce {
  const { pool, bus, log } = world;
  const byWorkspace = new LRUCache<string, Promise<Known>>({ max: WORKSPACES_MAX, ttl: TRUST_MS });
  bus.subscribe((workspaceId, topics) => {
    // A policy's topic is also that of the members of groups.
    if (!topics.includes("exceptions") && !topics.includes("policies")) return;
    if (workspaceId === null) byWorkspace.clear();
    else byWorkspace.delete(workspaceId);
  });

  async function load(workspaceId: string): Promise<Known> {
    const askedMs = performance.now();
    return inWorkspace(workspaceId, async () => {
      const stored = await exceptions.listInForce(pool, workspaceId);
      const rows = stored.filter((row) => exceptionProblem(row) === null);
      const makers = new Set(rows.flatMap(({ madeById }) => madeById ?? []));
      return { askedMs, rows, ownByMaker: await ownAgentsOf(selectBy(pool), workspaceId, [...makers]) };
    });
  }

  function inForce(workspaceId: string): Promise<Known> {
    const known = bus.isCurrent() ? byWorkspace.get(workspaceId) : undefined;
    if (known) return known;
    const loading = load(workspaceId);
    byWorkspace.set(workspaceId, loading);
    loading.catch(() => {
      if (byWorkspace.peek(workspaceId) === loading) byWorkspace.delete(workspaceId);
    });
    return loading;
  }

  return {
    lifterFor({ workspaceId, agentId, input }) {
      let call: ExceptionCall | null | undefined;
      return async (hook, verdict, radii = []) => {
        try {
          if (isUngrantable(hook)) return null;
          const { rows, ownByMaker, askedMs } = await inForce(workspaceId);
          if (rows.length === 0) return null;
          if (call === undefined) call = comparableCall(agentId, input);
          if (call === null) return null;
          const mine = call;
          const said = { policyId: hook.origin.policyId, sha256: sha256(hook.rule).toString("hex"), verdict };
          const mayAnswer = ({ madeById }: exceptions.ExceptionInForce) =>
            !ownByMaker.get(madeById ?? "")?.has(agentId);
          const found = rows.find(
            (one) => performance.now() - askedMs < one.leftMs && liftsVerdict(one, said, mine) && mayAnswer(one),
          );
          // The exception's creator was an approver and answered for its example. A call that other people must answer
          // is not covered.
          if (found === undefined) return null;
          const answered = { toolName: mine.toolName, radii, personId: found.madeById ?? "" };
          if (verdict === "ask" && (await needsOthers(pool, workspaceId, answered))) return null;
          return { id: found.id, label: exceptionLabel(found) };
        } catch (error) {
          log.warn({ err: error }, "exceptions could not be read, so the verdict stands");
          return null;
        }
      };
    },
  };
}
