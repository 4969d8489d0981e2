/** Alerts: rules on measures of a workspace, evaluated every minute, sent to webhooks and by mail. */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { hasMail, type Mailer } from "../people/index.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation } from "../platform/scope.ts";
import { findUsablePrincipal, listPrincipalNames } from "../principals/index.ts";
import { type Gauges, NO_GAUGES } from "./counts.ts";
import { alertNotice, evaluateDue, minuteOf } from "./evaluate.ts";
import { sendLetters } from "./letters.ts";
import { isMeasureName } from "./measure-schema.ts";
import { preview as previewOf } from "./preview.ts";
import * as alerts from "./repository.ts";
import {
  ALERT_STATES,
  type AlertHistory,
  type AlertHistoryInput,
  type AlertList,
  type AlertPreview,
  type AlertSummary,
  alertSummary,
  alertView,
  type Condition,
  RULES_MAX,
  type SaveAlert,
  type SnoozeAlert,
} from "./schema.ts";

const MINUTE = 60_000;
/** After the minute's end: what happened in it is committed by then. */
const AFTER_MS = 5_000;
const KEPT_DAYS = 90;

export interface Alerts {
  /** Evaluates the due rules; returns their number. */
  tick(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export interface AlertsOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly mailer: Pick<Mailer, "send">;
  /** Where people reach this server. */
  readonly url: string;
  readonly clock?: Clock;
  /** Counts that are in memory; by default unknown. */
  readonly gauges?: Gauges;
}

/** Evaluates nothing before `start`. */
export function createAlerts(options: AlertsOptions): Alerts {
  const { db, bus, log, mailer, url, clock = systemClock, gauges = NO_GAUGES } = options;
  const untilNextMinute = () => minuteOf(clock.now()).getTime() + MINUTE + AFTER_MS - clock.now();
  const repeater = createRepeater({
    turn: () => turn().then(untilNextMinute),
    firstMs: untilNextMinute,
    retryMs: untilNextMinute,
    onFailure: (err) => log.error({ err }, "alerts could not be looked at"),
  });

  async function tick(): Promise<number> {
    const count = await evaluateDue({ pool: db.pool, bus, log, gauges }, minuteOf(clock.now()));
    await sendLetters({ db, clock, mailer, url });
    return count;
  }

  async function turn(): Promise<void> {
    await tick();
    if (minuteOf(clock.now()).getUTCMinutes() === 0)
      await inInstallation(() => alerts.dropOldEvents(db.pool, new Date(clock.now()), KEPT_DAYS));
  }

  return { tick, start: repeater.start, stop: repeater.stop };
}

/** Every rule, the most pressing first. */
export async function list(db: Database, workspaceId: string): Promise<AlertList> {
  const [rows, mail] = await Promise.all([alerts.list(db.prisma, workspaceId), hasMail(db)]);
  const ids = rows.flatMap(({ agentId, groupId, signOnGroupId }) =>
    [agentId ?? [], groupId ?? [], signOnGroupId ?? []].flat(),
  );
  const [names, people] = await Promise.all([
    alerts.listNames(db.pool, workspaceId, ids),
    listPrincipalNames(
      db.pool,
      workspaceId,
      rows.flatMap(({ personId }) => personId ?? []),
    ),
  ]);
  const views = rows
    .filter(({ measure }) => isMeasureName(measure))
    .map((row) => {
      const { workspaceId: _own, isTold: _told, createdAt: _created, updatedAt: _updated, ...shown } = row;
      const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? "one that is gone"));
      const personName = row.personId === null ? null : (people.get(row.personId) ?? "a person who is not known");
      const [agentName, groupName, signOnGroupName] = [row.agentId, row.groupId, row.signOnGroupId].map(nameOf);
      return alertView.parse({ ...shown, agentName, groupName, signOnGroupName, personName });
    });
  const rank = (state: (typeof ALERT_STATES)[number]) => ALERT_STATES.indexOf(state);
  return { rows: views.sort((a, b) => rank(a.state) - rank(b.state)), hasMail: mail };
}

/** The summary of alerts for other pages. Snoozed alerts are excluded. */
export async function summary(db: Database, workspaceId: string): Promise<AlertSummary> {
  const rows = (await alerts.list(db.prisma, workspaceId)).filter(({ isEnabled }) => isEnabled);
  const now = new Date();
  const firing = rows.filter(
    ({ state, snoozedUntil }) => state === "firing" && (snoozedUntil === null || snoozedUntil <= now),
  );
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  return alertSummary.parse({
    firing: firing.map(({ id, name, severity, stateSince }) => ({ id, name, severity, since: stateSince })),
    pending: count("pending"),
    noData: count("no_data"),
    rules: rows.length,
  });
}

export function preview(db: Database, workspaceId: string, rule: Condition): Promise<AlertPreview> {
  return previewOf(db.pool, workspaceId, rule, Date.now());
}

export async function history(db: Database, workspaceId: string, input: AlertHistoryInput): Promise<AlertHistory> {
  const rows = await alerts.listEvents(db.pool, workspaceId, input);
  const last = rows.length > input.limit ? rows[input.limit - 1] : undefined;
  return { rows: rows.slice(0, input.limit), next: last ? { at: last.at, id: last.id } : null };
}

interface World {
  readonly db: Database;
  readonly bus: Bus;
}

