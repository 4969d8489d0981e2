/**
 * The places of the console and their tabs: one table for the rail, the tabs, the palette, the `g` keys, page titles
 * and breadcrumbs. `server/platform/former-addresses.ts` redirects the addresses of earlier versions.
 */
import {
  Activity,
  Bot,
  FileCode,
  Hand,
  House,
  Inbox,
  type LucideIcon,
  ScrollText,
  Settings,
  Wallet,
} from "lucide-react";
import type { AttentionView } from "@/server/overview/attention/schema";

/** A count of the navigation, by its name in `attention.counts`. */
export type CountName = keyof AttentionView;

/** The filter keys that travel from page to page. */
export const TRAVELLING_KEYS = ["agent", "tag"] as const;
export type TravellingKey = (typeof TRAVELLING_KEYS)[number];

/** A page as the palette lists it. */
export interface NavPage {
  readonly href: string;
  readonly label: string;
  /** The contents of the page, for the palette. */
  readonly about: string;
  /** Synonyms for the palette. */
  readonly keywords?: readonly string[];
  /** `g` and this letter open the page. */
  readonly jump?: string;
}

export interface NavTab extends NavPage {
  /** The title of the page, where it differs from the label. */
  readonly title?: string;
  /** The count shown next to the label. */
  readonly count?: CountName;
  /** True if the page reads `?range=`. */
  readonly hasRange?: true;
  /** The travelling filter keys that the page's filter knows. */
  readonly filterKeys?: readonly TravellingKey[];
  /** Pages that are drawn under this tab. */
  readonly also?: readonly string[];
}

export interface NavPlace {
  readonly label: string;
  readonly icon: LucideIcon;
  /** The counts that the rail adds up for this place. No count belongs to two places. */
  readonly counts: readonly CountName[];
  readonly tabs: readonly [NavTab, ...NavTab[]];
  /** Pages of the place that are no tab; the palette lists them. */
  readonly pages?: readonly NavPage[];
}

const home: NavPlace = {
  ...{ label: "Home", icon: House, counts: [] },
  tabs: [
    {
      ...{ href: "/", label: "Home", jump: "o", about: "what is happening now", hasRange: true },
      keywords: ["overview", "dashboard", "start"],
    },
  ],
};

const activity: NavPlace = {
  ...{ label: "Activity", icon: Activity, counts: [] },
  tabs: [
    {
      ...{ href: "/activity", label: "Calls", jump: "d", about: "calls that were allowed, asked and denied" },
      ...{ hasRange: true, filterKeys: ["agent"], keywords: ["decisions", "denied", "verdicts", "tool calls"] },
    },
    {
      ...{ href: "/activity/sessions", label: "Sessions", jump: "s", about: "one conversation, event by event" },
      ...{ hasRange: true, filterKeys: ["agent"], keywords: ["conversations", "timeline", "prompts"] },
    },
    {
      ...{ href: "/activity/compactions", label: "Compactions", jump: "m", about: "summaries and what they lost" },
      ...{ hasRange: true, filterKeys: ["agent"], keywords: ["context", "summary"] },
    },
    {
      ...{ href: "/activity/approval-paths", label: "Approval paths", about: "who or what approved calls" },
      ...{ hasRange: true, keywords: ["yolo", "approver", "sources"] },
    },
  ],
};

const approvals: NavPlace = {
  ...{ label: "Approvals", icon: Hand, counts: ["approvals"] },
  tabs: [
    {
      ...{ href: "/approvals", label: "Waiting", title: "Approvals", jump: "r", count: "approvals" },
      ...{ about: "calls that wait for an answer", keywords: ["approve", "allow", "deny", "requests"] },
    },
    {
      ...{ href: "/approvals/answered", label: "Answered", about: "answered and expired requests" },
      keywords: ["history of approvals", "lapsed"],
    },
    {
      ...{ href: "/approvals/exceptions", label: "Exceptions", about: "permissions that expire" },
      keywords: ["always allow", "waivers"],
    },
    {
      ...{ href: "/approvals/answerers", label: "Who answers", about: "approvers, risk levels, two people" },
      keywords: ["approvers", "risk", "escalation", "two people", "settings"],
    },
  ],
};

