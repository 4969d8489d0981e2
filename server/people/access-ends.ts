/** Removes the memberships whose end has come, once and on any node. From its end on, a membership opens nothing. */
import { recordAudit } from "../audit/record-audit.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { endLoginsOf } from "../principals/index.ts";
import { notifyMembershipEnd } from "./access-changes.ts";
import { endLinksBy } from "./link-makers.ts";
import * as people from "./repository.ts";

const LOOK_MS = 10_000;

export interface AccessEndsWorld {
  readonly db: Database;
  readonly bus: Pick<Bus, "tell">;
  readonly log: Log;
  /** Milliseconds between two looks. */
  readonly lookMs?: number;
}

export function createAccessEnds({ db, bus, log, lookMs = LOOK_MS }: AccessEndsWorld) {
  async function endOne(workspaceId: string, personId: string): Promise<void> {
    await db.prisma.$transaction(async (tx) => {
      const member = await people.findEndedForUpdate(tx, workspaceId, personId, new Date());
      if (!member) return;
      const { name } = member.person;
      await people.deleteMembership(tx, workspaceId, personId);
      await endLoginsOf(tx, { workspaceId, acting: workspaceId }, { personId, name });
      await endLinksBy(tx, { workspaceId, name, acting: workspaceId }, { kind: "person", id: personId }, null);
      const entry = { kind: "access_ended", version: 1, person: personId, name, role: member.role } as const;
      await recordAudit(tx, workspaceId, entry);
      await notifyMembershipEnd(tx, workspaceId);
    });
    bus.tell(workspaceId, ["access", "audit"]);
  }

  return createRepeater({
    async turn() {
      const ended = await inInstallation(() => people.listEnded(db.prisma, new Date()));
      for (const { workspaceId, personId } of ended)
        await inWorkspace(workspaceId, () => endOne(workspaceId, personId));
      return lookMs;
    },
    firstMs: lookMs,
    retryMs: lookMs,
    onFailure: (error) => log.warn({ err: error }, "memberships that have ended could not be removed"),
  });
}
