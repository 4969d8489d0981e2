/**
 * Every act as a sentence after whoever did it: "ada published revision 4 of guard". A kind that the record learns and this
 * table does not know is a compile error.
 */
import { plural } from "@/components/ui/format/count";
import type { AuditEntry } from "@/server/audit/entries";
import type { AuditView } from "@/server/audit/evidence/schema";

const requestsName = (approvals: readonly { readonly number: number }[]): string =>
  approvals.length === 1 ? `QD-${approvals[0]?.number}` : plural(approvals.length, "approval request");
const exceptionName = (number: number | null): string => (number === null ? "an exception" : `EX-${number}`);

type Kind = AuditEntry["kind"];
interface Words<K extends Kind> {
  /** The kind in a word or two, for a chip and a heading. */
  readonly label: string;
  /** `name` is what the entry is about, by its name when it was written; `list` names several. */
  readonly says: (entry: Extract<AuditEntry, { kind: K }>, name: string, list: List) => string;
}

const NOUNS = {
  policy: ["policy", "policies"],
  agent: ["agent", "agents"],
  group: ["group", "groups"],
} as const satisfies Record<string, readonly [string, string]>;
/** "the groups dev and prod"; a number of them as far as the entry does not name them. */
type List = (type: keyof typeof NOUNS, ids: readonly string[]) => string;
const LISTED_MAX = 3;

function listOf(objects: Readonly<Record<string, unknown>>): List {
  return (type, ids) => {
    const [one, many] = NOUNS[type];
    const names = ids.flatMap((id) => {
      const name = Object.hasOwn(objects, `${type}/${id}`) ? objects[`${type}/${id}`] : undefined;
      return typeof name === "string" ? [name] : [];
    });
    const shown = names.slice(0, LISTED_MAX);
    if (shown.length === 0) return plural(ids.length, one, many);
    const more = ids.length - shown.length;
    const all = more > 0 ? [...shown, `${more} more`] : shown;
    const last = all.at(-1);
    return `the ${ids.length === 1 ? one : many} ${all.length === 1 ? last : `${all.slice(0, -1).join(", ")} and ${last}`}`;
  };
}

const tagged = (tags: readonly string[]) => `the ${tags.length === 1 ? "tag" : "tags"} ${tags.join(", ")}`;
const machinesOf = (e: Extract<AuditEntry, { kind: "enrolment_token_created" }>) =>
  [
    e.usesMax === 1 ? "one machine" : `${e.usesMax} machines`,
    ...(e.version === 2 && e.tags.length > 0 ? [`with ${tagged(e.tags)}`] : []),
  ].join(" ");
const day = (instant: string) => instant.slice(0, 10);
const minute = (instant: string) => `${instant.slice(0, 16).replace("T", " ")} UTC`;
const ACCOUNT_ACTS = {
  signed_in: "signed in",
  signed_out_elsewhere: "signed out elsewhere",
  password_set: "set a password",
  address_proven: "proved the address, and ended what opened the account before",
  password_changed: "changed the password",
  password_reset: "reset the password",
  reset_link_created: "made a link to reset a password",
  second_factor_on: "turned the second factor on",
  second_factor_off: "turned the second factor off",
  recovery_codes_renewed: "renewed the recovery codes",
  renamed: "changed a name",
  confirmed: "confirmed who they are",
  confirmation_failed: "tried to confirm who they are, and failed",
} as const;

interface HaltWords {
  readonly scope: "workspace" | "group" | "agent" | "session";
  readonly about: string;
}
const haltSubject = ({ scope, about }: HaltWords) =>
  scope === "workspace" ? "the whole workspace" : `the ${scope} ${about}`;

const LABELLED = { right: "correct", too_strict: "should have allowed", too_loose: "should have denied" } as const;

