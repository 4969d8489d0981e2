/**
 * The contracts table: the permitted outputs of a hook on each event. It is data, not behaviour. The engine, the API, the pages,
 * the documents and the tests all read this one table. profiles.ts has the differences by profile.
 */
import { eventVariant, PROFILES, type Profile } from "./profiles.ts";

export { PROFILES, type Profile, WIDEST_PROFILE } from "./profiles.ts";

/** The pass in which an event is dispatched. Only `pre_tool_use` has hooks on both. */
export type Lane = "default" | "preempt_yolo";
export const LANES = ["default", "preempt_yolo"] as const satisfies readonly Lane[];

/** The effects that a hook event may have. */
export interface EventContract {
  /** True if a matcher on the tool name selects hooks. Other events run every hook. */
  readonly matchesTools: boolean;
  /** True if the input concerns one tool call and names it in `tool_name`. */
  readonly toolScoped: boolean;
  /** True if a hook may stop the operation: exit 2, `decision: "block"` or `continue: false`. */
  readonly canBlock: boolean;
  /** True if a failed hook refuses, whatever its `on_error`. */
  readonly failsClosed: boolean;
  /** The part that a hook may replace. Since profile 2026-08, hooks run in a chain for any value except "nothing". */
  readonly rewrites: Rewrites;
  /** True if `permission_decision` is a verdict: the strictest of allow, ask and deny counts. */
  readonly decides: boolean;
  /** True if `permission_decision` answers for the user: `allow` approves, `deny` blocks, `ask` has no effect. */
  readonly approves: boolean;
  /** True if plain stdout and `additional_context` reach the model. */
  readonly addsContext: boolean;
  /** `instruction_context` is honoured. */
  readonly addsInstructions: boolean;
  /** True if `metadata` is collected for the approval prompt. */
  readonly addsMetadata: boolean;
  /** True if entries with `preempt_yolo: true` form a separate pass that runs first. */
  readonly hasPreemptLane: boolean;
  /** True if `summary` replaces the model's own compaction summary. */
  readonly suppliesSummary: boolean;
  /** True if a hook may hand the run to another agent with `transition`. Its output is parsed strictly. */
  readonly control: boolean;
  /** True if text is checked before use. A hook needs an explicit verdict, and its message stays in the executor. */
  readonly guardsContent: boolean;
  /** The profiles with this event. */
  readonly profiles: readonly Profile[];
  /** One line for people: when it fires and what it is for. */
  readonly says: string;
}

/** The payload a hook may replace on an event. */
export type Rewrites = "nothing" | "tool_input" | "messages" | "tool_response";

const OBSERVES = {
  matchesTools: false,
  toolScoped: false,
  canBlock: false,
  failsClosed: false,
  rewrites: "nothing",
  decides: false,
  approves: false,
  addsContext: false,
  addsInstructions: false,
  addsMetadata: false,
  suppliesSummary: false,
  hasPreemptLane: false,
  control: false,
  guardsContent: false,
  profiles: PROFILES,
} as const satisfies Omit<EventContract, "says">;

const ON_TOOLS = { ...OBSERVES, matchesTools: true, toolScoped: true } as const;
const SINCE_2026_11 = { ...OBSERVES, canBlock: true, failsClosed: true, profiles: ["2026-11"] } as const;
const CONTROLS = { ...SINCE_2026_11, addsMetadata: true, control: true } as const;
const GUARDS_CONTENT = { ...SINCE_2026_11, guardsContent: true } as const;
const STEERS = { ...OBSERVES, canBlock: true, addsContext: true } as const;

