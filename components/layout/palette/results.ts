import {
  BellRing,
  Bot,
  FileCode,
  Gavel,
  Hand,
  History,
  type LucideIcon,
  ScrollText,
  TimerReset,
  User,
  Users,
  Wallet,
} from "lucide-react";
import { ruleKeyText } from "@/server/decisions/rules/schema";
import type { SearchResult } from "@/server/search/schema";
import { timelineHref } from "@/server/sessions/schema";

/** An object of the workspace as the palette lists it. */
export interface PaletteObject {
  readonly id: string;
  readonly label: string;
  readonly kind: SearchResult["kind"];
  /** Secondary text, shown next to the name. */
  readonly aside: string;
  readonly href: string;
}

export const KINDS: Readonly<Record<SearchResult["kind"], { heading: string; one: string; icon: LucideIcon }>> = {
  policy: { heading: "Policies", one: "policy", icon: FileCode },
  rule: { heading: "Rules", one: "rule", icon: Gavel },
  agent: { heading: "Agents", one: "agent", icon: Bot },
  group: { heading: "Groups", one: "group", icon: Users },
  prompt: { heading: "Judge prompts", one: "judge prompt", icon: ScrollText },
  budget: { heading: "Budgets", one: "budget", icon: Wallet },
  alert: { heading: "Alerts", one: "alert", icon: BellRing },
  request: { heading: "Approval requests", one: "approval request", icon: Hand },
  exception: { heading: "Exceptions", one: "exception", icon: TimerReset },
  session: { heading: "Sessions", one: "session", icon: History },
  person: { heading: "People", one: "person", icon: User },
};

const PAGES = {
  policy: (id: string) => `/policies/${id}`,
  agent: (id: string) => `/agents/${id}`,
  group: (_id: string) => "/agents/groups",
  prompt: (id: string) => `/policies/prompts/${id}`,
  budget: (id: string) => `/spend/budgets?open=${id}`,
  alert: (id: string) => `/settings/alerts?edit=${id}`,
} as const;

/** The link and the text of a result. */
export function paletteObject(result: SearchResult): PaletteObject {
  const { kind } = result;
  switch (kind) {
    case "rule": {
      const key = ruleKeyText(result);
      const href = `/policies/performance?${new URLSearchParams({ open: key })}`;
      return { kind, id: `rule ${key}`, label: result.hook, aside: `${result.policy} · ${result.event}`, href };
    }
    case "session": {
      const { agentId, sessionId, agentName } = result;
      const id = `session ${agentId} ${sessionId}`;
      return { kind, id, label: sessionId, aside: agentName, href: timelineHref({ agentId, sessionId }) };
    }
    case "request": {
      const label = `QD-${result.number}`;
      const href = `${result.isOpen ? "/approvals" : "/approvals/answered"}#${label}`;
      const aside = `${result.agentName} · ${result.toolName} · ${result.isOpen ? "waiting" : "closed"}`;
      return { kind, id: `request ${label}`, label, aside, href };
    }
    case "exception": {
      const label = `EX-${result.number}`;
      return { kind, id: `exception ${label}`, label, aside: result.reason, href: `/approvals/exceptions#${label}` };
    }
    case "person": {
      const aside = [result.email, result.role].filter((one) => one !== null).join(" · ");
      return { kind, id: `person ${result.id}`, label: result.name, aside, href: "/settings/people" };
    }
    default:
      return { kind, id: `${kind} ${result.id}`, label: result.name, aside: "", href: PAGES[kind](result.id) };
  }
}