const policies: NavPlace = {
  ...{ label: "Policies", icon: FileCode, counts: ["reviews"] },
  tabs: [
    {
      ...{ href: "/policies", label: "Policies", jump: "p", about: "rules, drafts and revisions" },
      keywords: ["hooks", "guards", "yaml", "force push"],
    },
    { href: "/policies/packs", label: "Packs", about: "ready-made policies", keywords: ["gallery", "templates"] },
    {
      ...{ href: "/policies/judges", label: "Judges and prompts", title: "Judges", jump: "j", hasRange: true },
      ...{ about: "models that decide, caps, connections", also: ["/policies/prompts"] },
      keywords: ["llm", "model connection", "provider", "evaluators"],
    },
    {
      ...{ href: "/policies/reviews", label: "Reviews", count: "reviews", about: "changes that wait for approval" },
      keywords: ["four eyes", "second person"],
    },
    {
      ...{ href: "/policies/performance", label: "Rule performance", hasRange: true },
      ...{
        about: "calls that each rule denied, asked or allowed",
        keywords: ["rules", "false positives", "overturned"],
      },
    },
  ],
  pages: [
    { href: "/policies/prompts", label: "Judge prompts", about: "prompts, trials and comparisons" },
    { href: "/policies/rules", label: "Lint rules", about: "checks of a policy's text", keywords: ["warnings"] },
  ],
};

const agents: NavPlace = {
  ...{ label: "Agents", icon: Bot, counts: [] },
  tabs: [
    {
      ...{ href: "/agents", label: "Fleet", title: "Agents", jump: "a", count: "agents", filterKeys: ["tag"] },
      ...{ about: "agents, keys, last seen", keywords: ["api key", "credentials", "silent"] },
    },
    {
      ...{ href: "/agents/tools", label: "Tools", about: "tools, MCP servers and skills", filterKeys: ["agent"] },
      keywords: ["inventory", "mcp", "skills"],
    },
    {
      ...{ href: "/agents/extensions", label: "Extensions", about: "skills, plugins and MCP servers, by version" },
      ...{ filterKeys: ["agent"], keywords: ["inventory", "digest", "hash", "skills", "slash commands", "accept"] },
    },
    {
      ...{ href: "/agents/people", label: "People", about: "people and services behind agents" },
      keywords: ["owner", "user", "who", "my agents", "my spend", "service"],
    },
    {
      ...{ href: "/agents/groups", label: "Groups and tags", title: "Groups", about: "teams of agents" },
      keywords: ["teams", "labels"],
    },
    {
      ...{ href: "/agents/enrolment", label: "Enrolment", about: "tokens that machines join with" },
      keywords: ["tokens", "api key", "ci", "join"],
    },
    {
      ...{ href: "/agents/clients", label: "Clients", about: "what each client supports" },
      keywords: ["claude code", "codex", "cursor", "copilot", "gemini", "capabilities"],
    },
  ],
  pages: [
    {
      ...{ href: "/agents/login", label: "Log in a computer", about: "the code that quarterdeck login prints" },
      keywords: ["device code", "login", "connect this computer", "owner"],
    },
  ],
};

const spend: NavPlace = {
  ...{ label: "Spend", icon: Wallet, counts: [] },
  tabs: [
    {
      ...{ href: "/spend", label: "Costs", jump: "c", hasRange: true, about: "spend by model, agent and session" },
      keywords: ["money", "tokens", "usage", "billing"],
    },
    {
      ...{ href: "/spend/budgets", label: "Budgets", jump: "b", about: "limits and what is left" },
      keywords: ["limits", "caps"],
    },
    {
      ...{ href: "/spend/prices", label: "Prices", hasRange: true, about: "prices of models" },
      keywords: ["price list", "unpriced"],
    },
  ],
  pages: [
    {
      ...{ href: "/spend?view=statements", label: "Statements", about: "the spend of a month, closed and exported" },
      keywords: ["invoice", "month", "export", "csv"],
    },
  ],
};

const audit: NavPlace = {
  ...{ label: "Audit", icon: ScrollText, counts: [] },
  tabs: [
    {
      ...{ href: "/audit", label: "Record", title: "Audit", jump: "u", hasRange: true },
      ...{ about: "who did what", keywords: ["log", "history"] },
    },
    {
      ...{ href: "/audit/proof", label: "Proof", about: "verification and checkpoints" },
      keywords: ["verify", "hash chain", "tampering", "integrity"],
    },
    {
      ...{ href: "/audit/evidence", label: "Evidence files", about: "files that prove what happened" },
      keywords: ["export", "download", "jsonl", "pdf"],
    },
    {
      ...{ href: "/audit/halts", label: "Halts", jump: "x", about: "agents stopped and resumed" },
      keywords: ["kill switch", "emergency stop", "resume", "quarantine"],
    },
  ],
};

