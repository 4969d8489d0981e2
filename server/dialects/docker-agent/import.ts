/**
 * docker-agent's own files to a policy: an agent file with one or more agents, the user's settings, or a drop-in file of hooks.
 * Hooks already have a policy's form. Permission lists become rules where an exact form exists. Everything else is reported with
 * its line.
 */
import { type HookDefinition, parseHooks } from "@quarterdeck/hooks/contract/config";
import { contractOf, type EventName, isEventName, type Profile } from "@quarterdeck/hooks/contract/events";
import { type ClientImport, createImportDraft, effectiveMembers, type ImportDraft } from "../import/client-import.ts";
import { ASKS_QUARTERDECK } from "../import/hooks.ts";
import type { SettingsObject, SettingsValue } from "../import/settings-text.ts";
import { plainValue, readYamlSettings } from "../import/yaml-settings.ts";
import { IMPORTED_CLIENTS } from "../import-schema.ts";
import { importProfile, saferShellNote } from "./import-profile.ts";
import { importPermissions, LISTS, type Permission } from "./permission-rules.ts";

const OTHER_SETTING = "A setting of docker-agent, which no hook can say.";

interface Import {
  readonly profile: Profile;
  readonly draft: ImportDraft;
  readonly permissions: Permission[];
  /** The imported hooks, by their full content: several agents of a file often share hooks. */
  readonly carried: Set<string>;
}

export function importDockerAgent(text: string): ClientImport {
  const file = readYamlSettings(text);
  const profile = importProfile(plainValue({ kind: "object", line: 1, members: file.members }));
  const work: Import = { profile, draft: createImportDraft(profile), permissions: [], carried: new Set() };
  const keys = new Set(file.members.map(({ key }) => key));
  if (keys.has("agents") || keys.has("settings")) importConfiguration(file, work);
  else importHooks({ kind: "object", line: 1, members: file.members }, { path: "", agent: null }, work);
  importPermissions(work.permissions, work.draft);
  return work.draft.finish(IMPORTED_CLIENTS["docker-agent"].title);
}

function importConfiguration(file: SettingsObject, work: Import): void {
  const { draft } = work;
  for (const { key, line, value } of effectiveMembers(file, draft)) {
    if (key === "agents") importAgents(value, work);
    else if (key === "settings") importSettings(value, work);
    else if (key === "permissions") collectPermissions(value, "permissions", work);
    else if (key === "mcps" || key === "toolsets") nameServers(value, key, draft);
    else draft.leave(line, key, FILE_SETTINGS[key] ?? OTHER_SETTING);
  }
}

const EVALUATORS =
  "An evaluator is defined in the agent's file, with its provider and its key. Hooks that name it are carried.";
const FILE_SETTINGS: Readonly<Record<string, string>> = { evaluators: EVALUATORS };

function importAgents(value: SettingsValue, work: Import): void {
  if (value.kind !== "object") {
    work.draft.leave(value.line, "agents", "It is not a mapping of agents.");
    return;
  }
  const isOnly = value.members.length === 1;
  for (const { key: agent, line, value: fields } of effectiveMembers(value, work.draft, "agents.")) {
    const path = `agents.${agent}`;
    if (fields.kind !== "object") {
      work.draft.leave(line, path, "It is not a mapping.");
      continue;
    }
    for (const { key, line: at, value: inside } of effectiveMembers(fields, work.draft, `${path}.`)) {
      if (key === "hooks") importHooks(inside, { path: `${path}.hooks.`, agent: isOnly ? null : agent }, work);
      else if (key === "toolsets") nameServers(inside, `${path}.toolsets`, work.draft);
      else work.draft.leave(at, `${path}.${key}`, AGENT_SETTINGS[key] ?? OTHER_SETTING);
    }
  }
}

/** Agent settings that affect hooks, each with a note. */
const AGENT_SETTINGS: Readonly<Record<string, string>> = {
  evaluators: EVALUATORS,
  routing:
    "It names the agents that control hooks may select. It stays in the agent's file, where docker-agent checks it.",
  safety: "docker-agent's own mode of approval. It goes on to apply where no gate decides.",
  redact_secrets: "docker-agent adds its builtin redact_secrets by this flag, and goes on to do so.",
  add_date: "docker-agent adds its builtin add_date by this flag, and goes on to do so.",
  add_environment_info: "docker-agent adds its builtin add_environment_info by this flag, and goes on to do so.",
  add_prompt_files: "docker-agent adds its builtin add_prompt_files by this flag, and goes on to do so.",
};

function importSettings(value: SettingsValue, work: Import): void {
  if (value.kind !== "object") {
    work.draft.leave(value.line, "settings", "It is not a mapping.");
    return;
  }
  for (const { key, line, value: inside } of effectiveMembers(value, work.draft, "settings.")) {
    if (key === "hooks") importHooks(inside, { path: "settings.hooks.", agent: null }, work);
    else if (key === "permissions") collectPermissions(inside, "settings.permissions", work);
    else work.draft.leave(line, `settings.${key}`, AGENT_SETTINGS[key] ?? OTHER_SETTING);
  }
}

interface HookPlace {
  /** The path prefix before the event's name. */
  readonly path: string;
  /** The agent that owns the hooks, if the file has several agents. */
  readonly agent: string | null;
}

function importHooks(value: SettingsValue, place: HookPlace, work: Import): void {
  if (value.kind !== "object") {
    work.draft.leave(value.line, place.path.slice(0, -1) || "hooks", "It is not a mapping of events.");
    return;
  }
  for (const { key: event, value: listed } of effectiveMembers(value, work.draft, place.path))
    for (const entry of listed.kind === "list" ? listed.items : [listed])
      for (const hook of hooksOf(entry)) importHook({ ...place, event }, entry, hook, work);
}

