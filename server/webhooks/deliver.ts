/**
 * Sends deliveries to their webhooks. One node at a time claims each. A failure is retried after growing pauses, a
 * limited number of times, and then waits for a person. A receiver may get one twice, with the same `webhook-id`, if
 * the process dies between the answer and its storage.
 */

import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { inInstallation } from "../platform/scope.ts";
import { type Attempt, post } from "./post.ts";
import * as webhooks from "./repository.ts";
import { openSecret, signedHeaders } from "./secret.ts";
import { bodyInShape } from "./shapes.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Until the next attempt; after the last one it is given up, a day after the first. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 15 * HOUR];
export const ATTEMPTS_MAX = PAUSES_MS.length + 1;
const CLAIM = { holdMs: MINUTE, perWebhook: 4, limit: 40 };

export interface Delivering {
  readonly pool: Pool;
  readonly bus: Pick<Bus, "tell">;
  readonly clock: Clock;
  readonly log: Log;
  readonly addresses: AddressRule;
  /** The key that secrets are sealed with. */
  readonly key: Buffer;
}

/** Attempts all due deliveries, some at a time; returns the number of attempts. */
export function deliverDue(world: Delivering): Promise<number> {
  return inInstallation(async () => {
    const { pool, clock } = world;
    const claimed = await webhooks.claim(pool, { ...CLAIM, now: new Date(clock.now()) });
    await Promise.all(claimed.map((one) => deliver(world, one)));
    return claimed.length;
  });
}

async function deliver(world: Delivering, one: webhooks.Claimed): Promise<void> {
  const { pool, bus, clock, log } = world;
  const made = await attempt(world, one);
  const pauseMs = PAUSES_MS[one.attempts - 1];
  const nextAt = made.error === null || pauseMs === undefined ? null : new Date(clock.now() + pauseMs);
  const { workspaceId, id, webhookId, attempts } = one;
  if (made.error !== null)
    log.warn({ workspaceId, webhookId, attempts, error: made.error }, "a webhook did not take a delivery");
  await webhooks.recordAttempt(pool, workspaceId, id, { ...made, nextAt });
  bus.tell(workspaceId, ["webhooks"]);
}

type Addressed = Pick<
  webhooks.Claimed,
  "workspaceId" | "webhookId" | "id" | "body" | "url" | "shape" | "secret" | "formerSecret" | "formerUntil"
>;

/** One signed request. */
export async function attempt({ addresses, clock, key }: Delivering, one: Addressed): Promise<Attempt> {
  const at = new Date(clock.now());
  const owner = { workspaceId: one.workspaceId, id: one.webhookId };
  const isOverlapping = one.formerSecret !== null && one.formerUntil !== null && one.formerUntil > at;
  const stored = isOverlapping && one.formerSecret ? [one.secret, one.formerSecret] : [one.secret];
  const secrets = stored.flatMap((bytes) => openSecret(key, owner, bytes) ?? []);
  if (secrets.length === 0)
    return { status: null, error: "The secret was stored with another encryption key. Create a new secret." };
  const body = readableBody(one);
  if (body === null) return { status: null, error: "The stored message cannot be read." };
  const headers = signedHeaders(secrets, `msg_${one.id}`, at, body);
  return post({ url: one.url, body, headers }, addresses);
}

/** Null for a stored body that cannot be read: the delivery is retried and given up like any other failure. */
function readableBody({ shape, body }: Addressed): string | null {
  try {
    return bodyInShape(shape, body);
  } catch {
    return null;
  }
}
