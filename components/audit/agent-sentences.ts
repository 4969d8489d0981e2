/** The sentences about agents, their keys and groups. */
import { day, sentences, tagged } from "@/components/audit/sentence-table";
import { plural } from "@/components/ui/format/count";
import type { AuditEntry } from "@/server/audit/entries";
import { clientTitle, isClientName } from "@/server/dialects/schema";

const machinesOf = (e: Extract<AuditEntry, { kind: "enrolment_token_created" }>) =>
  [
    e.usesMax === 1 ? "one machine" : `${e.usesMax} machines`,
    ...(e.version !== 1 && e.tags.length > 0 ? [`with ${tagged(e.tags)}`] : []),
  ].join(" ");

const NAMED_MAX = 4;
const clientName = (client: string): string => (isClientName(client) ? clientTitle(client) : client);

function namesOf(extensions: readonly { readonly extension: string; readonly name: string }[]): string {
  const names = extensions.slice(0, NAMED_MAX).map(({ extension, name }) => `${extensionWord(extension)} ${name}`);
  const others = extensions.length - names.length;
  return others > 0 ? `${names.join(", ")} and ${plural(others, "other")}` : names.join(", ");
}

const WORDS: Readonly<Record<string, string>> = { mcp_server: "MCP server", command: "slash command" };
const extensionWord = (kind: string): string => WORDS[kind] ?? kind;

export const AGENT_SENTENCES = sentences({
  agent_created: { label: "agent created", says: (e) => `created the agent ${e.name}` },
  agent_renamed: { label: "agent renamed", says: (e) => `renamed the agent ${e.from} to ${e.to}` },
  agent_retired: { label: "agent retired", says: (e) => `retired the agent ${e.name}` },
  agent_restored: { label: "agent restored", says: (e) => `brought the agent ${e.name} back` },
  agent_removed: { label: "agent removed", says: (e) => `removed the agent ${e.name}` },
  agent_key_created: { label: "key created", says: (_, name) => `created a key of ${name}` },
  agent_key_rotated: {
    label: "key rotated",
    says: (e, name) => `rotated a key of ${name}; the old one ends ${day(e.oldEndsAt)}`,
  },
  agent_key_revoked: { label: "key revoked", says: (_, name) => `revoked a key of ${name}` },
  agent_key_restored: { label: "key restored", says: (_, name) => `undid the revocation of a key of ${name}` },
  enrolment_token_created: {
    label: "enrolment token created",
    says: (e) => `created the enrolment token ${e.name} for ${machinesOf(e)}, until ${day(e.expiresAt)}`,
  },
  enrolment_token_revoked: {
    label: "enrolment token revoked",
    says: (e) => `revoked the enrolment token ${e.name}`,
  },
  enrolment_token_used: {
    label: "enrolment token used",
    says: (e) => `let ${e.agentName} join with the enrolment token ${e.name}`,
  },
  agent_drill_begun: {
    label: "drill begun",
    says: (e) => `began a drill of ${e.name}${e.mode === "outage" ? " as if the console were away" : ""}`,
  },
  agent_drilled: {
    label: "agent drilled",
    says: (e) =>
      `drilled ${e.name}${e.mode === "outage" ? " as if the console were away" : ""}: ${e.blocked} of ${e.calls} calls blocked`,
  },
  extensions_changed: {
    label: "extensions changed",
    says: (e) => `reported ${plural(e.count, "changed extension")} of ${clientName(e.client)}: ${namesOf(e.changes)}`,
  },
  extensions_accepted: {
    label: "extensions accepted",
    says: (e) => `accepted ${plural(e.extensions.length, "version")}: ${namesOf(e.extensions)}`,
  },
  extensions_withdrawn: {
    label: "acceptance withdrawn",
    says: (e) => `withdrew the acceptance of ${plural(e.extensions.length, "version")}: ${namesOf(e.extensions)}`,
  },
  group_created: { label: "group made", says: (e) => `made the group ${e.name}` },
  group_renamed: { label: "group renamed", says: (e) => `renamed the group ${e.from} to ${e.to}` },
  group_deleted: { label: "group deleted", says: (e) => `deleted the group ${e.name}` },
  group_members_set: {
    label: "group members",
    says: (e, name, list) => `put ${list("agent", e.agents)} into the group ${name}`,
  },
  group_pattern_set: {
    label: "group pattern",
    says: (e, name) =>
      e.pattern === null
        ? `cleared the name pattern of the group ${name}`
        : `set the name pattern of the group ${name} to ${e.pattern}`,
  },
  agent_regrouped: {
    label: "groups by name",
    says: (e, name, list) =>
      `${[
        ...(e.joined.length > 0 ? [`put ${name} into ${list("group", e.joined)}`] : []),
        ...(e.left.length > 0 ? [`took ${name} out of ${list("group", e.left)}`] : []),
      ].join(" and ")} by its name`,
  },
  groups_ordered: { label: "groups ordered", says: (e, _, list) => `put ${list("group", e.groups)} in order` },
  agent_owner_set: {
    label: "owner set",
    says: (e, name) =>
      e.principal === null
        ? `set the owner of ${name} to unknown`
        : `set the owner of ${name} to ${e.name} (${e.certainty})`,
  },
  agent_login_confirmed: {
    label: "login confirmed",
    says: (e, name) =>
      `logged in the computer ${e.host}: ${name} works for ${e.name}${e.formerName === null ? "" : `, before for ${e.formerName}`}`,
  },
  agent_login_refused: {
    label: "login refused",
    says: (e, name) => `refused the login of ${name} on the computer ${e.host}`,
  },
  agent_logged_out: {
    label: "logged out",
    says: (e, name) =>
      `logged out ${e.name}: ${name} works for ${e.nextName === null ? "an unknown person" : e.nextName}`,
  },
  agent_logins_ended: {
    label: "logins ended",
    says: (e, _, list) => `ended the logins of ${e.name} on ${list("agent", e.agents)}`,
  },
  people_merged: {
    label: "people merged",
    says: (e) => `merged the person ${e.name} into ${e.intoName}`,
  },
  agent_tagged: {
    label: "tags set",
    says: (e, name) => `tagged ${name} ${e.tags.length === 0 ? "with nothing" : e.tags.join(", ")}`,
  },
});
