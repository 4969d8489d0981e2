/**
 * Combines held notices into messages every few seconds: equal notices become one message with a count, and the excess
 * of a flood is counted in one message. A webhook gets at most `NOTICES_A_MINUTE_MAX` messages in any minute; further
 * ones are held until the minute has passed.
 */
import { redactText } from "@quarterdeck/hooks";
import { z } from "zod";
import { webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import { inInstallation } from "../platform/scope.ts";
import * as notices from "./notices-repository.ts";
import { transaction } from "./repository.ts";

/** Messages that a webhook gets of notices in any minute. */
export const NOTICES_A_MINUTE_MAX = 10;
const MINUTE_MS = 60_000;
/** Of one transaction. */
const WEBHOOKS_AT_ONCE = 50;

const heldBody = z.looseObject({
  data: z.looseObject({ number: z.number().int().optional(), path: z.string().optional() }),
});

interface Gathering {
  readonly pool: Pool;
  readonly now: Date;
  /** Where people reach this installation. */
  readonly url: string;
}

/** The number of messages that were made. */
export function gatherNotices(world: Gathering): Promise<number> {
  return inInstallation(() =>
    transaction(world.pool, async (client) => {
      let made = 0;
      for (const webhook of await notices.lockWebhooksWithHeld(client, WEBHOOKS_AT_ONCE))
        made += await gatherOf(client, webhook, world);
      return made;
    }),
  );
}

async function gatherOf(client: PoolClient, webhook: notices.WebhookRef, { now, url }: Gathering): Promise<number> {
  const released = await notices.countReleased(client, webhook, new Date(now.getTime() - MINUTE_MS));
  const room = NOTICES_A_MINUTE_MAX - released;
  if (room <= 0) return 0;
  const groups = await notices.listHeldGroups(client, webhook, room + 1);
  const alone = groups.length <= room ? groups : groups.slice(0, room - 1);
  let made = 0;
  for (const { kind, groupKey } of alone) {
    const { count, body } = await notices.takeGroup(client, webhook, groupKey);
    if (body === null) continue;
    await notices.insertMessage(client, webhook, { kind, body: messageOf(body, count, url), at: now });
    made += 1;
  }
  if (groups.length <= room) return made;
  const counts = await notices.takeRest(client, webhook);
  const isOfCalls = counts.every(({ kind: one }) => one !== "notice");
  const data = { counts, url: `${url}/${isOfCalls ? "approvals" : "notices"}` };
  const [, kind, body] = webhookDeliveryParameters(webhook.workspaceId, "approval.summary", data, now);
  await notices.insertMessage(client, webhook, { kind, body, at: now });
  return made + 1;
}

/** The notice with its count and its link, and without secrets that people may have typed. */
function messageOf(text: string, count: number, url: string): string {
  const { data, ...envelope } = heldBody.parse(JSON.parse(text, (_key, value) => masked(value)));
  const path = data.path ?? `/approvals#QD-${data.number}`;
  return JSON.stringify({ ...envelope, data: { ...data, count, url: `${url}${path}` } });
}

const masked = (value: unknown): unknown => (typeof value === "string" ? redactText(value) : value);
