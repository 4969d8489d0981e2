import { z } from "zod";

/** `person`: a person or a service that agents work for. `sign_on_group`: all members of a group of the sign-on provider. */
export const SCOPES = ["workspace", "group", "agent", "person", "sign_on_group", "model", "session"] as const;
export const PERIODS = ["day", "month", "total"] as const;
export const UNPRICED = ["deny", "count", "pass"] as const;
export const scope = z.enum(SCOPES);
export const period = z.enum(PERIODS);
export const unpriced = z.enum(UNPRICED);
export type Scope = z.infer<typeof scope>;
export type Period = z.infer<typeof period>;
export type Unpriced = z.infer<typeof unpriced>;

/** Nano-dollars. A million dollars is a mistake, and sums of thousands must fit PostgreSQL's bigint. */
const nano = z.bigint().positive("Enter an amount above zero.").max(1_000_000_000_000_000n, "At most one million.");

const settings = {
  name: z.string().trim().min(1, "Enter a name.").max(64, "A name has at most 64 characters."),
  amountNano: nano,
  /** The most one call may cost: reserved before it. */
  reserveNano: nano.nullable(),
  /** Percent of the amount at which to warn. */
  thresholds: z
    .array(z.number().int().min(1).max(1_000))
    .max(10, "At most ten thresholds.")
    .transform((all) => [...new Set(all)].sort((a, b) => a - b)),
  isHard: z.boolean(),
  unpriced,
};
interface Reserving {
  readonly amountNano: bigint;
  readonly reserveNano: bigint | null;
  readonly isHard: boolean;
  readonly unpriced: Unpriced;
}
const reserves = ({ reserveNano, isHard, unpriced: rule }: Reserving) =>
  reserveNano !== null || (!isHard && rule === "pass");
const RESERVES = { path: ["reserveNano"], error: "Enter the most one call may cost." };
const fits = ({ amountNano, reserveNano }: Reserving) => reserveNano === null || reserveNano <= amountNano;
const FITS = { path: ["reserveNano"], error: "One call may not cost more than the whole budget." };

/** Whose money it is. */
export const about = z.discriminatedUnion("scope", [
  z.strictObject({ scope: z.literal("agent"), agentId: z.uuid() }),
  z.strictObject({ scope: z.literal("group"), groupId: z.uuid() }),
  z.strictObject({ scope: z.literal("person"), personId: z.uuid() }),
  z.strictObject({ scope: z.literal("sign_on_group"), signOnGroupId: z.uuid() }),
  /** As agents name it: `anthropic/claude-sonnet-4-5`. */
  z.strictObject({ scope: z.literal("model"), model: z.string().trim().min(1, "Enter a model.").max(200) }),
  z.strictObject({ scope: z.literal("workspace") }),
  /** Each session for itself. */
  z.strictObject({ scope: z.literal("session") }),
]);
export type About = z.infer<typeof about>;

export const createBudget = z
  .strictObject({ ...settings, about, period })
  .refine(reserves, RESERVES)
  .refine(fits, FITS)
  .refine(({ about, period }) => about.scope !== "session" || period === "total", {
    path: ["period"],
    error: "A session budget has no period.",
  });
export type CreateBudget = z.infer<typeof createBudget>;

/** Scope and period cannot be changed: the counted figures would change their meaning. */
export const changeBudget = z
  .strictObject({ budgetId: z.uuid(), version: z.number().int().positive().max(2_147_483_647), ...settings })
  .refine(reserves, RESERVES)
  .refine(fits, FITS);
export type ChangeBudget = z.infer<typeof changeBudget>;

export const budgetById = z.strictObject({ budgetId: z.uuid() });
export type BudgetById = z.infer<typeof budgetById>;
export const removeBudget = z.strictObject({
  budgetId: z.uuid(),
  version: z.number().int().positive().max(2_147_483_647),
});
export type RemoveBudget = z.infer<typeof removeBudget>;
export const releaseReservation = z.strictObject({ budgetId: z.uuid(), agentId: z.uuid(), requestId: z.uuid() });
export type ReleaseReservation = z.infer<typeof releaseReservation>;

/** The figures of one account in one period. The used amount is spent, assumed and held. */
export const accountView = z.object({
  spentNano: z.bigint(),
  /** The reservations of unpriced calls. */
  assumedNano: z.bigint(),
  heldNano: z.bigint(),
  priced: z.number(),
  free: z.number(),
  unpriced: z.number(),
  /** Calls that cost more than was reserved for them. */
  beyond: z.number(),
  /** Calls with a cost and without a reservation, since the budget was created. */
  unreserved: z.number(),
  unreservedNano: z.bigint(),
  /** The most expensive of them: a call reserves this much if it is more than the budget's amount. */
  dearestNano: z.bigint(),
  refused: z.number(),
  refusedAt: z.date().nullable(),
});
export type AccountView = z.infer<typeof accountView>;

/** `over`: spent beyond the amount. `closed`: a hard one without room for another call. */
export const budgetState = z.enum(["open", "warned", "closed", "over"]);
export type BudgetState = z.infer<typeof budgetState>;

