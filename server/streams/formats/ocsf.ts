/** Events of the record as OCSF events (https://schema.ocsf.io/1.6.0). Pure. */
import { eventId } from "../digest.ts";
import type { ActPart, AgentPart, RecordEvent } from "../record-event.ts";
import {
  ACTIVITIES_BY_WORD,
  ACTS,
  AGENT_CLASS,
  OCSF_CLASSES,
  OCSF_VERSION,
  type OcsfClassName,
  UPDATE,
} from "./ocsf-classes.ts";

type Members = Readonly<Record<string, unknown>>;
type Classified = Members & { readonly class: OcsfClassName; readonly activity: number; readonly severity: number };

const INFORMATIONAL = 1;
const LOW = 2;
const MEDIUM = 3;
const PRODUCT = { name: "Quarterdeck", vendor_name: "Quarterdeck" };
const SECURITY_CONTROL = "security_control";
/** The action and disposition of the profile security_control. */
export const OUTCOMES: Readonly<Record<string, { readonly action: number; readonly disposition: number }>> = {
  allow: { action: 1, disposition: 1 },
  deny: { action: 2, disposition: 2 },
  ask: { action: 99, disposition: 23 },
  none: { action: 99, disposition: 16 },
};
const UNKNOWN_OUTCOME = { action: 0, disposition: 0 };

export function ocsfObject(event: RecordEvent): Members {
  const { agent, act, at, recordedAt, position, kind, hash, workspaceId } = event;
  const { class: name, activity, severity, unmapped, profiles, ...own } = agent ? ofAgent(event, agent) : ofAct(act);
  const { uid, category, activities, name: className } = OCSF_CLASSES[name];
  const label: Readonly<Record<number, string>> = activities;
  return {
    ...{ category_uid: category[0], category_name: category[1], class_uid: uid, class_name: className },
    ...{ activity_id: activity, activity_name: label[activity] ?? "Other", type_uid: uid * 100 + activity },
    ...{ severity_id: severity, time: Date.parse(at) },
    metadata: {
      ...{ version: OCSF_VERSION, product: PRODUCT, uid: eventId(position), sequence: position.seq },
      ...{ event_code: act?.entry ?? agent?.event, log_name: kind, original_time: at, tenant_uid: workspaceId },
      ...{ logged_time: Date.parse(recordedAt), ...(profiles ? { profiles } : {}) },
    },
    ...own,
    unmapped: { kind, record_hash: hash, ...membersOf(unmapped) },
  };
}

const membersOf = (value: unknown): Members => (typeof value === "object" && value !== null ? { ...value } : {});

function ofAgent({ kind }: RecordEvent, agent: AgentPart): Classified {
  const { agentId, agentName, session, event, tool, toolUseId, verdict, reason, facts, id } = agent;
  const result = kind === "final_decision" ? (facts?.decision?.verdict ?? verdict) : verdict;
  const isJudged = kind === "decision" || kind === "final_decision";
  const model = facts?.call?.model;
  return {
    ...{ class: AGENT_CLASS, activity: 99, severity: isJudged ? severityOf(result) : INFORMATIONAL },
    ...(isJudged ? { ...outcomeOf(result), profiles: [SECURITY_CONTROL] } : {}),
    actor: { app_name: agentName, app_uid: agentId, session: { uid: session } },
    api: { operation: tool ?? model ?? event, request: { uid: toolUseId ?? id }, service: { name: event } },
    // Required by the class. The record has no address of the machine, so that the agent is named.
    src_endpoint: { name: agentName, uid: agentId },
    ...(agent.toolError === null ? {} : { status_id: agent.toolError ? 2 : 1 }),
    ...(reason === null ? {} : { message: reason }),
    unmapped: unmappedOf(agent),
  };
}

