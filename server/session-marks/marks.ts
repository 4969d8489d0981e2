/** The marks that rules set and test on sessions. A mark is stored before the call that sets it is answered. */
import type { HandlerCall, HookInput, SessionMarks } from "@quarterdeck/hooks";
import type { Pool } from "../platform/db.ts";
import { inWorkspace } from "../platform/scope.ts";
import { indexKeyText } from "../recording/index.ts";
import * as stored from "./repository.ts";

export function createSessionMarks(pool: Pool, workspaceId: string): SessionMarks {
  return {
    ages: ({ input }, marks) =>
      inWorkspace(workspaceId, () => stored.markAges(pool, workspaceId, sessionsOf(input), marks)),
    async set({ input, asker }: HandlerCall, marks) {
      // A call that is only tried leaves nothing behind.
      if (!asker || asker.request === null) return;
      const sessions = sessionsOf(input);
      await inWorkspace(workspaceId, () =>
        stored.setMarks(pool, workspaceId, { agentId: asker.agent, sessions, marks }),
      );
    },
  };
}

/** The session, and the one that it is a part of: a mark holds in both. */
function sessionsOf({ session_id, parent_session_id }: HookInput): string[] {
  return [session_id, parent_session_id].flatMap((id) =>
    typeof id === "string" && id !== "" ? [indexKeyText(id)] : [],
  );
}
