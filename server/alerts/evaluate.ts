/**
 * Evaluates every rule once a minute. One node claims a rule's minute. Its status, its history and its webhook
 * deliveries change in one transaction, so it fires and resolves once, however many nodes evaluate.
 */
import type { Bus } from "../events/index.ts";
import type { Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { holds, nextAlertStatus, type Reading } from "./condition.ts";
import type { Gauges } from "./counts.ts";
import { sentenceOf } from "./labels.ts";
import { measure } from "./measure.ts";
import { isMeasureName } from "./measure-schema.ts";
import * as alerts from "./repository.ts";
import type { Condition } from "./schema.ts";

const MINUTE = 60_000;
const CLAIMED_AT_ONCE = 20;

export interface Evaluating {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly gauges: Gauges;
}

/** Evaluates the rules that no node has evaluated for the minute that ended at `at`; returns the number of rules. */
export async function evaluateDue(world: Evaluating, at: Date): Promise<number> {
  let count = 0;
  for (;;) {
    const claimed = await inInstallation(() => alerts.claim(world.pool, at, CLAIMED_AT_ONCE));
    for (const rule of claimed) await inWorkspace(rule.workspaceId, () => evaluate(world, rule, at));
    count += claimed.length;
    if (claimed.length < CLAIMED_AT_ONCE) return count;
  }
}

async function evaluate(world: Evaluating, rule: alerts.RuleRow, at: Date): Promise<void> {
  const { pool, log, bus } = world;
  const { workspaceId, id } = rule;
  try {
    const { reading, fault } = await readingFor(world, rule, at);
    const isChanged = await alerts.transaction(pool, async (client) => {
      const now = await alerts.findForUpdate(client, workspaceId, id, at);
      if (now === null || !isMeasureName(now.measure)) return false;
      const known = { ...now, measure: now.measure };
      const before = { state: now.state, sinceMs: now.stateSince.getTime(), isTold: now.isTold };
      const lastMs = rule.lastAt?.getTime() ?? null;
      const look = { atMs: at.getTime(), lastMs, forMinutes: now.forMinutes };
      const after = nextAlertStatus(before, holds(now, reading.value), look);
      const isSnoozed = now.snoozedUntil !== null && now.snoozedUntil > at;
      // A snooze suppresses the first notice. If that notice was sent, the resolved notice is sent as well.
      const telling =
        after.state === "firing" && !before.isTold && !isSnoozed
          ? "alert.fired"
          : after.state === "ok" && before.isTold
            ? "alert.resolved"
            : null;
      const isTold = telling === null ? before.isTold : telling === "alert.fired";
      await alerts.setStatus(client, rule, { ...after, isTold, ...reading, fault });
      if (telling === null && after.state === before.state) return false;
      const says = fault ?? sentenceOf(known, reading);
      const mailTo = telling === null ? [] : now.emails;
      const event = { id: uuidv7(), at, state: after.state, value: reading.value, says, isSnoozed, mailTo };
      const awaitsNotice = telling !== null;
      await alerts.insertEvent(client, rule, { ...event, awaitsNotice });
      if (telling !== null)
        await alerts.queueWebhooks(client, workspaceId, telling, alertNotice(known, reading, says), at);
      await client.query("SELECT pg_notify($1, $2)", [bus.channel, bus.message(workspaceId, ["alerts"])]);
      return true;
    });
    if (isChanged) bus.announce(workspaceId, ["alerts"]);
  } catch (err) {
    log.error({ err, workspaceId, rule: id }, "an alert rule could not be looked at");
  }
}

/** An unreadable measure has an unknown value and a reason. */
async function readingFor({ pool, log, gauges }: Evaluating, rule: alerts.RuleRow, at: Date) {
  const unknown = (fault: string) => ({ reading: { value: null, coverage: null } satisfies Reading, fault });
  if (!isMeasureName(rule.measure)) return unknown("This version does not know the measure.");
  try {
    const known = { ...rule, measure: rule.measure };
    return { reading: await measure(pool, rule.workspaceId, known, at, gauges), fault: null };
  } catch (err) {
    log.warn({ err, rule: rule.id }, "an alert's measure could not be read");
    return unknown("The measure could not be read. See the server's log.");
  }
}

type KnownRule = Condition & Pick<alerts.RuleRow, "id" | "name" | "severity">;

/** The notice of an alert for the world outside. Numbers beyond a float are written as digits. */
export function alertNotice(rule: KnownRule, { value, coverage }: Reading, says: string) {
  const { id, name, severity, measure, comparison, windowMinutes, forMinutes } = rule;
  const { agentId, groupId, modelId, personId, signOnGroupId } = rule;
  const threshold = rule.threshold.toString();
  const people = { ...(personId !== null && { personId }), ...(signOnGroupId !== null && { signOnGroupId }) };
  const filters = { agentId, groupId, modelId, ...people };
  const alert = { id, name, severity, measure, comparison, threshold, windowMinutes, forMinutes, ...filters };
  return { alert, value: value?.toString() ?? null, coverage, says };
}

export const minuteOf = (nowMs: number): Date => new Date(Math.floor(nowMs / MINUTE) * MINUTE);
