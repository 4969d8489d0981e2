/**
 * The sources that can decide a tool call in an agent's own approval chain (`approval_source`), with the kind of each. Source:
 * shared/spec/executor.md 11.2. Profile 2026-07 has sixteen, 2026-08 adds nine, and one occurs only in documents.
 */

/**
 * The kind of rule, hook or person that decided a call. The agent reports every hook as `hook`. Only the console knows that a hook
 * asked a model, so no source maps to `judge`. `nobody`: no rule, hook or person decided. `unknown`: a source that is not in the
 * table.
 */
export const APPROVAL_SOURCE_KINDS = ["yolo", "rule", "hook", "judge", "person", "nobody", "unknown"] as const;
export type ApprovalSourceKind = (typeof APPROVAL_SOURCE_KINDS)[number];

/** The display texts of a source that decided a tool call. */
export interface ApprovalSourceText {
  readonly kind: ApprovalSourceKind;
  /** For a table cell: "auto-approve mode". */
  readonly label: string;
  /** For a drawer: one sentence about how the call was decided. */
  readonly says: string;
  /** The meaning of its colour. */
  readonly tone: "allow" | "ask" | "deny" | "canceled" | "observe" | "unknown";
}

/** Every `approval_source` a docker-agent sends. */
export const APPROVAL_SOURCES = {
  yolo: {
    kind: "yolo",
    label: "auto-approve mode",
    tone: "allow",
    says: "The run is in yolo mode, which approves every call by itself.",
  },
  session_permissions_allow: {
    kind: "rule",
    label: "session rule",
    tone: "allow",
    says: "A permission rule of this session allows it.",
  },
  session_permissions_deny: {
    kind: "rule",
    label: "session rule",
    tone: "deny",
    says: "A permission rule of this session forbids it.",
  },
  team_permissions_allow: {
    kind: "rule",
    label: "team rule",
    tone: "allow",
    says: "A permission rule in the agent's team configuration allows it.",
  },
  team_permissions_deny: {
    kind: "rule",
    label: "team rule",
    tone: "deny",
    says: "A permission rule in the agent's team configuration forbids it.",
  },
  pre_tool_use_hook_allow: {
    kind: "hook",
    label: "pre_tool_use hook",
    tone: "allow",
    says: "A pre_tool_use hook allowed it.",
  },
  pre_tool_use_hook_deny: {
    kind: "hook",
    label: "pre_tool_use hook",
    tone: "deny",
    says: "A pre_tool_use hook denied it.",
  },
  permission_request_hook_allow: {
    kind: "hook",
    label: "permission_request hook",
    tone: "allow",
    says: "A permission_request hook answered yes in the person's place.",
  },
  permission_request_hook_deny: {
    kind: "hook",
    label: "permission_request hook",
    tone: "deny",
    says: "A permission_request hook answered no in the person's place.",
  },
  readonly_hint: {
    kind: "nobody",
    label: "read-only tool",
    tone: "allow",
    says: "The tool declares itself read-only, so the agent did not ask.",
  },
  user_approved: {
    kind: "person",
    label: "approved once by a person",
    tone: "allow",
    says: "A person was asked and approved this call.",
  },
  user_approved_session: {
    kind: "person",
    label: "person, whole session",
    tone: "allow",
    says: "A person approved this call and every later one of the session.",
  },
  user_approved_tool: {
    kind: "person",
    label: "approved for this tool",
    tone: "allow",
    says: "A person approved this call and every later one of this tool in the session.",
  },
  user_rejected: { kind: "person", label: "person", tone: "deny", says: "A person was asked and rejected this call." },
  context_canceled: {
    kind: "nobody",
    label: "canceled",
    tone: "canceled",
    says: "The run was canceled before anyone decided; the tool did not run.",
  },
  non_interactive_deny: {
    kind: "nobody",
    label: "nobody to ask",
    tone: "deny",
    says: "A person had to be asked, but the session is not interactive; so it was denied.",
  },
  tool_input_transform_deny: {
    kind: "hook",
    label: "tool_input_transform hook",
    tone: "deny",
    says: "A tool_input_transform hook refused the arguments.",
  },
  tool_guard_deny: { kind: "hook", label: "tool_guard hook", tone: "deny", says: "A tool_guard hook denied it." },
  mode_autonomous: {
    kind: "yolo",
    label: "autonomous mode",
    tone: "allow",
    says: "The session is in autonomous mode, the newer name of yolo: calls are allowed without asking.",
  },
  mode_balanced: {
    kind: "rule",
    label: "balanced mode",
    tone: "allow",
    says: "The session's balanced mode settles such calls.",
  },
  mode_restricted: {
    kind: "rule",
    label: "restricted mode",
    tone: "deny",
    says: "The session's restricted mode settles such calls.",
  },
  mode_strict: {
    kind: "rule",
    label: "strict mode",
    tone: "deny",
    says: "The session's strict mode settles such calls.",
  },
  mode_legacy: {
    kind: "rule",
    label: "no safety mode",
    tone: "allow",
    says: "The session has no safety mode; the older rules held.",
  },
  user_approved_balanced: {
    kind: "person",
    label: "person, balanced mode",
    tone: "allow",
    says: "A person approved this call and put the session into balanced mode.",
  },
  user_approved_safe: {
    kind: "person",
    label: "person, safe calls",
    tone: "allow",
    says: "A person approved this call and the later ones of the session that count as safe. Only documents name this source; no released docker-agent sends it.",
  },
  user_approved_autonomous: {
    kind: "person",
    label: "person, autonomous mode",
    tone: "allow",
    says: "A person approved this call and put the session into autonomous mode.",
  },
} as const satisfies Record<string, ApprovalSourceText>;

/** The sources of each kind, for a query by kind. */
export const sourcesOf = (kind: ApprovalSourceKind): string[] =>
  Object.entries(APPROVAL_SOURCES).flatMap(([source, words]) => (words.kind === kind ? [source] : []));