/** One row for each event, in an agent's order: life cycle, turns, tools, memory, errors. */
export const EVENTS = {
  session_start: { ...OBSERVES, addsContext: true, says: "A run begins; context given here stays for the whole run." },
  user_prompt_submit: { ...STEERS, says: "A person sent a message; it may be refused or given context first." },
  user_steering_messages_submit: { ...STEERS, says: "Messages sent while the agent was working are about to be read." },
  user_followup_submit: { ...STEERS, says: "A queued follow-up message is about to start another turn." },
  before_agent_run: {
    ...CONTROLS,
    says: "An agent is about to work on a request; the run may be stopped or handed to another agent.",
  },
  prompt_file_guard: {
    ...GUARDS_CONTENT,
    says: "Text of a prompt file is about to be sent to the model; each text needs a hook's approval.",
  },
  turn_start: { ...OBSERVES, addsContext: true, says: "A turn begins; context given here lasts for that model call." },
  before_llm_call: {
    ...OBSERVES,
    canBlock: true,
    rewrites: "messages",
    says: "The model is about to be called; the run may be stopped or the messages replaced.",
  },
  after_llm_call: { ...OBSERVES, says: "The model answered; tokens and cost of the call are known." },
  turn_end: { ...OBSERVES, says: "A turn is over, however it ended." },
  stop: { ...OBSERVES, says: "The model has nothing left to do." },
  after_agent_complete: {
    ...CONTROLS,
    says: "An agent completed its answer; the run may be stopped or handed to another agent.",
  },
  session_end: { ...OBSERVES, says: "The run is over, also after a cancellation." },
  skill_content_guard: {
    ...GUARDS_CONTENT,
    says: "Text of a skill is about to be used; each text needs a hook's approval.",
  },
  tool_input_transform: {
    ...ON_TOOLS,
    canBlock: true,
    rewrites: "tool_input",
    says: "A tool call came from the model; its arguments may be changed before anyone judges them.",
  },
  tool_guard: {
    ...ON_TOOLS,
    canBlock: true,
    failsClosed: true,
    decides: true,
    addsMetadata: true,
    says: "A tool call is judged before every rule and mode; no approval helper can overrule it.",
  },
  pre_tool_use: {
    ...ON_TOOLS,
    canBlock: true,
    failsClosed: true,
    rewrites: "tool_input",
    decides: true,
    hasPreemptLane: true,
    says: "A tool is about to run; the call may be allowed, asked about, denied or given other arguments.",
  },
  permission_request: {
    ...ON_TOOLS,
    canBlock: true,
    approves: true,
    addsMetadata: true,
    says: "A person is about to be asked; a hook may answer for them or explain the risk.",
  },
  on_tool_approval_decision: {
    ...OBSERVES,
    toolScoped: true,
    says: "It is settled whether a tool call runs, and by whom or what.",
  },
  tool_response_transform: {
    ...ON_TOOLS,
    rewrites: "tool_response",
    says: "A tool answered; the text may be replaced before anything else sees it.",
  },
  post_tool_use: { ...ON_TOOLS, canBlock: true, says: "A tool finished, well or not; the run may be stopped." },
  pre_compact: { ...STEERS, says: "A compaction is wanted; it may be refused or guided." },
  before_compaction: {
    ...OBSERVES,
    canBlock: true,
    suppliesSummary: true,
    says: "A compaction starts; it may be vetoed or its summary supplied.",
  },
  after_compaction: { ...OBSERVES, says: "The conversation was compacted; the summary is known." },
  subagent_stop: { ...OBSERVES, says: "A sub-agent's session ended." },
  on_agent_switch: { ...OBSERVES, says: "Work moved from one agent to another." },
  on_user_input: { ...OBSERVES, says: "The agent waits for a person." },
  on_max_iterations: { ...OBSERVES, says: "The run reached its limit of iterations." },
  on_session_resume: { ...OBSERVES, says: "A person let the run go past its limit of iterations." },
  notification: { ...OBSERVES, says: "The agent reports an error or a warning." },
  on_error: { ...OBSERVES, says: "Something went wrong in the run." },
  worktree_create: { ...STEERS, says: "A working copy was made for a run; the run may be stopped before it starts." },
} as const satisfies Record<string, EventContract>;

export type EventName = keyof typeof EVENTS;
/** Events that are configured with a list of matcher entries. All others hold hooks directly. */
export type ScopedEvent = { [E in EventName]: (typeof EVENTS)[E]["matchesTools"] extends true ? E : never }[EventName];
export type FlatEvent = Exclude<EventName, ScopedEvent>;

const ALL = Object.keys(EVENTS) as EventName[]; // holds: EVENTS is a const literal, its own keys are its type's keys

const variants = new Map<string, EventContract>();
for (const profile of PROFILES) {
  for (const event of ALL) {
    for (const lane of LANES) {
      variants.set(`${profile} ${event} ${lane}`, { ...EVENTS[event], ...eventVariant(event, profile, lane) });
    }
  }
}

/** The events a profile knows, in table order. */
export function eventNames(profile: Profile): readonly EventName[] {
  return BY_PROFILE[profile];
}
const inProfile = (profile: Profile) => ALL.filter((event) => contractOf(event, profile).profiles.includes(profile));
const BY_PROFILE: Record<Profile, readonly EventName[]> = {
  "2026-07": inProfile("2026-07"),
  "2026-08": inProfile("2026-08"),
  "2026-11": inProfile("2026-11"),
};

/** True if a name is an event of the profile. */
export function isEventName(name: string, profile: Profile): name is EventName {
  return Object.hasOwn(EVENTS, name) && BY_PROFILE[profile].includes(name as EventName); // holds: own key of EVENTS
}

/** The contract of an event in a profile and on a lane. Check untrusted names with `isEventName` first. */
export function contractOf(event: EventName, profile: Profile, lane: Lane = "default"): EventContract {
  return variants.get(`${profile} ${event} ${lane}`) ?? EVENTS[event];
}

/** True if a hook of the event gives a verdict on one tool call. Hooks of type `rules` are allowed there. */
export function judgesCalls({ matchesTools, decides, approves }: EventContract): boolean {
  return matchesTools && (decides || approves);
}
