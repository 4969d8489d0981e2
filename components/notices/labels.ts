import type { NoticeKind, NoticeWay } from "@/server/notices/schema";

export const WAY_LABELS: Readonly<Record<NoticeWay, string>> = {
  ...{ page: "Page", browser: "Browser", mail: "E-mail", webhook: "Webhook" },
};

interface KindLabel {
  readonly label: string;
  readonly help: string;
}

export const KIND_LABELS: Readonly<Record<NoticeKind, KindLabel>> = {
  approvals: { label: "Approvals", help: "Calls waiting for your answer, reminders and escalations." },
  reviews: { label: "Reviews", help: "Drafts and changes that need a second approver." },
  budgets: { label: "Budgets", help: "A budget crosses a threshold or is used up." },
  alerts: {
    label: "Alerts",
    help: "An alert starts or stops firing. If a route matches, only the route's people are notified.",
  },
  halts: { label: "Halts", help: "Agents are halted or resumed. Notifications about halts ignore quiet hours." },
  drills: { label: "Drills", help: "An agent's drill finished." },
  exceptions: { label: "Exceptions", help: "One of your exceptions expired and needs your review." },
  calls: { label: "Calls", help: "Calls are assigned to you." },
};

/** The label of any kind of notice, including a test. */
export const kindLabel = (kind: NoticeKind | "test"): string => (kind === "test" ? "Test" : KIND_LABELS[kind].label);
