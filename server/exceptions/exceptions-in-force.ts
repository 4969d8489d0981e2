/**
 * The exceptions in force, read when a hook asks and remembered for a moment. Whatever fails here lifts nothing: the question stands.
 */
import type { LiftQuestion } from "@quarterdeck/hooks";
import { LRUCache } from "lru-cache";
import { bindingOf, hasExactNumbers } from "../approvals/service.ts";
import type { Bus } from "../events/service.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import { sha256 } from "../platform/secrets.ts";
import { type ExceptionCall, matchesCall } from "./match.ts";
import * as exceptions from "./repository.ts";

export interface AskedAbout {
  readonly workspaceId: string;
  readonly agentId: string;
  readonly input: { readonly session_id?: unknown; readonly tool_name?: unknown; readonly tool_input?: unknown };
}

export interface ExceptionsInForce {
  lifterFor(call: AskedAbout): LiftQuestion;
}

const WORKSPACES_MAX = 5_000;
/** A second bound: changes and ends are heard of at once. */
const TRUST_MS = 5_000;

export function createExceptionsInForce(world: {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
}): ExceptionsInForce {
  const { pool, bus, log } = world;
  type Known = readonly exceptions.ExceptionInForce[];
  const byWorkspace = new LRUCache<string, Promise<Known>>({ max: WORKSPACES_MAX, ttl: TRUST_MS });
  bus.subscribe((workspaceId, topics) => {
    // A policy's topic is also that of the members of groups.
    if (!topics.includes("exceptions") && !topics.includes("policies")) return;
    if (workspaceId === null) byWorkspace.clear();
    else byWorkspace.delete(workspaceId);
  });

  function inForce(workspaceId: string): Promise<Known> {
    const known = bus.isCurrent() ? byWorkspace.get(workspaceId) : undefined;
    if (known) return known;
    const loading = inWorkspace(workspaceId, () => exceptions.listInForce(pool, workspaceId));
    byWorkspace.set(workspaceId, loading);
    loading.catch(() => {
      if (byWorkspace.peek(workspaceId) === loading) byWorkspace.delete(workspaceId);
    });
    return loading;
  }

  return {
    lifterFor({ workspaceId, agentId, input }) {
      let call: ExceptionCall | undefined;
      return async ({ origin, identity }) => {
        try {
          if (!hasExactNumbers(input.tool_input)) return null;
          const known = await inForce(workspaceId);
          if (known.length === 0) return null;
          call ??= { ...bindingOf(input), agentId, input: input.tool_input };
          const mine = call;
          const definition = sha256(identity).toString("hex");
          const found = known.find(
            (one) =>
              one.expiresAt.getTime() > Date.now() &&
              one.rules.some(({ policy, sha256: known }) => policy === origin.policy && known === definition) &&
              matchesCall(one, mine),
          );
          return found?.id ?? null;
        } catch (error) {
          log.warn({ err: error }, "exceptions could not be read, so the question stands");
          return null;
        }
      };
    },
  };
}
