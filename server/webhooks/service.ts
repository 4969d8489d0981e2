/** Webhooks of a workspace: signed deliveries of its events, and their outcomes. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { webhookDeliveryParameters } from "../audit/webhook-outbox.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { type AddressRule, receiverRefusal } from "../platform/outgoing/address-rule.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation } from "../platform/scope.ts";
import { notifyBudgetCrossings } from "./budgets.ts";
import { attempt, type Delivering, deliverDue } from "./deliver.ts";
import { queueDenials } from "./denials.ts";
import { gatherNotices } from "./gather-notices.ts";
import * as webhooks from "./repository.ts";
import {
  type DeliveryPage,
  isWebhookKind,
  type ListDeliveries,
  type ResolveDead,
  type RotateSecret,
  type SaveWebhook,
  type SaveWebhookResult,
  type TestedWebhook,
  WEBHOOKS_MAX,
  type WebhookById,
  type WebhookView,
  webhookShape,
} from "./schema.ts";
import { newSecret, sealSecret } from "./secret.ts";

const LOOK_EVERY_MS = 2_000;
const TELL_EVERY_MS = 20_000;
const GATHER_EVERY_MS = 5_000;
const DROP_EVERY_MS = 3_600_000;
const HOUR_MS = 3_600_000;

export interface Webhooks extends Delivering {
  readonly db: Database;
  readonly bus: Bus;
  start(): void;
  stop(): Promise<void>;
}

export interface WebhooksOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly addresses: AddressRule;
  readonly key: Buffer;
  /** Where people reach this installation. */
  readonly url: string;
  readonly clock?: Clock;
}

/** Delivers nothing before it is started. */
export function createWebhooks({ db, bus, log, addresses, key, url, clock = systemClock }: WebhooksOptions): Webhooks {
  const world = { db, pool: db.pool, bus, log, addresses, key, clock };
  let droppedMs = 0;
  let toldMs = 0;
  let gatheredMs = 0;

  async function turn(signal: AbortSignal): Promise<number> {
    if (clock.now() - toldMs >= TELL_EVERY_MS) {
      toldMs = clock.now();
      await queueDenials(db.pool, toldMs);
    }
    await notifyBudgetCrossings(db.pool);
    if (clock.now() - gatheredMs >= GATHER_EVERY_MS) {
      gatheredMs = clock.now();
      await gatherNotices({ pool: db.pool, now: new Date(gatheredMs), url });
    }
    // Due deliveries are attempted without a pause, for as long as there are any.
    while (!signal.aborted && (await deliverDue(world)) > 0);
    if (clock.now() - droppedMs >= DROP_EVERY_MS) {
      droppedMs = clock.now();
      await inInstallation(() => webhooks.dropOld(db.pool, new Date(clock.now())));
    }
    return LOOK_EVERY_MS;
  }

  const { start, stop } = createRepeater({
    turn,
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.error({ err }, "webhooks could not be delivered"),
  });
  return { ...world, start, stop };
}

export async function list(db: Database, workspaceId: string): Promise<WebhookView[]> {
  const [rows, counts] = await Promise.all([
    webhooks.list(db.prisma, workspaceId),
    webhooks.countStates(db.pool, workspaceId),
  ]);
  const countOf = (id: string, state: string) =>
    counts.find((one) => one.webhookId === id && one.state === state)?.count ?? 0;
  return rows.map(({ id, url, kinds, shape, isEnabled, secretSetAt, formerUntil, updatedAt, updatedBy }) => ({
    id,
    url,
    kinds: kinds.filter(isWebhookKind),
    shape: webhookShape.parse(shape),
    isEnabled,
    secretSetAt,
    formerUntil: formerUntil !== null && formerUntil > new Date() ? formerUntil : null,
    waiting: countOf(id, "waiting"),
    dead: countOf(id, "dead"),
    updatedAt,
    updatedBy,
  }));
}

/** Made or changed. Errors: `webhook_not_found`; `invalid_input` at the address. */
export async function save(world: Webhooks, actor: Administrator, input: SaveWebhook): Promise<SaveWebhookResult> {
  const { workspaceId } = actor;
  const { id = uuidv7(), url, kinds, shape, isEnabled } = input;
  const host = checkedHost(url, world.addresses);
  const settings = { url, kinds, shape, isEnabled, updatedBy: actor.name };
  const secret = input.id === undefined ? newSecret() : null;
  await announcedTransaction(world, workspaceId, ["webhooks"], async (tx) => {
    const before = secret === null ? await requireWebhook(tx, workspaceId, id) : null;
    if (secret === null) await webhooks.update(tx, workspaceId, id, settings);
    else {
      if ((await webhooks.count(tx, workspaceId)) >= WEBHOOKS_MAX)
        throw new AppError("invalid_input", undefined, { says: `A workspace has at most ${WEBHOOKS_MAX} webhooks.` });
      await webhooks.insert(tx, workspaceId, id, settings, sealSecret(world.key, { workspaceId, id }, secret));
    }
    const was = before && {
      host: new URL(before.url).host,
      kinds: before.kinds,
      shape: before.shape,
      isEnabled: before.isEnabled,
    };
    const changes = diffFields(was, { host, kinds, shape, isEnabled });
    const entry = { kind: "webhook_saved", version: 1, by: actor.name, webhook: id, host, kinds, isEnabled } as const;
    await recordAudit(tx, actor, entry, changes);
  });
  return { id, secret };
}

