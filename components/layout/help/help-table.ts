/** The part of the documentation that explains each place of the console: `document#anchor`. A test holds it to the documents. */

/** Pages by their paths, the longest first. `*` is one segment; the pages below a path have its help too. */
export const PAGE_HELP = {
  "/activity/sessions/timeline": "architecture#sessions",
  "/activity/sessions": "concepts#sessions-and-compactions",
  "/activity/compactions": "concepts#sessions-and-compactions",
  "/activity/approval-paths": "architecture#sources-of-decisions",
  "/activity": "concepts#calls-verdicts-and-outcomes",
  "/approvals/exceptions": "approvals#always-allow",
  "/approvals/answerers": "approvals#who-answers",
  "/approvals/answered": "approvals#on-record",
  "/approvals": "approvals#waiting",
  "/policies/packs": "packs",
  "/policies/judges": "judging",
  "/policies/prompts": "judging#trials",
  "/policies/reviews": "architecture#reviews",
  "/policies/performance": "concepts#calls-verdicts-and-outcomes",
  "/policies/rules": "lint-rules",
  "/policies/*/backtests": "backtests",
  "/policies/*": "rules",
  "/policies": "concepts#policies",
  "/agents/tools": "fleet#tools",
  "/agents/extensions": "extensions",
  "/agents/groups": "fleet#tags",
  "/agents/enrolment": "dialects#enrolment",
  "/agents/clients": "dialects",
  "/agents/people": "people",
  "/agents/login": "people#log-in-a-computer",
  "/agents/*": "fleet#sources",
  "/agents": "fleet",
  "/spend/budgets": "budgets",
  "/spend/prices": "budgets#unknown-costs",
  "/spend": "concepts#spend-and-budgets",
  "/audit/proof": "concepts#the-record",
  "/audit/evidence": "operations#evidence-for-a-third-party",
  "/audit/halts": "halts#on-record",
  "/audit": "concepts#the-record",
  "/settings/publishing": "backtests#publish-requirements",
  "/settings/people": "concepts#people-and-roles",
  "/settings/notifications": "approvals#notices",
  "/settings/alerts": "concepts#notifications-and-alerts",
  "/settings/webhooks": "concepts#notifications-and-alerts",
  "/settings/streams": "siem",
  "/settings/sign-on": "sign-in#ways-in",
  "/settings/data": "operations#data-retention",
  "/settings/health": "operations#doctor",
  "/settings": "sign-in",
  "/notices": "concepts#notifications-and-alerts",
  "/": "concepts",
} as const satisfies Readonly<Record<string, string>>;

/** Fields and messages that a document explains, with the subject that a screen reader hears. */
export const TOPICS = {
  masking: { about: "masking", to: "masking" },
  failurePolicy: { about: "failures of a hook", to: "faults" },
  toolKinds: { about: "tool kinds", to: "dialects#tool-kinds" },
  enrolment: { about: "enrolment", to: "dialects#enrolment" },
  people: { about: "people and agents", to: "people" },
  reservation: { about: "hard budgets and reservations", to: "budgets#what-is-reserved" },
  approvers: { about: "approvers", to: "approvals#who-answers" },
  publishRequirements: { about: "publish requirements", to: "backtests#publish-requirements" },
  exceptions: { about: "exceptions", to: "approvals#always-allow" },
  evidence: { about: "the record and its evidence", to: "operations#evidence-for-a-third-party" },
} as const;
export type HelpTopic = keyof typeof TOPICS;

/** Refusals that a document explains, by the code of the error. */
export const ERROR_HELP: Readonly<Record<string, string>> = {
  unknown_host: "operations#behind-a-proxy",
  foreign_origin: "operations#behind-a-proxy",
  step_up_required: "sign-in#confirming-who-you-are",
  wrong_credentials: "sign-in#ways-in",
  sign_in_link_spent: "sign-in#ways-in",
  enrolment_token_over: "dialects#enrolment",
  too_many_people: "people#limits",
  login_code_unknown: "people#log-in-a-computer",
  approval_own_agent: "approvals#who-answers",
  approval_answered_twice: "approvals#who-answers",
  approval_not_asked: "approvals#who-answers",
  exception_refused: "approvals#always-allow",
  exception_not_lapsed: "approvals#always-allow",
  already_halted: "halts#who-is-halted",
  review_required: "architecture#reviews",
  second_person_needed: "concepts#people-and-roles",
  policy_blocked: "rollout#findings-that-block",
  requirements_unmet: "backtests#publish-requirements",
  cases_failing: "testing-policies#test-cases",
  export_loses_gates: "exporting#refused-left-out-different",
  policy_invalid: "rules#conditions",
  too_many_drills: "drills",
  overloaded: "operations#overload",
};

/** The help of a page, or null for a page without its own. */
export function pageHelp(pathname: string): string | null {
  const found = Object.entries(PAGE_HELP).find(([path]) => isWithin(pathname, path));
  return found?.[1] ?? null;
}

function isWithin(pathname: string, path: string): boolean {
  if (path === "/") return pathname === "/";
  const parts = pathname.split("/");
  return path.split("/").every((part, at) => (part === "*" ? Boolean(parts[at]) : part === parts[at]));
}

/** The address of `document#anchor`. */
export const helpHref = (to: string): string => `/docs/${to}`;
