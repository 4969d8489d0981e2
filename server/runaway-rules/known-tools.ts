/** The tools that a workspace knows. An instant never changes once it is stored, so each process remembers it. */
import { LRUCache } from "lru-cache";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import * as counters from "./repository.ts";

/** A tool is new for this long after its first call: a second attempt does not make it known. */
const NEW_HOURS = 24;
/** Tools of one workspace that are kept; every further one is known by its decisions alone. */
const TOOLS_MAX = 10_000;
const REMEMBERED_MAX = 50_000;

interface KnownTools {
  /** True for a tool that the workspace has not known for long. `isKept` makes it known from now on. */
  isNew(workspaceId: string, tool: string, isKept: boolean): Promise<boolean>;
}

export function createKnownTools(pool: Pool, nowMs: () => number): KnownTools {
  const knownSince = new LRUCache<string, number>({ max: REMEMBERED_MAX });
  return {
    async isNew(workspaceId, tool, isKept) {
      const key = `${workspaceId} ${tool}`;
      let sinceMs: number | null | undefined = knownSince.get(key);
      if (sinceMs === undefined) {
        sinceMs = await inWorkspace(workspaceId, async () => {
          const found = await counters.findTool(pool, workspaceId, tool);
          if (found !== null) return found;
          const added = isKept ? await counters.addTool(pool, workspaceId, tool, TOOLS_MAX) : null;
          return added ?? counters.findFirstDecision(pool, workspaceId, tool);
        });
        if (sinceMs !== null) knownSince.set(key, sinceMs);
      }
      return sinceMs === null || nowMs() - sinceMs < NEW_HOURS * 3_600_000;
    },
  };
}
