/**
 * All differences between the three dated behaviours of docker-agent, with the numbers of the difference list (D-01 ...). Rows
 * that the documents leave open follow the newer behaviour in both profiles, so D-08, D-10 (at dispatch), D-12, D-15 and D-16 have
 * no switch here.
 */

/** The dated docker-agent behaviour that a policy follows. */
export type Profile = "2026-07" | "2026-08" | "2026-11";
/** By date. A later profile has every event of the earlier ones. */
export const PROFILES = ["2026-07", "2026-08", "2026-11"] as const satisfies readonly Profile[];
/** The profile of new policies. */
export const NEWEST_PROFILE: Profile = "2026-11";
/** The profile of a text without `profile:`. Such texts were stored before newer profiles existed, and keep their meaning. */
export const DEFAULT_PROFILE: Profile = "2026-07";
/** The profile that includes the events of all others, for code that concerns no single policy. */
export const WIDEST_PROFILE: Profile = "2026-11";

export interface ProfileRules {
  /** D-02: the meaning of an exit code other than 0 and 2. */
  readonly otherExitCode: "ignored" | "failure";
  /** D-03: the meaning of stdout that starts like an object but is not one valid object with the right types. */
  readonly malformedOutput: "plain_text" | "failure";
  /** D-04: the meaning of a `decision` other than block, or a `permission_decision` other than allow, ask, deny. */
  readonly unknownVerdict: "ignored" | "failure";
  /** D-05, D-06, D-07: rewriting hooks run in a chain, each on the previous rewrite. */
  readonly chainsRewrites: boolean;
  /** D-09: a failure under `on_error: warn` is also shown to the user. */
  readonly warnsUser: boolean;
  /** Related to D-08: a verdict on an event without verdicts is reported to the user. */
  readonly reportsStrayVerdict: boolean;
  /** D-11: the wording of a failure. */
  readonly failureWords: (event: string, displayName: string, error: string) => string;
  /** D-13: matcher, on_error, timeout and preempt_yolo are checked when a config is read. */
  readonly checksAtLoad: boolean;
  /** D-14: `strict_output` exists, and a list may be written as one mapping. */
  readonly strictOutput: boolean;
  readonly singleForList: boolean;
  /** Keys of a hook that the profile does not know. */
  readonly unknownHookKeys: readonly string[];
  /** Types of hooks that the profile does not know. */
  readonly unknownHookTypes: readonly string[];
  /** The keys of a policy's text other than `hooks:`, `profile:` and `version:`. */
  readonly sections: readonly ("evaluators" | "routing")[];
  /** The schemas for parsing a model's reply. */
  readonly replySchemas: readonly string[];
  /** True if model hooks, evaluators and routes are checked when a config is read, with problems in docker-agent's order. */
  readonly checksPlacement: boolean;
  /** True if `transition` and the items of `instruction_context` are part of the output protocol and of the Result. */
  readonly readsInstructions: boolean;
  /** The position of the builtins that an agent's flags add, as in docker-agent with this profile. */
  readonly flagHooks: "limiter_first" | "limiter_last";
}

/** The keys, the hook type and the reply schema that profile 2026-11 added. */
const ADDED_HOOK_KEYS = [
  "system_prompt",
  "evaluator",
  "evaluator_policy",
  "routing_policy",
  "resolved_evaluator",
] as const;
const OLDER_HOOKS = {
  unknownHookKeys: ADDED_HOOK_KEYS,
  unknownHookTypes: ["evaluator"],
  sections: [],
  replySchemas: ["pre_tool_use_decision"],
  checksPlacement: false,
  readsInstructions: false,
  flagHooks: "limiter_first",
} as const;

const RULES_2026_08: ProfileRules = {
  ...OLDER_HOOKS,
  otherExitCode: "failure",
  malformedOutput: "failure",
  unknownVerdict: "failure",
  chainsRewrites: true,
  warnsUser: true,
  reportsStrayVerdict: true,
  failureWords: (event, displayName, error) => `${event} hook failed to execute: hook "${displayName}": ${error}`,
  checksAtLoad: true,
  strictOutput: true,
  singleForList: true,
};

export const PROFILE_RULES: Record<Profile, ProfileRules> = {
  "2026-07": {
    ...OLDER_HOOKS,
    otherExitCode: "ignored",
    malformedOutput: "plain_text",
    unknownVerdict: "ignored",
    chainsRewrites: false,
    warnsUser: false,
    reportsStrayVerdict: false,
    failureWords: (_event, _displayName, error) => `PreToolUse hook failed to execute: ${error}`,
    checksAtLoad: false,
    strictOutput: false,
    singleForList: false,
  },
  "2026-08": RULES_2026_08,
  "2026-11": {
    ...RULES_2026_08,
    unknownHookKeys: [],
    unknownHookTypes: [],
    sections: ["evaluators", "routing"],
    replySchemas: ["pre_tool_use_decision", "guard_decision"],
    checksPlacement: true,
    readsInstructions: true,
    flagHooks: "limiter_last",
  },
};

/** The columns of the contracts table that a profile or lane changes. A test checks the names against the table. */
interface Variant {
  readonly addsContext?: boolean;
  readonly addsInstructions?: boolean;
  readonly addsMetadata?: boolean;
  readonly rewrites?: "nothing";
  readonly profiles?: readonly Profile[];
}

const SINCE_2026_08: Variant = { profiles: ["2026-08", "2026-11"] };

const VARIANTS_2026_08: Readonly<Record<string, Variant>> = {
  tool_input_transform: SINCE_2026_08,
  tool_guard: SINCE_2026_08,
  session_start: { addsInstructions: true },
  turn_start: { addsInstructions: true },
};

/**
 * D-14: the two newer events. D-01: context on post_tool_use and stop. instruction_context is newer than 2026-07. The contracts
 * table itself marks events that only one profile has.
 */
const BY_PROFILE: Record<Profile, Readonly<Record<string, Variant>>> = {
  "2026-07": {
    tool_input_transform: SINCE_2026_08,
    tool_guard: SINCE_2026_08,
    post_tool_use: { addsContext: true },
    stop: { addsContext: true },
  },
  "2026-08": VARIANTS_2026_08,
  "2026-11": VARIANTS_2026_08,
};

/** The preempt lane collects metadata and does not rewrite, in every profile. */
const BY_LANE: Readonly<Record<string, Readonly<Record<string, Variant>>>> = {
  preempt_yolo: { pre_tool_use: { addsMetadata: true, rewrites: "nothing" } },
};

/** The changes that a profile and a lane make to an event's row. */
export function eventVariant(event: string, profile: Profile, lane: string): Variant {
  return { ...BY_PROFILE[profile][event], ...BY_LANE[lane]?.[event] };
}
