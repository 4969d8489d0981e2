/**
 * Storage of a workspace's inputs unmasked, secrets included: off unless a person has given a reason and an end, which
 * are recorded. Each node caches the state, since every dispatch needs it; while it is unknown, inputs are masked.
 */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import type { SetRawCapture } from "./schema.ts";
import { findRaw, listRaw, setRaw } from "./settings-repository.ts";

export interface RawCapture {
  /** True if what arrives now is stored unmasked. */
  isOn(workspaceId: string): boolean;
  set(actor: Administrator, input: SetRawCapture): Promise<void>;
  close(): void;
}

export function createRawCapture(options: { db: Database; bus: Bus; log: Log; clock: Clock }): RawCapture {
  const { db, bus, log, clock } = options;
  let untilMs = new Map<string, number>();

  async function load(): Promise<void> {
    untilMs = new Map(
      (await inInstallation(() => listRaw(db.pool))).map(
        ({ workspaceId, until }) => [workspaceId, until.getTime()] as const,
      ),
    );
  }
  const reload = () =>
    load().catch((err: unknown) => {
      untilMs = new Map();
      log.warn({ err }, "whether inputs are stored raw could not be read: they are masked");
    });
  const unsubscribe = bus.subscribe((_, topics) => (topics.includes("audit") ? reload() : undefined));

  return {
    // Somebody may have switched it off while the bus was silent: then masked.
    isOn: (workspaceId) => bus.isCurrent() && (untilMs.get(workspaceId) ?? 0) > clock.now(),
    async set(actor, { hours, reason }) {
      const until = hours === null ? null : new Date(clock.now() + hours * 3_600_000);
      const before = await findRaw(db.pool, actor.workspaceId);
      await db.prisma.$transaction(async (tx) => {
        await setRaw(tx, actor.workspaceId, until, reason);
        const entry = {
          kind: "raw_capture_set",
          version: 1,
          by: actor.name,
          until: until?.toISOString() ?? null,
          reason,
        } as const;
        await recordAudit(tx, actor, entry, diffFields({ until: before.until }, { until }));
      });
      await load();
      bus.announce(actor.workspaceId, ["audit"]);
    },
    close: unsubscribe,
  };
}
