import {
  BellRing,
  Bot,
  Cable,
  FileCode,
  FileInput,
  Gavel,
  KeyRound,
  ListOrdered,
  type LucideIcon,
  Package,
  PauseCircle,
  Puzzle,
  ScrollText,
  Snowflake,
  Table2,
  UserPlus,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from "lucide-react";
import type { Permission } from "@/server/access/permissions";

/** An action that the palette offers on every page: it opens the page of the action. */
export interface Verb {
  /** The same as the command that the page itself registers, which takes its place there. */
  id: string;
  label: string;
  icon: LucideIcon;
  to: Permission;
  href: string;
  keywords: readonly string[];
}

/** The parameter of an address that asks its page for an action, such as `?do=create`. */
export const ACT_PARAM = "do";
const at = (page: string, act: string) => `${page}${page.includes("?") ? "&" : "?"}${ACT_PARAM}=${act}`;

export const VERBS: readonly Verb[] = [
  {
    ...{ id: "policy.new", label: "New policy", icon: FileCode, to: "policy:write", href: at("/policies", "create") },
    keywords: ["create", "add", "rule", "guard"],
  },
  {
    ...{
      id: "policy.packs",
      label: "Create a policy from a pack",
      icon: Package,
      to: "policy:write",
      href: "/policies/packs",
    },
    keywords: ["install", "packs", "gallery", "template"],
  },
  {
    ...{ id: "policy.import", label: "Import a policy", icon: FileInput, to: "policy:write" },
    ...{ href: at("/policies", "import"), keywords: ["upload", "yaml", "bundle"] },
  },
  {
    ...{ id: "policy.order", label: "Change the order in which policies run", icon: ListOrdered, to: "policy:publish" },
    ...{ href: at("/policies", "order"), keywords: ["priority", "precedence"] },
  },
  {
    ...{ id: "policy.freeze", label: "Freeze changes", icon: Snowflake, to: "policy:govern" },
    ...{ href: at("/policies", "freeze"), keywords: ["stop publishing", "lock", "incident"] },
  },
  {
    ...{ id: "policy.reviews", label: "Review drafts", icon: Gavel, to: "policy:review" },
    ...{ href: "/policies/reviews", keywords: ["approve", "four eyes"] },
  },
  {
    ...{ id: "agent.connect", label: "Connect an agent", icon: Cable, to: "agent:write", href: "/agents/connect" },
    keywords: ["enrol", "install", "join", "add", "claude code", "docker-agent", "first steps", "setup"],
  },
  {
    ...{ id: "agent.new", label: "New agent", icon: Bot, to: "agent:write", href: at("/agents", "create") },
    keywords: ["create", "enrol", "add"],
  },
  {
    ...{ id: "agent.key", label: "Create a key", icon: KeyRound, to: "agent:write", href: "/agents" },
    keywords: ["token", "credential", "revoke key", "rotate", "agent key", "api key"],
  },
  {
    ...{ id: "agent.clients", label: "Compare clients", icon: Table2, to: "console:read", href: "/agents/clients" },
    keywords: ["matrix", "abilities", "gaps", "codex", "claude code", "cursor", "copilot", "gemini", "qwen", "cline"],
  },
  {
    ...{ id: "agent.tools", label: "List tools", icon: Wrench, to: "console:read", href: "/agents/tools" },
    keywords: ["inventory", "mcp", "skills", "allow list", "no rule"],
  },
  {
    ...{
      id: "agent.extensions",
      label: "List extensions",
      icon: Puzzle,
      to: "console:read",
      href: "/agents/extensions",
    },
    keywords: ["inventory", "skills", "plugins", "mcp servers", "slash commands", "digest", "accept a version"],
  },
  {
    ...{
      id: "group.new",
      label: "New group",
      icon: Users,
      to: "agent:write",
      href: at("/agents/groups", "create-group"),
    },
    keywords: ["team", "create", "agents"],
  },
  {
    ...{
      id: "budget.new",
      label: "New budget",
      icon: Wallet,
      to: "budget:write",
      href: at("/spend/budgets", "create"),
    },
    keywords: ["limit", "spend", "cap", "create"],
  },
  {
    ...{ id: "alert.new", label: "New alert", icon: BellRing, to: "alert:write", href: "/settings/alerts?edit=new" },
    keywords: ["notify", "notifications", "threshold", "create"],
  },
  {
    ...{ id: "prompt.new", label: "New judge prompt", icon: ScrollText, to: "policy:write" },
    ...{ href: at("/policies/prompts", "create"), keywords: ["create", "model"] },
  },
  {
    ...{ id: "judge.connection.new", label: "New model connection", icon: Cable, to: "judge:write" },
    ...{ href: at("/policies/judges", "create"), keywords: ["provider", "create", "model"] },
  },
  {
    ...{ id: "person.invite", label: "Invite a person", icon: UserPlus, to: "people:manage" },
    ...{ href: at("/settings/people", "invite"), keywords: ["member", "user", "add", "role"] },
  },
  {
    ...{ id: "person.invite-auditor", label: "Invite an auditor", icon: UserPlus, to: "people:manage" },
    ...{ href: at("/settings/people", "invite-auditor"), keywords: ["audit", "guest", "for a week"] },
  },
  {
    ...{ id: "webhook.new", label: "New webhook", icon: Webhook, to: "webhook:manage" },
    ...{
      href: at("/settings/webhooks", "create"),
      keywords: ["notify", "slack", "teams", "chat", "integration", "create"],
    },
  },
  {
    ...{ id: "stream.new", label: "New stream", icon: Cable, to: "stream:manage" },
    ...{ href: at("/settings/streams", "create"), keywords: ["siem", "splunk", "elastic", "syslog", "s3", "create"] },
  },
  {
    ...{ id: "hold.new", label: "Place a legal hold", icon: PauseCircle, to: "record:manage" },
    ...{ href: at("/settings/data", "hold"), keywords: ["retention", "evidence", "delete data"] },
  },
];