export const forecastView = z.discriminatedUnion("kind", [
  /** No forecast: the reason, in a sentence. */
  z.object({ kind: z.literal("none"), says: z.string() }),
  z.object({
    kind: z.literal("linear"),
    /** The spending at the end of the period at the present pace. */
    nano: z.bigint(),
    /** The start of the measured pace. */
    since: z.date(),
    calls: z.number(),
    /** When the amount is reached at this pace, if that is before the end. */
    reachedAt: z.date().nullable(),
  }),
]);
export type ForecastView = z.infer<typeof forecastView>;

const namedAgents = z.object({ count: z.number(), names: z.array(z.string()) });
/** The agents of a hard budget, by its effect on them: the number of each kind and their first names. */
export const bindingView = z.object({
  /** It can refuse their calls: their policy has `budget_guard`. */
  bound: namedAgents,
  /** Only counted, until a policy with `budget_guard` applies to them. */
  unbound: namedAgents,
  /** Only counted: their client never asks before a model call. */
  unasked: namedAgents,
});
export type BindingView = z.infer<typeof bindingView>;
/** The same for a budget that is being written. */
export const askedBindingView = bindingView.extend({
  /** The dearest of its recent calls; null without a priced one. */
  dearestNano: z.bigint().nullable(),
});
export type AskedBindingView = z.infer<typeof askedBindingView>;
export const askBinding = z.strictObject({ about });
export type AskBinding = z.infer<typeof askBinding>;

export const budgetView = z.object({
  id: z.uuid(),
  name: z.string(),
  scope,
  target: z.string(),
  /** The name of the target; null when it was removed. */
  targetName: z.string().nullable(),
  /** The agents that work for the target now; null except for people and groups of the sign-on provider. */
  agents: z.number().nullable(),
  period,
  periodStart: z.date().nullable(),
  periodEnd: z.date().nullable(),
  /** Its first and last days, and the zone at whose midnight it begins; null without a beginning and an end. */
  periodDays: z.object({ first: z.string(), last: z.string(), timeZone: z.string() }).nullable(),
  amountNano: z.bigint(),
  reserveNano: z.bigint().nullable(),
  thresholds: z.array(z.number()),
  isHard: z.boolean(),
  unpriced,
  version: z.number(),
  createdAt: z.date(),
  createdBy: z.string(),
  updatedAt: z.date(),
  updatedBy: z.string(),
  /** This period's; of a budget for each session, the session that used most. */
  account: accountView,
  /** Where each session has the amount: how many were counted and how many have no room left, and the fullest. */
  sessions: z.object({ counted: z.number(), closed: z.number(), fullest: z.string().nullable() }).nullable(),
  state: budgetState,
  /** Set where the stored budget cannot be read: a hard one refuses every call that it may concern. */
  problem: z.string().nullable(),
  /** Null for a soft one. */
  binding: bindingView.nullable(),
  /** The highest threshold that is passed. */
  passed: z.number().nullable(),
  forecast: forecastView,
});
export type BudgetView = z.infer<typeof budgetView>;

export const reservationView = z.object({
  requestId: z.uuid(),
  agentId: z.uuid(),
  agentName: z.string(),
  sessionId: z.string(),
  modelId: z.string(),
  nano: z.bigint(),
  madeAt: z.date(),
  /** True if no report of the call has arrived in time, so it counts as spent until a person releases it. */
  isLapsed: z.boolean(),
});
export type ReservationView = z.infer<typeof reservationView>;

export const refusalView = z.object({
  occurredAt: z.date(),
  dispatchId: z.uuid(),
  agentName: z.string(),
  sessionId: z.string(),
  modelId: z.string(),
  reason: z.string(),
});

export const alertView = z.object({
  threshold: z.number(),
  periodStart: z.string(),
  subject: z.string(),
  at: z.date(),
  usedNano: z.bigint(),
  amountNano: z.bigint(),
});

export const budgetDetailView = z.object({
  budget: budgetView,
  /** The sentence of a refused call, now or at the limit; null when no call is refused. */
  refusalText: z.string().nullable(),
  /** The newest first. */
  reservations: z.array(reservationView),
  reservationsMore: z.boolean(),
  /** Reservations without a report for an hour: they can be released together. */
  lapsed: z.object({ count: z.number(), nano: z.bigint() }),
  refusals: z.array(refusalView),
  alerts: z.array(alertView),
});
export type BudgetDetailView = z.infer<typeof budgetDetailView>;

/** The possible targets of a budget. */
export const targetsView = z.object({
  agents: z.array(z.object({ id: z.uuid(), name: z.string() })),
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** People and services that agents work for, or that telemetry named. */
  people: z.array(z.object({ id: z.uuid(), name: z.string() })),
  /** Groups that the sign-on provider named for members, with the number of these. */
  signOnGroups: z.array(z.object({ id: z.uuid(), name: z.string(), members: z.number() })),
  /** As agents named them in the last 30 days. */
  models: z.array(z.string()),
});
export type TargetsView = z.infer<typeof targetsView>;

export const releasedView = z.strictObject({ count: z.number() });