function checkedHost(text: string, addresses: AddressRule): string {
  const refusal = URL.canParse(text)
    ? receiverRefusal(addresses, new URL(text))
    : "Enter a full address, such as https://example.com/quarterdeck.";
  if (refusal !== null) throw new AppError("invalid_input", undefined, { says: refusal, pointer: "/url" });
  return new URL(text).host;
}

/** Errors: `webhook_not_found`. Its deliveries go with it. */
export async function remove(world: Webhooks, actor: Administrator, { id }: WebhookById): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction(world, workspaceId, ["webhooks"], async (tx) => {
    const { url } = await requireWebhook(tx, workspaceId, id);
    await webhooks.remove(tx, workspaceId, id);
    const entry = {
      kind: "webhook_removed",
      version: 1,
      by: actor.name,
      webhook: id,
      host: new URL(url).host,
    } as const;
    await recordAudit(tx, actor, entry);
  });
}

/**
 * Replaces the secret and shows the new one once; the former one also signs for a while. Errors: `webhook_not_found`.
 */
export async function rotate(
  world: Webhooks,
  actor: Administrator,
  { id, overlapHours }: RotateSecret,
): Promise<{ secret: string }> {
  const { workspaceId } = actor;
  const secret = newSecret();
  await announcedTransaction(world, workspaceId, ["webhooks"], async (tx) => {
    const before = await requireWebhook(tx, workspaceId, id);
    await webhooks.setSecret(tx, workspaceId, id, {
      secret: sealSecret(world.key, { workspaceId, id }, secret),
      former: overlapHours === 0 ? null : before.secret,
      formerUntil: overlapHours === 0 ? null : new Date(world.clock.now() + overlapHours * HOUR_MS),
    });
    const host = new URL(before.url).host;
    const entry = {
      kind: "webhook_secret_rotated",
      version: 1,
      by: actor.name,
      webhook: id,
      host,
      overlapHours,
    } as const;
    await recordAudit(tx, actor, entry);
  });
  return { secret };
}

/** Sends one message and returns its result; it is not retried. Errors: `webhook_not_found`. */
export async function test(
  world: Webhooks,
  actor: Administrator,
  { id: webhookId }: WebhookById,
): Promise<TestedWebhook> {
  const { workspaceId } = actor;
  const webhook = await requireWebhook(world.db.prisma, workspaceId, webhookId);
  const { url, secret, formerSecret, formerUntil } = webhook;
  const id = uuidv7();
  const [, , body] = webhookDeliveryParameters(workspaceId, "test", { by: actor.name }, new Date(world.clock.now()));
  await webhooks.insertTest(world.pool, workspaceId, id, webhookId, body);
  const former = formerSecret && Buffer.from(formerSecret);
  const addressed = {
    workspaceId,
    webhookId,
    id,
    body,
    url,
    shape: webhookShape.parse(webhook.shape),
    secret: Buffer.from(secret),
    formerSecret: former,
    formerUntil,
  };
  const made = await attempt(world, addressed);
  await webhooks.recordTest(world.pool, workspaceId, id, made);
  world.bus.tell(workspaceId, ["webhooks"]);
  return made;
}

export async function deliveries(db: Database, workspaceId: string, input: ListDeliveries): Promise<DeliveryPage> {
  const rows = await webhooks.listDeliveries(db.pool, workspaceId, input);
  const shown = rows.slice(0, input.limit);
  const last = rows.length > input.limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(({ url, nextAt, ...row }) => ({
      ...row,
      host: new URL(url).host,
      nextAt: row.state === "waiting" ? nextAt : null,
    })),
    next: last ? { at: last.at, id: last.id } : null,
  };
}

/** Retries deliveries that had failed for good, or discards them. Returns their number. */
export async function resolveDead(
  world: Webhooks,
  actor: Administrator,
  { act, id }: ResolveDead,
): Promise<{ count: number }> {
  const { workspaceId } = actor;
  const count = await announcedTransaction(world, workspaceId, ["webhooks"], async (tx) => {
    const settled = await webhooks.resolveDead(tx, workspaceId, id, act);
    const entry = {
      kind: "webhook_deliveries_settled",
      version: 1,
      by: actor.name,
      act,
      webhook: null,
      count: settled,
    } as const;
    if (settled > 0) await recordAudit(tx, actor, entry);
    return settled;
  });
  return { count };
}

async function requireWebhook(tx: Tx, workspaceId: string, id: string) {
  const found = await webhooks.find(tx, workspaceId, id);
  if (!found) throw new AppError("webhook_not_found", id);
  return found;
}
