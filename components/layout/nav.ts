import {
  Bell,
  BellRing,
  Bot,
  ChartColumn,
  FileCode,
  FoldVertical,
  Gavel,
  Hand,
  HeartPulse,
  History,
  LayoutDashboard,
  type LucideIcon,
  OctagonX,
  Scale,
  ScrollText,
  Settings,
  Wallet,
} from "lucide-react";
import type { AttentionView } from "@/server/overview/attention/schema";

export interface NavPage {
  href: string;
  label: string;
  icon: LucideIcon;
  /** `g` and this letter go there. */
  jump: string;
  /** The things one finds there, for the palette. */
  about: string;
  /** The count shown next to the page: items that wait for a person. */
  badge?: keyof AttentionView;
}

export interface NavGroup {
  /** The title of the group; null for pages without a group. */
  label: string | null;
  pages: readonly NavPage[];
}

/** The pages, by group. */
export const navGroups: readonly NavGroup[] = [
  {
    label: "Watch",
    pages: [
      { href: "/", label: "Overview", icon: LayoutDashboard, jump: "o", about: "what is happening now" },
      { href: "/decisions", label: "Decisions", icon: Gavel, jump: "d", about: "what was allowed, asked and denied" },
      { href: "/sessions", label: "Sessions", icon: History, jump: "s", about: "one conversation, event by event" },
      { href: "/compactions", label: "Compactions", icon: FoldVertical, jump: "m", about: "what was summarised away" },
      {
        ...{ href: "/alerts", label: "Alerts", icon: BellRing, jump: "l", badge: "alerts" },
        about: "limits on any measure, and what fires",
      },
    ],
  },
  {
    label: "Govern",
    pages: [
      {
        ...{ href: "/policies", label: "Policies", icon: FileCode, jump: "p", badge: "reviews" },
        about: "hooks, drafts, revisions and packs",
      },
      { href: "/judges", label: "Judges", icon: Scale, jump: "j", about: "models that decide, prompts, caps" },
      {
        ...{ href: "/agents", label: "Agents", icon: Bot, jump: "a", badge: "agents" },
        about: "keys, groups, enrolment, last seen",
      },
      {
        ...{ href: "/approvals", label: "Approvals", icon: Hand, jump: "r", badge: "approvals" },
        about: "calls that wait for a person",
      },
      { href: "/halts", label: "Halts", icon: OctagonX, jump: "x", about: "stop agents at once, and resume them" },
    ],
  },
  {
    label: "Spend",
    pages: [
      { href: "/costs", label: "Costs", icon: ChartColumn, jump: "c", about: "spend by model, agent and session" },
      { href: "/budgets", label: "Budgets", icon: Wallet, jump: "b", about: "what may be spent, and what is left" },
    ],
  },
  {
    label: "Prove",
    pages: [
      { href: "/audit", label: "Audit", icon: ScrollText, jump: "u", about: "who did what, and its proof" },
      {
        ...{ href: "/health", label: "Health", icon: HeartPulse, jump: "h", badge: "health" },
        about: "what is wired wrongly, and the remedy",
      },
    ],
  },
  {
    label: null,
    pages: [
      {
        ...{ href: "/notices", label: "Notices", icon: Bell, jump: "n", badge: "unreadNotices" },
        about: "what concerns you, and how it reaches you",
      },
      { href: "/settings", label: "Settings", icon: Settings, jump: "t", about: "you, people, tokens, sign-on, mail" },
    ],
  },
];

export const navPages: readonly NavPage[] = navGroups.flatMap(({ pages }) => pages);

/** The page of the rail that a path belongs to. */
export const pageOf = (pathname: string): NavPage | undefined =>
  navPages.find((page) =>
    page.href === "/" ? pathname === "/" : pathname === page.href || pathname.startsWith(`${page.href}/`),
  );