function unmappedOf({
  lane,
  origin,
  verdict,
  revision,
  durationUs,
  facts,
  input,
  isInputCut,
  isErased,
  id,
}: AgentPart) {
  return {
    ...{ dispatch: id, lane, origin, verdict, duration_us: durationUs },
    ...(revision === "" ? {} : { revision }),
    ...(facts === null ? {} : { facts }),
    ...(input === null ? {} : { input, is_input_cut: isInputCut }),
    ...(isErased ? { is_erased: true } : {}),
  };
}

const severityOf = (verdict: string): number => (verdict === "deny" ? MEDIUM : verdict === "ask" ? LOW : INFORMATIONAL);

function outcomeOf(verdict: string) {
  const { action, disposition } = OUTCOMES[verdict] ?? UNKNOWN_OUTCOME;
  return { action_id: action, action: verdict, disposition_id: disposition };
}

function ofAct(act: ActPart | null): Classified {
  const { entry, actor, ip, userAgent, body, target } = act ?? NO_ACT;
  const [name, activity] = classOf(entry, body);
  const hasFailed = body?.act === "confirmation_failed";
  const common = {
    ...{ class: name, activity, severity: entry === "halted" || hasFailed ? MEDIUM : INFORMATIONAL },
    ...{ status_id: hasFailed ? 2 : 1 },
    ...(actor ? { actor: { user: userOf(actor) } } : { actor: { app_name: PRODUCT.name } }),
    ...(ip === null ? {} : { src_endpoint: { ip } }),
    ...(userAgent === null ? {} : { http_request: { user_agent: userAgent } }),
    ...(typeof body?.reason === "string" ? { message: body.reason } : {}),
    unmapped: { ...(body && { body }), ...(target === null ? {} : { target }) },
  };
  return { ...common, ...subjectOf(name, act ?? NO_ACT) };
}

const NO_ACT: ActPart = { entry: "", target: null, actor: null, ip: null, userAgent: null, body: null };

function classOf(entry: string, body: ActPart["body"]): readonly [OcsfClassName, number] {
  // Without its body, an account's act is known to be an account's act and no more.
  if (entry === "account_used") return ACTS[`${entry}/${String(body?.act)}`] ?? ["account_change", 99];
  const known = ACTS[entry];
  if (known) return known;
  const word = entry.slice(entry.lastIndexOf("_") + 1);
  return ["entity_management", ACTIVITIES_BY_WORD[word] ?? UPDATE];
}

/** The subject that the class requires: the user, or the entity. */
function subjectOf(name: OcsfClassName, act: ActPart): Members {
  if (name === "authentication") return { user: personOf(act), service: PRODUCT };
  if (name === "account_change") return { user: personOf(act) };
  if (name === "user_access")
    return { user: personOf(act), privileges: [String(act.body?.role ?? act.body?.to ?? "member")] };
  return { entity: entityOf(act) };
}

const TYPES_OF_ACTORS: Readonly<Record<string, number>> = { person: 1, script: 3, service: 4 };
const userOf = ({ id, kind }: NonNullable<ActPart["actor"]>) => ({
  uid: id,
  type_id: TYPES_OF_ACTORS[kind] ?? 99,
});

function personOf({ target, actor }: ActPart): Members {
  if (target?.startsWith("person/")) return { uid: target.slice("person/".length), type_id: 1 };
  return actor ? userOf(actor) : { name: "unknown", type_id: 0 };
}

const ENTITY_TYPES: Readonly<Record<string, number>> = { person: 2, service: 2, group: 3, policy: 5 };
const ORGANISATION = 4;

function entityOf({ target, entry, body }: ActPart): Members {
  if (target === null) return { name: "workspace", type: "Workspace", type_id: ORGANISATION };
  const [type = "", uid = ""] = target.split("/");
  const name = body?.name ?? body?.about;
  return {
    ...{ uid, type, type_id: ENTITY_TYPES[type] ?? 99 },
    name: typeof name === "string" && name !== "" ? name : entry,
  };
}
