import {
  BellRing,
  Bot,
  ChartColumn,
  FileCode,
  FoldVertical,
  Gavel,
  History,
  LayoutDashboard,
  type LucideIcon,
  Scale,
  ScrollText,
  Settings,
  Wallet,
} from "lucide-react";

export interface NavPage {
  href: string;
  label: string;
  icon: LucideIcon;
  /** `g` and this letter go there. */
  jump: string;
  /** The things one finds there, for the palette. */
  about: string;
}

/** The pages that exist, in the groups of the rail. */
export const navGroups: readonly (readonly NavPage[])[] = [
  [
    { href: "/", label: "Overview", icon: LayoutDashboard, jump: "o", about: "what is happening now" },
    { href: "/decisions", label: "Decisions", icon: Gavel, jump: "d", about: "what was allowed, asked and denied" },
    { href: "/costs", label: "Costs", icon: ChartColumn, jump: "c", about: "spend by model, agent and session" },
    { href: "/budgets", label: "Budgets", icon: Wallet, jump: "b", about: "what may be spent, and what is left" },
    { href: "/compactions", label: "Compactions", icon: FoldVertical, jump: "m", about: "what was summarised away" },
    { href: "/sessions", label: "Sessions", icon: History, jump: "s", about: "one conversation, event by event" },
    { href: "/alerts", label: "Alerts", icon: BellRing, jump: "l", about: "limits on any measure, and what fires" },
  ],
  [
    { href: "/policies", label: "Policies", icon: FileCode, jump: "p", about: "hooks, drafts and revisions" },
    { href: "/judges", label: "Judges", icon: Scale, jump: "j", about: "models that decide, caps, failures" },
    { href: "/agents", label: "Agents", icon: Bot, jump: "a", about: "keys, enrolment, last seen" },
  ],
  [
    { href: "/audit", label: "Audit", icon: ScrollText, jump: "u", about: "who did what, and its proof" },
    { href: "/settings", label: "Settings", icon: Settings, jump: "t", about: "you, people, tokens, sign-on, mail" },
  ],
];

export const navPages: readonly NavPage[] = navGroups.flat();

/** The page of the rail that a path lies under. */
export const pageOf = (pathname: string): NavPage | undefined =>
  navPages.find((page) =>
    page.href === "/" ? pathname === "/" : pathname === page.href || pathname.startsWith(`${page.href}/`),
  );