const WORDS: { readonly [K in Kind]: Words<K> } = {
  workspace_created: { label: "workspace made", says: (e) => `made the workspace ${e.name}` },
  sign_in_link_created: { label: "sign-in link", says: () => "made a sign-in link" },
  signed_in: { label: "signed in", says: () => "signed in with a link" },
  role_changed: { label: "role changed", says: (e) => `made ${e.name} ${e.to} instead of ${e.from}` },
  person_removed: { label: "person removed", says: (e) => `removed ${e.name}, who was ${e.role}` },
  account_used: { label: "account", says: (e) => `${ACCOUNT_ACTS[e.act]}${e.how === "" ? "" : ` (${e.how})`}` },
  invitation_created: { label: "invited", says: (e) => `invited ${e.email} as ${e.role}` },
  invitation_withdrawn: { label: "invitation withdrawn", says: (e) => `withdrew the invitation of ${e.email}` },
  invitation_accepted: {
    label: "invitation accepted",
    says: (e) => `accepted the invitation of ${e.email}, as ${e.role}`,
  },
  service_created: { label: "service account", says: (e) => `made the service account ${e.name} as ${e.role}` },
  service_removed: { label: "service account removed", says: (e) => `removed the service account ${e.name}` },
  service_token_created: {
    label: "token made",
    says: (e, name) => `made a token of ${name}, until ${day(e.expiresAt)}`,
  },
  service_token_revoked: { label: "token revoked", says: (_, name) => `revoked a token of ${name}` },
  sign_on_saved: { label: "sign-on", says: (e) => `set sign-on through ${e.issuer}` },
  sign_on_removed: { label: "sign-on removed", says: () => "removed sign-on" },
  mail_saved: { label: "mail", says: (e) => `set mail through ${e.host}` },
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
  policy_created: { label: "policy created", says: (e) => `created the policy ${e.name}` },
  policy_pack_taken: {
    label: "pack taken",
    says: (e, name) => `took version ${e.to} of the pack ${e.pack} into the draft of ${name}`,
  },
  review_requested: { label: "review asked", says: (_, name) => `asked for a review of ${name}` },
  review_decided: {
    label: "review decided",
    says: (e, name) =>
      e.outcome === "approved"
        ? `approved a text of ${name}`
        : e.outcome === "withdrawn"
          ? `withdrew a review of ${name}`
          : `asked for changes of ${name}`,
  },
  review_commented: { label: "review comment", says: (_, name) => `commented on a review of ${name}` },
  four_eyes_set: {
    label: "four eyes",
    says: (e, name) => `${e.isOn ? "asks for" : "no longer asks for"} a second pair of eyes on ${name}`,
  },
  four_eyes_off_asked: {
    label: "four eyes asked off",
    says: (e, name) => `${e.isWithdrawn ? "no longer wants" : "wants"} ${name} to do without a second pair of eyes`,
  },
  binding_change_requested: { label: "change asked", says: (e) => `asked a second person: ${e.summary}` },
  binding_change_decided: { label: "change decided", says: (e) => `${e.outcome}: ${e.summary}` },
  four_eyes_overridden: {
    label: "four eyes overridden",
    says: (e) => `took the emergency path past four eyes: ${e.summary} Reason: ${e.reason}`,
  },
  policy_published: {
    label: "published",
    says: (e, name) =>
      `published revision ${e.revision} of ${name}${e.version === 2 && e.override ? " in spite of failing test cases" : ""}`,
  },
  policy_case_saved: { label: "test case", says: (e, name) => `saved the test case ${e.name} of ${name}` },
  policy_case_deleted: { label: "test case deleted", says: (e, name) => `deleted the test case ${e.name} of ${name}` },
  judge_prompt_created: { label: "prompt created", says: (e) => `created the judge prompt ${e.name}` },
  judge_prompt_published: {
    label: "prompt published",
    says: (e) => `published revision ${e.revision} of the judge prompt ${e.name}`,
  },
  judge_prompt_deleted: { label: "prompt deleted", says: (e) => `deleted the judge prompt ${e.name}` },
  judge_trial_started: {
    label: "prompt tried",
    says: (e, name) => `tried the judge prompt ${name} on ${plural(e.calls, "call")}`,
  },
  judge_answer_labelled: {
    label: "answer labelled",
    says: (e) =>
      e.word === null ? "removed the label of a judge verdict" : `labelled a judge verdict: ${LABELLED[e.word]}`,
  },
  policy_deleted: { label: "policy deleted", says: (e) => `deleted the policy ${e.name}` },
  policy_assigned: {
    label: "assigned",
    says: (e, name, list) => {
      if (e.scope === "workspace") return `applied ${name} to the whole workspace`;
      if (e.scope === "nobody") return `removed ${name} from all agents`;
      const tags = e.version === 3 && e.tags.length > 0 ? [tagged(e.tags)] : [];
      const groups = e.version !== 1 && e.groups.length > 0 ? [list("group", e.groups)] : [];
      const agents = e.agents.length > 0 ? [list("agent", e.agents)] : [];
      return `applied ${name} to ${[...tags, ...groups, ...agents].join(" and ")}`;
    },
  },
  policies_ordered: {
    label: "ordered",
    says: (e, _, list) => `put ${list("policy", e.policies)} in order`,
  },
  policy_rolled_back: {
    label: "rolled back",
    says: (e, name) => `put ${name} back from revision ${e.from} to ${e.to}`,
  },
  policy_canary_set: {
    label: "canary",
    says: (e, name) => `lets ${e.share} % of the agents try revision ${e.revision} of ${name}`,
  },
  policy_canary_ended: {
    label: "canary ended",
    says: (e, name) => `${e.outcome} the canary of revision ${e.revision} of ${name}`,
  },
  policy_observed: {
    label: "observed",
    says: (e, name) => (e.until === null ? `enforces ${name} again` : `only observes ${name} until ${day(e.until)}`),
  },
  workspace_frozen: { label: "frozen", says: (e) => `froze the workspace: ${e.reason}` },
  workspace_thawed: { label: "thawed", says: () => "ended the freeze" },
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
  model_connection_saved: { label: "connection", says: (e) => `saved the model connection ${e.name}` },
  model_connection_removed: { label: "connection removed", says: (e) => `removed the model connection ${e.name}` },
  call_corrected: {
    label: "cost corrected",
    says: (e) => `corrected a call from ${e.from === null ? "unpriced" : `$${e.from}`} to $${e.to}: ${e.reason}`,
  },
  prices_saved: {
    label: "price list",
    says: (e) => `saved version ${e.list} of the price list, ${plural(e.prices, "price")}`,
  },
  estimation_begun: { label: "estimates", says: (e) => `had unpriced calls estimated with version ${e.list}` },
  statement_closed: { label: "month closed", says: (e) => `closed the statement of ${e.month}` },
  approval_requested: {
    label: "approval requested",
    says: (e, name) =>
      `asked ${e.peopleNeeded > 1 ? "two people" : "a person"} about a call of ${e.tool || "a tool"} by ${name}${e.isWaiting ? ", which waits" : ""}`,
  },
  approval_answered: {
    label: "approval answered",
    says: (e, name) =>
      `${e.outcome === "deny" ? "denied" : e.edited === null ? "allowed" : "allowed, with an edited input,"} QD-${e.number} of ${name}${e.isLast ? "" : "; another person has to agree"}${e.words === "" ? "" : `: ${e.words}`}`,
  },
  approvals_lapsed: {
    label: "approvals lapsed",
    says: (e) =>
      `closed ${e.approvals.length === 1 ? `QD-${e.approvals[0]?.number}` : plural(e.approvals.length, "approval request")} that nobody had answered`,
  },
  approver_rules_set: {
    label: "approver rules set",
    says: (e) =>
      `set who answers calls: ${e.lists.length === 0 ? "everybody who may" : e.lists.map(({ name }) => name).join(", then ")}`,
  },
  alert_routes_set: {
    label: "alert routes set",
    says: (e) =>
      `set who hears of alerts: ${e.routes.length === 0 ? "everybody who chose them" : e.routes.map(({ team }) => team).join(", ")}`,
  },
  approvals_reminded: {
    label: "approvals reminded",
    says: (e) => `reminded people of ${requestsName(e.approvals)} that nobody had answered`,
  },
  approvals_escalated: {
    label: "approvals escalated",
    says: (e) =>
      `asked ${[...new Set(e.approvals.map(({ to }) => to))].join(" and ")} about ${requestsName(e.approvals)} that nobody had answered`,
  },
  approval_withdrawn: {
    label: "approval withdrawn",
    says: (e, name) => `took back the allowance of QD-${e.number} for ${name}`,
  },
  exception_made: {
    label: "exception made",
    says: (e) =>
      `made an exception ${e.number === null ? "from a denied call" : `from QD-${e.number}`} for ${e.command === null ? "one exact call" : `"${e.command.join(" ")}"`} of ${e.tool}, ${e.scope === "workspace" ? "all agents" : `${e.scope} ${e.about}`}: ${e.reason}`,
  },
  exception_ended: {
    label: "exception ended",
    says: (e) => `ended the exception ${e.number === null ? "from a denied call" : `from QD-${e.number}`}: ${e.reason}`,
  },
  exceptions_lapsed: {
    label: "exceptions lapsed",
    says: (e) =>
      `noted the lapse of ${e.exceptions.length === 1 ? exceptionName(e.exceptions[0]?.number ?? null) : plural(e.exceptions.length, "exception")}: a review is due`,
  },
  exception_reviewed: {
    label: "exception reviewed",
    says: (e) => `reviewed ${exceptionName(e.number)}, which had lapsed: ${e.words}`,
  },
  halted: {
    label: "halted",
    says: (e) => `${e.isQuarantine ? "put into quarantine" : "halted"} ${haltSubject(e)}: ${e.reason}`,
  },
  halt_resumed: { label: "halt resumed", says: (e) => `resumed ${haltSubject(e)}: ${e.reason}` },
  time_zone_set: {
    label: "time zone set",
    says: (e) =>
      e.fromDay === null
        ? `kept the time zone ${e.timeZone}, and took back a change that had not taken effect`
        : `set the time zone of days and months from ${e.before} to ${e.timeZone}, from ${e.fromDay} on`,
  },
  agent_tagged: {
    label: "tags set",
    says: (e, name) => `tagged ${name} ${e.tags.length === 0 ? "with nothing" : e.tags.join(", ")}`,
  },
  view_shared: { label: "view shared", says: (e) => `shared the view ${e.name} of ${e.page}` },
  view_unshared: { label: "view removed", says: (e) => `removed the shared view ${e.name} of ${e.page}` },
  judge_cap_set: { label: "cap set", says: (e) => `set the daily cap of ${e.hook} in ${e.policy}` },
  budget_saved: { label: "budget saved", says: (e) => `saved the budget ${e.name}` },
  budget_removed: { label: "budget removed", says: (e) => `removed the budget ${e.name}` },
  budget_reservation_released: {
    label: "reservation released",
    says: (e) => `released a reservation in the budget ${e.name}`,
  },
  budget_reservations_released: {
    label: "reservations released",
    says: (e) => `released ${plural(e.count, "lapsed reservation")} in the budget ${e.name}`,
  },
  hook_tried: { label: "hook tried", says: (e, name) => `had a hook of ${name} tried again (${e.hook})` },
  demo_removed: {
    label: "demo removed",
    says: (e) =>
      `removed the demo data${e.version === 2 ? `, ${plural(e.count, "dispatch", "dispatches")} of it` : ""}`,
  },
  dispatches_recorded: {
    label: "dispatches",
    says: (e) => `recorded ${plural(e.count, "dispatch", "dispatches")}`,
  },
  checkpoint_key_used: { label: "new key", says: (e) => `signs checkpoints with the key ${e.key} from now on` },
  checkpoints_configured: { label: "checkpoints", says: () => "changed how checkpoints are made" },
  retention_set: { label: "retention", says: () => "changed how long data is kept" },
  dispatches_dropped: {
    label: "dropped",
    says: (e) => `dropped ${plural(e.count + e.unproven, "dispatch", "dispatches")} from before ${day(e.before)}`,
  },
  data_dropped: {
    label: "dropped",
    says: (e) => `dropped ${plural(e.count, "row")} of ${e.data.replace("_", " ")} from before ${day(e.before)}`,
  },
  projections_checked: {
    label: "figures checked",
    says: (e) => {
      if (e.state === "gone") return `did not compare the figures of ${e.day}: their log is gone`;
      const differing = e.differing === 0 ? "equal to the log" : `${plural(e.differing, "row")} not as in the log`;
      return `checked the figures of ${e.day}: ${differing}${e.older === 0 ? "" : `, ${plural(e.older, "dispatch", "dispatches")} of the older rule`}`;
    },
  },
  projections_sealed: {
    label: "figures sealed",
    says: (e) => {
      const rows = e.tables.reduce((sum, { rows: count }) => sum + count, 0);
      const state = {
        equal: "",
        older: ", of an older rule",
        unchecked: ", not compared with it",
        different: `, ${plural(e.differing, "row")} not as in the log`,
      };
      return `sealed the figures of ${e.day} before its log went: ${plural(rows, "row")}${state[e.state]}`;
    },
  },
  hold_placed: { label: "hold placed", says: (e) => `placed a legal hold: ${e.reason}` },
  hold_released: { label: "hold released", says: (e) => `released a legal hold: ${e.reason}` },
  content_erased: {
    label: "erased",
    says: (e) => `erased the content of ${plural(e.dispatches.length / 32, "dispatch", "dispatches")}: ${e.reason}`,
  },
  erasure_requested: { label: "erasure", says: (e) => `asked for content to be erased: ${e.reason}` },
  erasure_finished: {
    label: "erasure",
    says: (e) =>
      `finished an erasure: ${plural(e.erased, "dispatch", "dispatches")} and ${plural(e.copies, "copy", "copies")}` +
      (e.held > 0 ? `, ${plural(e.held, "dispatch", "dispatches")} kept under legal hold` : ""),
  },
  erasure_withdrawn: { label: "erasure", says: () => "withdrew an erasure request" },
  raw_capture_set: {
    label: "raw capture",
    says: (e) =>
      e.until === null ? "masks inputs again" : `stores inputs unmasked until ${minute(e.until)}: ${e.reason}`,
  },
  webhook_saved: {
    label: "webhook",
    says: (e) => `set the webhook of ${e.host}${e.isEnabled ? "" : ", turned off"}`,
  },
  webhook_removed: { label: "webhook removed", says: (e) => `removed the webhook of ${e.host}` },
  webhook_secret_rotated: { label: "new secret", says: (e) => `gave the webhook of ${e.host} a new secret` },
  webhook_deliveries_settled: {
    label: "deliveries",
    says: (e) =>
      `${e.act === "retried" ? "tried again" : "discarded"} ${plural(e.count, "delivery", "deliveries")} that had failed`,
  },
  alert_saved: { label: "alert", says: (e) => `set the alert ${e.name}` },
  alert_removed: { label: "alert removed", says: (e) => `removed the alert ${e.name}` },
  alert_snoozed: {
    label: "alert snoozed",
    says: (e) =>
      e.until === null ? `woke the alert ${e.name}` : `snoozed the alert ${e.name} until ${minute(e.until)}`,
  },
};

const isKind = (kind: string): kind is Kind => Object.hasOwn(WORDS, kind);

/** The label of a kind in a chip, beside its code. */
export const kindLabel = (kind: string): string => (isKind(kind) ? WORDS[kind].label : kind.replaceAll("_", " "));

/** Entries from before names were kept in them have none. */
function objectsOf({ names }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const objects = typeof names === "object" && names !== null && "objects" in names ? names.objects : null;
  // Holds: an object has members of unknown types.
  return typeof objects === "object" && objects !== null ? (objects as Record<string, unknown>) : {};
}

/** The act, without who did it. An entry of a newer server, or one that was tampered with, is named by its kind. */
export function sentenceOf({ kind, body, target }: Pick<AuditView, "kind" | "body" | "target">): string {
  const name = target === null ? "" : (target.name ?? `a ${target.type} that is gone`);
  if (!isKind(kind) || body === null) return kind.replaceAll("_", " ");
  // Holds: the entry was written as this kind; one that was changed since may lack a field, and is caught.
  const says = WORDS[kind].says as (entry: unknown, name: string, list: List) => string;
  try {
    return says(body, name, listOf(objectsOf(body)));
  } catch {
    return kind.replaceAll("_", " ");
  }
}
