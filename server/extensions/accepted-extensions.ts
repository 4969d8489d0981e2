/**
 * The extensions of agents with the acceptance of their versions, cached by each process that decides calls. A failure
 * to read them is thrown, and the hook that asks denies.
 */
import { type AcceptedExtensions, type KnownExtension, unacceptedBy } from "@quarterdeck/hooks";
import { LRUCache } from "lru-cache";
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { listKnown } from "./known-repository.ts";

const WORKSPACES_MAX = 5_000;
const AGENTS_MAX = 2_000;

type OfAgents = LRUCache<string, Promise<readonly KnownExtension[]>>;

export interface AcceptedVersions {
  /** The port of a workspace's rules. */
  of(workspaceId: string): AcceptedExtensions;
}

export function createAcceptedVersions({
  pool,
  bus,
}: {
  readonly pool: Pool;
  readonly bus: Pick<Bus, "subscribe" | "isCurrent">;
}): AcceptedVersions {
  const byWorkspace = new LRUCache<string, OfAgents>({ max: WORKSPACES_MAX });
  bus.subscribe((workspaceId, topics) => {
    if (!topics.includes("extensions")) return;
    if (workspaceId === null) byWorkspace.clear();
    else byWorkspace.delete(workspaceId);
  });

  function reload(workspaceId: string, agentId: string): Promise<readonly KnownExtension[]> {
    const ofAgents = byWorkspace.get(workspaceId) ?? new LRUCache({ max: AGENTS_MAX });
    byWorkspace.set(workspaceId, ofAgents);
    const loading = inWorkspace(workspaceId, () => listKnown(pool, workspaceId, agentId));
    ofAgents.set(agentId, loading);
    // A failure is not remembered: the next call tries again.
    loading.catch(() => void (ofAgents.peek(agentId) === loading && ofAgents.delete(agentId)));
    return loading;
  }

  const known = (workspaceId: string, agentId: string) =>
    (bus.isCurrent() && byWorkspace.get(workspaceId)?.get(agentId)) || reload(workspaceId, agentId);

  return {
    of: (workspaceId) => ({
      async unacceptedBy({ input, asker }) {
        const call = { tool: input.tool_name ?? "", input: input.tool_input };
        // A call that no agent makes uses nothing that is known.
        return unacceptedBy(call, asker ? await known(workspaceId, asker.agent) : []);
      },
    }),
  };
}
