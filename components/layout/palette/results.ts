import {
  BellRing,
  Bot,
  FileCode,
  Gavel,
  History,
  type LucideIcon,
  ScrollText,
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
  session: { heading: "Sessions", one: "session", icon: History },
  person: { heading: "People", one: "person", icon: User },
};

const PAGES = {
  policy: (id: string) => `/policies/${id}`,
  agent: (id: string) => `/agents?open=${id}`,
  group: (_id: string) => "/agents#groups",
  prompt: (id: string) => `/judges/prompts/${id}`,
  budget: (id: string) => `/budgets?open=${id}`,
  alert: (id: string) => `/alerts?edit=${id}`,
} as const;

/** The link and the text of a result. */
export function paletteObject(result: SearchResult): PaletteObject {
  const { kind } = result;
  switch (kind) {
    case "rule": {
      const key = ruleKeyText(result);
      const href = `/decisions?${new URLSearchParams({ view: "rules", open: key })}`;
      return { kind, id: `rule ${key}`, label: result.hook, aside: `${result.policy} · ${result.event}`, href };
    }
    case "session": {
      const { agentId, sessionId, agentName } = result;
      const id = `session ${agentId} ${sessionId}`;
      return { kind, id, label: sessionId, aside: agentName, href: timelineHref({ agentId, sessionId }) };
    }
    case "person": {
      const aside = [result.email, result.role].filter((one) => one !== null).join(" · ");
      return { kind, id: `person ${result.id}`, label: result.name, aside, href: "/settings?tab=people" };
    }
    default:
      return { kind, id: `${kind} ${result.id}`, label: result.name, aside: "", href: PAGES[kind](result.id) };
  }
}
