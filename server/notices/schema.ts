/** The notices of a person: kinds, delivery channels, and each person's own choices. */
import { z } from "zod";
import { timeZoneName } from "../calendar/schema.ts";

export const NOTICE_KINDS = [
  "approvals",
  "reviews",
  "budgets",
  "alerts",
  "halts",
  "drills",
  "exceptions",
  "calls",
] as const;
const noticeKind = z.enum(NOTICE_KINDS);
export type NoticeKind = z.infer<typeof noticeKind>;

export const NOTICE_WAYS = ["page", "browser", "mail", "webhook"] as const;
const noticeWay = z.enum(NOTICE_WAYS);
export type NoticeWay = z.infer<typeof noticeWay>;

/** A time of day, "22:30". */
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time of day, such as 22:00.");

/** Mail and browser notifications are held back during quiet hours. An end before the beginning is on the next day. */
export const quietHours = z
  .strictObject({ from: timeOfDay, to: timeOfDay, timeZone: timeZoneName })
  .refine(({ from, to }) => from !== to, {
    message: "Quiet hours must end at a different time than they begin.",
    path: ["to"],
  });
export type QuietHours = z.infer<typeof quietHours>;

const ways = z.array(noticeWay).transform((list) => NOTICE_WAYS.filter((way) => list.includes(way)));
const waysByKind = z.strictObject({
  ...{ approvals: ways, reviews: ways, budgets: ways, alerts: ways, halts: ways, drills: ways, exceptions: ways },
  calls: ways,
} satisfies Record<NoticeKind, typeof ways>);

export const noticeChoices = z.strictObject({
  ways: waysByKind,
  /** Null: none. */
  quiet: quietHours.nullable(),
  /** One of the workspace's webhooks that take notices; null: none. */
  webhookId: z.uuid().nullable(),
});
export type NoticeChoices = z.infer<typeof noticeChoices>;

/** Mail and webhooks are opt-in for each person. */
export const DEFAULT_CHOICES: NoticeChoices = {
  ways: {
    approvals: ["page", "browser"],
    reviews: ["page", "browser"],
    budgets: ["page"],
    alerts: ["page"],
    halts: ["page", "browser"],
    drills: ["page"],
    exceptions: ["page"],
    calls: ["page"],
  },
  quiet: null,
  webhookId: null,
};

/** A webhook that takes notices, by the host it is at. */
export const noticeWebhook = z.strictObject({ id: z.uuid(), host: z.string(), shape: z.string() });

export const choicesView = z.strictObject({
  choices: noticeChoices,
  mail: z.strictObject({
    address: z.string().nullable(),
    /** The reason why no letter could be sent now. */
    state: z.enum(["ready", "no_server", "no_address", "unproven_address"]),
    /** The error of the newest mail, if it failed. */
    failure: z.string().nullable(),
  }),
  webhooks: z.array(noticeWebhook),
});
export type ChoicesView = z.infer<typeof choicesView>;

export const noticeView = z.strictObject({
  key: z.string(),
  kind: z.union([noticeKind, z.literal("test")]),
  at: z.date(),
  title: z.string(),
  says: z.string(),
  path: z.string(),
  /** Read, or about a request that is answered. */
  isDone: z.boolean(),
});
export type NoticeView = z.infer<typeof noticeView>;

export const noticeList = z.strictObject({ notices: z.array(noticeView), unread: z.number() });
export type NoticeList = z.infer<typeof noticeList>;

/** The parts of the inbox. */
export const NOTICE_BOXES = ["inbox", "snoozed", "archived"] as const;
export const noticeBox = z.enum(NOTICE_BOXES);
export type NoticeBox = z.infer<typeof noticeBox>;
export const listNotices = z.strictObject({ box: noticeBox.default("inbox") });

/** Notices that one act moves. */
const FILED_MAX = 100;
const SNOOZE_DAYS_MAX = 90;
const DAY_MS = 86_400_000;
const keys = z.array(z.string().min(1).max(200)).min(1).max(FILED_MAX);
/** Moves notices to the archive, or back. */
export const archiveNotices = z.strictObject({ keys, isArchived: z.boolean() });
export type ArchiveNotices = z.infer<typeof archiveNotices>;
/** Hides notices until a time, after which they are unread again; null returns them now. */
export const snoozeNotices = z.strictObject({
  keys,
  until: z
    .date()
    .refine((at) => at.getTime() <= Date.now() + SNOOZE_DAYS_MAX * DAY_MS, "Snooze for at most 90 days.")
    .nullable(),
});
export type SnoozeNotices = z.infer<typeof snoozeNotices>;

/** Marks notices up to this time, so that newer ones stay unread. */
export const markRead = z.strictObject({ upTo: z.date() });

/** The channels of a test. */
export const testedNotice = z.strictObject({ ways: z.array(noticeWay) });
