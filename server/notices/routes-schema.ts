/** Alert routes by team. Alerts that match no route go to everyone who chose alerts. */
import { z } from "zod";
import { SEVERITIES } from "../alerts/schema.ts";
import { noticeWebhook } from "./schema.ts";

export const ROUTES_MAX = 20;
export const TEAM_CHARS_MAX = 60;
const TEAM_PEOPLE_MAX = 50;

export const alertRoute = z.strictObject({
  team: z
    .string()
    .trim()
    .min(1, "Enter the team's name.")
    .max(TEAM_CHARS_MAX)
    .regex(/^[^\p{C}]*$/u, "A name is one line of text."),
  /** Alerts about this group of agents, or an agent in it; null: every alert. */
  groupId: z.uuid().nullable(),
  /** Alerts of this severity or higher. */
  from: z.enum(SEVERITIES),
  people: z.array(z.uuid()).max(TEAM_PEOPLE_MAX),
  webhookId: z.uuid().nullable(),
});
export type AlertRoute = z.infer<typeof alertRoute>;

export const alertRoutes = z.strictObject({
  routes: z
    .array(alertRoute)
    .max(ROUTES_MAX)
    .superRefine((routes, { addIssue }) => {
      for (const [at, { people, webhookId }] of routes.entries())
        if (people.length === 0 && webhookId === null)
          addIssue({ code: "custom", message: "Choose a person or a webhook.", path: [at, "people"] });
    }),
});
export type AlertRoutes = z.infer<typeof alertRoutes>;

const named = z.strictObject({ id: z.uuid(), name: z.string() });

export const alertRoutesView = alertRoutes.extend({
  /** Null: they were never set. */
  setAt: z.date().nullable(),
  setBy: z.string().nullable(),
  people: z.array(named),
  groups: z.array(named),
  webhooks: z.array(noticeWebhook),
});
export type AlertRoutesView = z.infer<typeof alertRoutesView>;