/** The fields that define the condition: a change of one starts the rule again. */
const COMPARED = [
  "measure",
  "agentId",
  "groupId",
  "modelId",
  "personId",
  "signOnGroupId",
  "windowMinutes",
  "comparison",
  "threshold",
] as const;

const NO_PERSON = "This person is not known here, or their name was erased. Choose another person.";

const NO_SIGN_ON_GROUP = "This group of the sign-on provider does not exist. Choose another group.";

/**
 * Made or changed; answers its id. Errors: `alert_not_found`, `person_not_found`, `group_not_found`, `name_taken`,
 * `invalid_input`.
 */
export async function save({ db, bus }: World, actor: Administrator, input: SaveAlert): Promise<{ id: string }> {
  const { workspaceId } = actor;
  const { id = uuidv7(), ...rest } = input;
  const settings = { ...rest, updatedBy: actor.name };
  await announcedTransaction({ db, bus }, workspaceId, ["alerts"], async (tx) => {
    const before = input.id === undefined ? null : await requireRule(tx, workspaceId, id);
    if (input.personId !== null && (await findUsablePrincipal(tx, workspaceId, input.personId)) === null)
      throw new AppError("person_not_found", input.personId, { says: NO_PERSON, pointer: "/personId" });
    if (input.signOnGroupId !== null && !(await alerts.isSignOnGroup(tx, workspaceId, input.signOnGroupId)))
      throw new AppError("group_not_found", input.signOnGroupId, { says: NO_SIGN_ON_GROUP, pointer: "/signOnGroupId" });
    if (await alerts.isNameTaken(tx, workspaceId, input.name, id))
      throw new AppError("name_taken", input.name, {
        says: `There is already an alert named "${input.name}".`,
        pointer: "/name",
      });
    if (!before && (await alerts.count(tx, workspaceId)) >= RULES_MAX)
      throw new AppError("invalid_input", undefined, { says: `A workspace has at most ${RULES_MAX} alerts.` });
    if (before) {
      const isOther = !input.isEnabled || COMPARED.some((name) => before[name] !== rest[name]);
      if (isOther) await settle(tx, before, input.isEnabled ? "It was changed." : "It was turned off.");
      await alerts.update(tx, workspaceId, id, settings, isOther);
    } else await alerts.insert(tx, workspaceId, id, settings);
    const { name, measure } = input;
    const entry = { kind: "alert_saved", version: 1, by: actor.name, alert: id, name, measure } as const;
    await recordAudit(tx, actor, entry, before ? diffFields(comparable(before), comparable(rest)) : undefined);
  });
  return { id };
}

type Comparable = Omit<SaveAlert, "id" | "measure" | "windowMinutes" | "comparison" | "severity"> &
  Readonly<Record<"measure" | "comparison" | "severity", string>> & { readonly windowMinutes: number };
const comparable = ({ name, severity, emails, isEnabled, forMinutes, ...of }: Comparable) => ({
  name,
  severity,
  emails,
  isEnabled,
  forMinutes,
  ...Object.fromEntries(COMPARED.map((key) => [key, key === "threshold" ? of.threshold.toString() : of[key]])),
});

/** Removes an alert with its history. Errors: `alert_not_found`. */
export async function remove({ db, bus }: World, actor: Administrator, { id }: { id: string }): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["alerts"], async (tx) => {
    const before = await requireRule(tx, workspaceId, id);
    await settle(tx, before, "It was removed.");
    await alerts.remove(tx, workspaceId, id);
    await recordAudit(tx, actor, { kind: "alert_removed", version: 1, by: actor.name, alert: id, name: before.name });
  });
}

/** Snoozes an alert: it is still evaluated, but sends no notice. Errors: `alert_not_found`. */
export async function snooze({ db, bus }: World, actor: Administrator, { id, hours }: SnoozeAlert): Promise<void> {
  const { workspaceId } = actor;
  const until = hours === null ? null : new Date(Date.now() + hours * 60 * MINUTE);
  await announcedTransaction({ db, bus }, workspaceId, ["alerts"], async (tx) => {
    const { name } = await requireRule(tx, workspaceId, id);
    await alerts.snooze(tx, workspaceId, id, until);
    const entry = { kind: "alert_snoozed", version: 1, by: actor.name, alert: id, name } as const;
    await recordAudit(tx, actor, { ...entry, until: until?.toISOString() ?? null });
  });
}

type Rule = NonNullable<Awaited<ReturnType<typeof alerts.find>>>;

/** Queues the notice that the alert is resolved, if its firing notice was sent. */
async function settle(tx: Tx, rule: Rule, says: string): Promise<void> {
  if (!rule.isTold) return;
  // Holds: only `save` writes rules, and the schema checked their shape; the notice is text anyway.
  const told = alertNotice(rule as Rule & Parameters<typeof alertNotice>[0], { value: null, coverage: null }, says);
  await alerts.queueWebhook(tx, rule.workspaceId, "alert.resolved", told);
}

/** Returns the rule, locked: it is not evaluated until the transaction ends. */
async function requireRule(tx: Tx, workspaceId: string, id: string): Promise<Rule> {
  await alerts.lock(tx, workspaceId, id);
  const found = await alerts.find(tx, workspaceId, id);
  if (!found) throw new AppError("alert_not_found", id);
  return found;
}