/** The hooks below a matcher, or the entry itself. A single mapping counts as a list of one. */
function hooksOf(entry: SettingsValue): readonly SettingsValue[] {
  const group = entry.kind === "object" ? entry.members.findLast(({ key }) => key === "hooks")?.value : undefined;
  if (group === undefined) return [entry];
  return group.kind === "list" ? group.items : [group];
}

function importHook(
  { path, agent, event }: HookPlace & { readonly event: string },
  entry: SettingsValue,
  hook: SettingsValue,
  { profile, draft, carried }: Import,
): void {
  const definition = plainValue(hook) as Record<string, unknown>;
  const stated = hook.kind === "object" ? (textOf(definition.command) ?? textOf(definition.type) ?? "hook") : "hook";
  const shown = `${path}${event} ${stated}`;
  const reason = reasonToLeave(event, hook, definition, profile);
  if (reason !== null || !isEventName(event, profile)) {
    draft.leave(hook.line, shown, reason ?? UNKNOWN_EVENT);
    return;
  }
  const { matchesTools, hasPreemptLane } = contractOf(event, profile);
  const group = plainValue(entry) as Record<string, unknown>;
  const matcher = textOf(group.matcher);
  const isPreempting = hasPreemptLane && group.preempt_yolo === true;
  const kept = { ...(definition.type === "command" && { run_on: "agent" }), ...definition };
  const listed = matchesTools
    ? [{ matcher: matcher || "*", ...(isPreempting && { preempt_yolo: true }), hooks: [kept] }]
    : [kept];
  const parsed = parseHooks({ [event]: listed }, profile);
  if (!parsed.ok) {
    draft.leave(hook.line, shown, `${parsed.problems[0]?.message ?? "It cannot be read"}.`);
    return;
  }
  const meaning = JSON.stringify([event, listed]);
  draft.carry(hook.line, shown, carried.has(meaning) ? REPEATED : noteOf(event, definition, agent, profile));
  if (carried.has(meaning)) return;
  carried.add(meaning);
  // Holds: parseHooks has accepted it.
  draft.add({ event, matcher: matcher || "*", isPreempting, hook: kept as HookDefinition });
}

const UNKNOWN_EVENT = "Policies have no such event.";
const REPEATED = "The same hook stands above; it is in the policy once.";
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** The reason why a hook cannot be imported; null if it can. */
function reasonToLeave(
  event: string,
  hook: SettingsValue,
  definition: Record<string, unknown>,
  profile: Profile,
): string | null {
  if (hook.kind !== "object") return "A hook is a mapping. This is none.";
  if (ASKS_QUARTERDECK.test(String(definition.command)))
    return "It asks Quarterdeck already. A policy that asked itself would not end.";
  return isEventName(event, profile) ? null : UNKNOWN_EVENT;
}

function noteOf(event: EventName, definition: Record<string, unknown>, agent: string | null, profile: Profile): string {
  const { type, command, evaluator } = definition;
  const notes =
    type === "command"
      ? [`Runs on ${event} beside the agent, with the local executor; it needs the script there.`]
      : [`Runs on ${event} as it is.`];
  if (type === "model") notes.push("Its model needs a connection for judges.");
  if (type === "evaluator") notes.push(`It asks the evaluator ${textOf(evaluator) ?? ""} of the agent's file.`);
  if (contractOf(event, profile).control)
    notes.push("The agents that it may select are in routing of the agent's file.");
  if (command === "safer_shell") notes.push(saferShellNote(profile));
  if (agent !== null)
    notes.push(
      `docker-agent runs it for the agent ${agent} alone; the policy holds for every agent it is assigned to.`,
    );
  return notes.join(" ");
}

function collectPermissions(value: SettingsValue, path: string, { draft, permissions }: Import): void {
  if (value.kind !== "object") {
    draft.leave(value.line, path, "It is not a mapping of lists.");
    return;
  }
  for (const { key, line, value: listed } of effectiveMembers(value, draft, `${path}.`)) {
    const list = LISTS.find((name) => name === key);
    if (list === undefined) draft.leave(line, `${path}.${key}`, OTHER_SETTING);
    else if (listed.kind !== "list") draft.leave(line, `${path}.${key}`, "It is not a list.");
    else
      for (const item of listed.items) {
        if (item.kind === "scalar" && typeof item.value === "string")
          permissions.push({ list, line: item.line, pattern: item.value });
        else draft.leave(item.line, `${path}.${key}`, "A permission is a text. This is none.");
      }
  }
}

const SAFER_SWITCH =
  " Its switch safer is not carried: a current docker-agent does not ask because of it. Add a gate for the shell.";

/** Reports each MCP server: a policy neither adds nor removes them. */
function nameServers(value: SettingsValue, path: string, draft: ImportDraft): void {
  const items =
    value.kind === "list" ? value.items : value.kind === "object" ? value.members.map((one) => one.value) : [];
  for (const item of items) {
    const fields = plainValue(item);
    const { type, ref, name, safer } = (typeof fields === "object" && fields !== null ? fields : {}) as Record<
      string,
      unknown
    >;
    const isServer = type === "mcp" || path === "mcps";
    const server = textOf(ref) ?? textOf(name) ?? "a server of its own command or address";
    draft.leave(
      item.line,
      isServer ? `${path} mcp ${server}` : `${path} ${textOf(type) ?? "toolset"}`,
      isServer
        ? "An MCP server of the team. Hooks judge its calls by the tools' names, and Tools lists them after the first call; a rule with mcp names the server."
        : `A toolset of the agent. Hooks judge its calls; which tools there are stays in the agent's file.${safer === true ? SAFER_SWITCH : ""}`,
    );
  }
  if (items.length === 0) draft.leave(value.line, path, "It holds no toolset.");
}
