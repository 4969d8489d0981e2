/** Notices of alerts, by the routes of teams, and of budgets. */
import { SEVERITIES } from "../alerts/schema.ts";
import { type Audience, EVERYBODY, type Notice, notice } from "./notice.ts";
import type { AlertRoute } from "./routes-schema.ts";
import type { AlertRow, CrossingRow } from "./sources-repository.ts";

export function alertNotice(row: AlertRow, routes: readonly AlertRoute[]): Notice {
  const { id, at, state, name, severity, says } = row;
  const title = state === "firing" ? `An alert is firing: ${severityWord(severity)}` : "An alert stopped firing";
  return notice({
    ...{ key: `alert/${id}`, kind: "alerts", at, title, says: `${name}: ${says}`, path: "/settings/alerts" },
    audience: audienceOf(row, routes),
  });
}

/** The people and webhooks of every team whose route matches; everyone when no route matches. */
export function audienceOf(
  { severity, groupIds }: Pick<AlertRow, "severity" | "groupIds">,
  routes: readonly AlertRoute[],
): Audience {
  const words: readonly string[] = SEVERITIES;
  const rank = (word: string) => words.indexOf(word);
  const matching = routes.filter(
    ({ from, groupId }) => rank(severity) >= rank(from) && (groupId === null || groupIds.includes(groupId)),
  );
  if (matching.length === 0) return EVERYBODY;
  return {
    ...EVERYBODY,
    only: [...new Set(matching.flatMap(({ people }) => people))],
    webhookIds: [...new Set(matching.flatMap(({ webhookId }) => webhookId ?? []))],
  };
}

const severityWord = (word: string) => SEVERITIES.find((one) => one === word) ?? "of unknown severity";

export const crossingNotice = ({ budgetId, name, period, subject, threshold, at, isUsedUp }: CrossingRow): Notice =>
  notice({
    ...{ key: `budget/${budgetId}/${period}/${subject}/${threshold}`, kind: "budgets", at, path: "/spend/budgets" },
    ...{ title: isUsedUp ? "A budget is used up" : `A budget crossed ${threshold} %`, says: name },
  });