const settings: NavPlace = {
  ...{ label: "Settings", icon: Settings, counts: ["alerts", "health"] },
  tabs: [
    {
      ...{
        href: "/settings",
        label: "You",
        title: "Settings",
        jump: "t",
        about: "name, time zone, password, browsers",
      },
      keywords: ["profile", "timezone", "passkey", "second factor", "account", "theme", "language"],
    },
    {
      ...{ href: "/settings/people", label: "People", about: "people, roles and service accounts" },
      keywords: ["members", "users", "invite", "roles", "api key", "service accounts", "tokens"],
    },
    {
      ...{ href: "/settings/publishing", label: "Publishing", about: "requirements for each published text" },
      keywords: ["publish requirements", "backtest required", "looser", "less strict", "gates"],
    },
    {
      ...{ href: "/settings/notifications", label: "Notifications", about: "how notices reach you" },
      keywords: ["e-mail", "browser", "quiet hours", "preferences"],
    },
    {
      ...{ href: "/settings/alerts", label: "Alerts and routes", title: "Alerts", jump: "l", count: "alerts" },
      ...{ about: "limits on any measure, and who is notified", keywords: ["thresholds", "on call", "teams"] },
    },
    {
      ...{ href: "/settings/webhooks", label: "Webhooks", about: "messages to other systems" },
      keywords: ["slack", "teams", "pagerduty", "integrations", "chat"],
    },
    {
      ...{ href: "/settings/streams", label: "Streams", about: "the record, sent to a SIEM or a store" },
      keywords: ["siem", "splunk", "elastic", "syslog", "ocsf", "s3", "export", "log collector"],
    },
    {
      ...{ href: "/settings/sign-on", label: "Mail and sign-on", about: "single sign-on and the mail server" },
      keywords: ["sso", "oidc", "smtp", "login"],
    },
    {
      ...{ href: "/settings/calendar", label: "Calendar", about: "the time zone of days and months" },
      keywords: ["timezone", "month", "week"],
    },
    {
      ...{ href: "/settings/data", label: "Data lifecycle", about: "retention, legal holds, erasure, raw capture" },
      keywords: ["delete data", "gdpr", "privacy", "storage"],
    },
    {
      ...{ href: "/settings/health", label: "Health", jump: "h", count: "health" },
      ...{
        about: "checks of the installation, each with its remedy",
        keywords: ["status", "doctor", "version", "backup"],
      },
    },
  ],
};

/** The places of the rail, in order. */
export const navPlaces: readonly NavPlace[] = [home, activity, approvals, policies, agents, spend, audit, settings];

/** The inbox, opened by the bell in the header. */
export const inbox: NavPage & { readonly icon: LucideIcon } = {
  ...{ href: "/notices", label: "Notifications inbox", icon: Inbox, jump: "n", about: "notices that concern you" },
  keywords: ["notices", "bell", "unread", "archive", "snooze"],
};

export interface PalettePage extends NavTab {
  readonly icon: LucideIcon;
}

/** Pages outside of the places. A page of the documentation is added here. */
const otherPages: readonly PalettePage[] = [inbox];

/** Every page of the console with its place's icon, for the palette and the `g` keys. */
export const navPages: readonly PalettePage[] = [
  ...navPlaces.flatMap(({ icon, tabs, pages = [] }) => [...tabs, ...pages].map((page) => ({ ...page, icon }))),
  ...otherPages,
];

const folderOf = ({ tabs: [first] }: NavPlace): string => first.href;

/** The place that a path belongs to. */
export const placeOf = (pathname: string): NavPlace | undefined =>
  navPlaces.find((place) => {
    const folder = folderOf(place);
    return pathname === folder || (folder !== "/" && pathname.startsWith(`${folder}/`));
  });

/** The tab that a path is, or is drawn under. Pages of one agent, policy or session are no tab. */
export function tabOf(pathname: string): NavTab | undefined {
  return placeOf(pathname)?.tabs.find(({ href, also = [] }) => href === pathname || also.includes(pathname));
}

/** The title of a page of the table. */
export function titleOf(href: string): string {
  const page = navPages.find((one) => one.href === href);
  const tab = tabOf(href);
  return (tab?.href === href ? tab.title : undefined) ?? page?.label ?? "";
}
