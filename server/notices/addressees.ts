/** The people whom notices concern, and the ways by which each of them gets one. */
import { type AdministratorPermission, holdersOf } from "../access/permissions.ts";
import { type Notice, notice } from "./notice.ts";
import { isQuiet } from "./quiet-hours.ts";
import { NOTICE_KINDS, type NoticeChoices, type NoticeKind } from "./schema.ts";

export interface Member {
  readonly personId: string;
  readonly role: string;
  readonly choices: NoticeChoices;
}

export interface PersonNotice extends Notice {
  readonly personId: string;
  readonly onPage: boolean;
  readonly inBrowser: boolean;
  readonly isMailed: boolean;
}

/** Notices of one kind that one person gets at a time; the rest become one notice with their number. */
export const TOGETHER_MAX = 20;

/** The permission that the notices of a kind take. */
const PERMISSIONS: Readonly<Record<NoticeKind, AdministratorPermission>> = {
  ...{ approvals: "approval:decide", reviews: "policy:review", budgets: "console:read", alerts: "console:read" },
  ...{ halts: "console:read", drills: "console:read", exceptions: "approval:decide" },
  calls: "call:follow-up",
};

/** True if people of a role may get notices of a kind; every role may get a test. */
export const isPermitted = (kind: string, role: string): boolean =>
  kind === "test" ||
  NOTICE_KINDS.some((one) => one === kind && holdersOf(PERMISSIONS[one]).some((holder) => holder === role));

function concerns({ audience }: Notice, member: Pick<Member, "personId">): boolean {
  const { only, except } = audience;
  return (only === null || only.includes(member.personId)) && !except.includes(member.personId);
}

/**
 * The notices of one person, by their chosen channels. Quiet hours hold back browser notifications here, and mails at
 * sending time.
 */
export function noticesFor(member: Member, notices: readonly Notice[], now: Date): readonly PersonNotice[] {
  const { personId, choices } = member;
  const isHeldBack = isQuiet(choices.quiet, now);
  return gathered(notices.filter((one) => isPermitted(one.kind, member.role) && concerns(one, member))).flatMap(
    (one) => {
      const ways = choices.ways[one.kind];
      const onPage = ways.includes("page");
      const inBrowser = ways.includes("browser") && (one.isUrgent || !isHeldBack);
      const isMailed = ways.includes("mail");
      return onPage || inBrowser || isMailed ? [{ ...one, personId, onPage, inBrowser, isMailed }] : [];
    },
  );
}

/** Limits the notices of each kind: equal notices are merged into one, and those above the limit are counted in one. */
function gathered(notices: readonly Notice[]): readonly Notice[] {
  const kinds = NOTICE_KINDS.filter((kind) => notices.some((one) => one.kind === kind));
  return kinds.flatMap((kind) => bounded(kind, merged(notices.filter((one) => one.kind === kind))));
}

function merged(notices: readonly Notice[]): readonly Notice[] {
  const equal = new Map<string, Notice[]>();
  for (const one of notices) equal.set(one.group, [...(equal.get(one.group) ?? []), one]);
  return [...equal.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    if (group.length === 1) return [first];
    // If one of them is about no request, the merged notice never ends by itself.
    const requestIds = group.every((one) => one.requestIds.length > 0) ? group.flatMap((one) => one.requestIds) : [];
    return [{ ...first, title: `${first.title} (${group.length} alike)`, requestIds }];
  });
}

const PATHS: Readonly<Record<NoticeKind, string>> = {
  ...{ approvals: "/approvals", reviews: "/policies/reviews", budgets: "/spend/budgets" },
  ...{ alerts: "/settings/alerts", halts: "/audit/halts", drills: "/agents", exceptions: "/approvals/exceptions" },
  calls: "/activity",
};

function bounded(kind: NoticeKind, notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= TOGETHER_MAX) return notices;
  const rest = notices.slice(TOGETHER_MAX - 1);
  const [first] = rest;
  if (first === undefined) return notices;
  const { key, at, audience } = first;
  const summary = notice({
    ...{ key: `rest/${key}`.slice(0, 200), kind, at, path: PATHS[kind], audience },
    ...{ title: `${rest.length} more notifications of ${kind}`, says: "They arrived together and are counted here." },
    isUrgent: rest.some(({ isUrgent }) => isUrgent),
  });
  return [...notices.slice(0, TOGETHER_MAX - 1), summary];
}

/** Collects the notices of each webhook: those of teams at once, and those of people as they are added. */
export function createWebhookNotices(notices: readonly Notice[]) {
  const found = new Map<string, Set<Notice>>();
  const put = (webhookId: string, one: Notice) => found.set(webhookId, (found.get(webhookId) ?? new Set()).add(one));
  for (const one of notices) for (const webhookId of one.audience.webhookIds) put(webhookId, one);
  return {
    add(member: Member): void {
      const { webhookId, ways } = member.choices;
      if (webhookId === null) return;
      for (const one of notices)
        if (ways[one.kind].includes("webhook") && isPermitted(one.kind, member.role) && concerns(one, member))
          put(webhookId, one);
    },
    byWebhook: (): ReadonlyMap<string, readonly Notice[]> =>
      new Map([...found].map(([webhookId, set]) => [webhookId, gathered([...set])])),
  };
}
