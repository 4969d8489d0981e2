/**
 * The builtins as data: their names, their events, and where they can run. The code is in handlers/builtin/. Published, displayed
 * and documented facts about builtins come from this table.
 */
import { type EventName, PROFILES, type Profile } from "./events.ts";

/** The console's machine, or the machine of the agent. */
export type RunLocation = "server" | "agent";

export interface BuiltinFacts {
  /** On any other event it does the same or nothing. Such a hook is still valid. */
  readonly madeFor: readonly EventName[];
  /** The allowed `args`, as text; empty if it takes no arguments. */
  readonly args: string;
  /** The locations where it can run. The first one is the default without `run_on`. */
  readonly places: readonly [RunLocation, ...RunLocation[]];
  /** The reason why it needs the agent's machine, completing "it ..."; absent if the server can also run it. */
  readonly needsAgent?: string;
  /** True to run after every other rewrite in a dispatch, on their result. */
  readonly runsLast?: true;
  /** True if it refuses, asks or hides secrets. A policy without it is looser. */
  readonly isGate?: true;
  /** One sentence for people. */
  readonly says: string;
  /** The first profile with the builtin; absent if every profile has it. */
  readonly since?: Profile;
  /** True if it is proposed to docker-agent but not yet in any release. */
  readonly isUnreleased?: true;
  /** A sentence for each profile that changed the builtin. */
  readonly changes?: Readonly<Partial<Record<Profile, string>>>;
  /** The first profile in which the builtin only labels calls; absent if its behaviour never changed. */
  readonly labelsSince?: Profile;
}

const READS_FILES = "reads the agent's own files";
const RUNS_GIT = "runs git in the agent's directory";

export const BUILTINS = {
  add_context: {
    madeFor: [
      "session_start",
      "turn_start",
      "user_prompt_submit",
      "user_steering_messages_submit",
      "user_followup_submit",
      "pre_compact",
    ],
    args: "texts, each a Go template over the input: `Session {{ .SessionID }}`",
    places: ["server", "agent"],
    since: "2026-11",
    says: "Adds texts of the policy for the model, one per line, with parts of the input filled in.",
  },
  transform_json: {
    madeFor: ["tool_response_transform"],
    args: "names of top-level fields",
    places: ["server", "agent"],
    since: "2026-11",
    says: "Keeps only the named fields of a tool's JSON answer, sorted by name.",
  },
  add_date: {
    madeFor: ["turn_start"],
    args: "",
    places: ["agent", "server"], // the day of the machine where it runs
    says: "Adds today's date for the model, in the time zone of the machine that runs the builtin.",
    changes: { "2026-11": "The date is an instruction (`core/date`)." },
  },
  add_environment_info: {
    madeFor: ["session_start"],
    args: "",
    places: ["agent"],
    needsAgent: "describes the agent's own machine",
    says: "Adds the directory, its git state, the operating system and the processor for the model.",
    changes: { "2026-11": "The description also names the shell." },
  },
  add_prompt_files: {
    madeFor: ["turn_start"],
    args: "file names",
    places: ["agent"],
    needsAgent: READS_FILES,
    says: "Adds whole files for the model: the nearest of each name from the agent's directory upward, then the home copy.",
    changes: {
      "2026-11":
        "Each file is an instruction with its path. `--depth=N` also lists the files of these names up to N levels below the directory.",
    },
  },
  add_git_status: {
    madeFor: ["turn_start"],
    args: "",
    places: ["agent"],
    needsAgent: RUNS_GIT,
    says: "Shows the model the branch and what changed, in git's short form.",
    changes: { "2026-11": "The status is an instruction (`core/git-status`), removed outside a repository." },
  },
  add_git_diff: {
    madeFor: ["turn_start"],
    args: "nothing, or `full`",
    places: ["agent"],
    needsAgent: RUNS_GIT,
    says: "Shows the model the unstaged changes: how much changed where, or with `full` the changes themselves.",
    changes: { "2026-11": "The diff is an instruction (`core/git-diff`), removed when the tree is clean." },
  },
  add_directory_listing: {
    madeFor: ["session_start"],
    args: "",
    places: ["agent"],
    needsAgent: READS_FILES,
    says: "Lists the first 100 visible entries of the agent's directory for the model.",
    changes: {
      "2026-11": "The listing is an instruction (`core/directory-listing`), removed when there is nothing visible.",
    },
  },
  add_user_info: {
    madeFor: ["session_start"],
    args: "",
    places: ["agent"],
    needsAgent: "names the person at the agent's machine",
    says: "Adds the login name and the machine's name for the model.",
  },
  add_recent_commits: {
    madeFor: ["session_start"],
    args: "how many commits (10)",
    places: ["agent"],
    needsAgent: RUNS_GIT,
    says: "Shows the model the newest commits, a line each.",
    changes: { "2026-11": "The commits are an instruction (`core/recent-commits`), removed when there are none." },
  },
  max_iterations: {
    madeFor: ["before_llm_call"],
    args: "how many model calls (required)",
    places: ["server", "agent"],
    isGate: true,
    says: "Ends a run that makes more model calls than allowed.",
  },
  budget_guard: {
    madeFor: ["before_llm_call"],
    args: "",
    places: ["server"],
    isGate: true,
    says: "Reserves the maximum cost of the model call in each budget that blocks, and blocks the call if a budget has no room.",
  },
  ask_a_person: {
    madeFor: ["pre_tool_use", "tool_guard"],
    args: "the question, and `two people`, `when asked` (says nothing itself: what another hook asks goes to people)",
    places: ["server"],
    isGate: true,
    says: "Asks people in the console about the call: it waits for the answer, or is denied with a number and allowed once afterwards.",
  },
  repeat_guard: {
    madeFor: ["pre_tool_use", "tool_guard"],
    args: "a rule each: `same call 5 in 10m: ask`, `failures 4 in 10m: deny`, `spend 2.50 in 5m: halt`, `new tool: alarm` (required)",
    places: ["server"],
    isGate: true,
    says: "Asks, denies or halts if a call repeats, a tool keeps failing or spend is too fast. Reports new tools.",
  },
  redact_secrets: {
    madeFor: ["tool_input_transform", "pre_tool_use", "before_llm_call", "tool_response_transform"],
    args: "",
    // The server is the default, because an agent may lack the local executor. With one, `run_on: agent` keeps secrets on the
    // agent's machine.
    places: ["server", "agent"],
    isGate: true,
    says: "Replaces keys, tokens and passwords in tool arguments, messages and tool answers by `[REDACTED]`.",
  },
  limit_large_tool_results: {
    madeFor: ["tool_response_transform", "session_end"],
    args: "",
    places: ["agent"],
    needsAgent: "writes a file that the agent's tools must be able to read",
    runsLast: true,
    says: "Moves a tool answer of more than 50 KiB or 2000 lines into a file and leaves its end and the file's name.",
    changes: {
      "2026-11":
        "Answers of background jobs are limited too. The notice counts towards the limit. `read_file` keeps its first lines and says how to read on. If the file cannot be written, the answer is still shortened.",
    },
  },
  elide_repeated_tool_results: {
    madeFor: ["tool_response_transform", "session_start", "after_compaction", "session_end"],
    args: "",
    places: ["agent"],
    needsAgent: "remembers what the agent's tools answered",
    since: "2026-11",
    says: "Replaces a read-only tool's answer that repeats its last one to the same arguments by one line, until a compaction or the end of the session.",
    isUnreleased: true,
  },
  safer_shell: {
    madeFor: ["pre_tool_use"],
    args: "",
    places: ["server", "agent"],
    isGate: true,
    says: "Asks a person about each shell command not known to be read-only. Use it on a `preempt_yolo` entry.",
    changes: {
      "2026-11": "Labels the command in the metadata and never asks. A gate needs another hook: `type: rules`.",
    },
    labelsSince: "2026-11",
  },
  snapshot: {
    madeFor: ["session_start", "turn_start", "turn_end", "pre_tool_use", "post_tool_use", "session_end"],
    args: "",
    places: ["agent"],
    needsAgent: "keeps copies of the agent's files",
    says: "Stores a copy of the files of each turn next to the repository, so that a turn can be undone.",
  },
  unload: {
    madeFor: ["on_agent_switch"],
    args: "",
    places: ["agent"],
    needsAgent: "calls the model engine on the agent's own network",
    says: "Asks the local model engine to free the models of the agent that was left.",
  },
  http_post: {
    madeFor: ["turn_end", "stop", "session_end", "notification", "on_error"],
    args: "a URL, and the body",
    places: ["server", "agent"],
    says: "Posts a fixed JSON body to a public address; addresses inside a network are refused.",
  },
} as const satisfies Record<string, BuiltinFacts>;

export type BuiltinName = keyof typeof BUILTINS;
export const BUILTIN_NAMES = Object.keys(BUILTINS) as readonly BuiltinName[]; // holds: the table has exactly these keys

/** True if only this console can run a builtin. docker-agent does not know it. */
export function isServerOnly(name: string | undefined): boolean {
  return builtinFacts(name)?.places.includes("agent") === false;
}

/** True unless the builtin is newer than the profile. A name without facts has no first profile. */
export function isBuiltinIn(name: string, profile: Profile): boolean {
  const since = builtinFacts(name)?.since;
  return since === undefined || PROFILES.indexOf(since) <= PROFILES.indexOf(profile);
}

/** True if the builtin only labels calls in the profile. */
export function isLabelOnly(name: string | undefined, profile: Profile): boolean {
  const since = builtinFacts(name)?.labelsSince;
  return since !== undefined && PROFILES.indexOf(since) <= PROFILES.indexOf(profile);
}

/** True if a policy of the profile is looser without the builtin. */
export const isGateBuiltin = (name: string | undefined, profile: Profile): boolean =>
  builtinFacts(name)?.isGate === true && !isLabelOnly(name, profile);

/** The latest profile up to this one that changed the builtin; undefined before its first change. */
export function behaviourProfile(name: string | undefined, profile: Profile): Profile | undefined {
  const changes = builtinFacts(name)?.changes ?? {};
  return PROFILES.slice(0, PROFILES.indexOf(profile) + 1).findLast((one) => changes[one] !== undefined);
}

/** The facts of a builtin; undefined for an unknown name. */
export function builtinFacts(name: string | undefined): BuiltinFacts | undefined {
  return name !== undefined && Object.hasOwn(BUILTINS, name) ? BUILTINS[name as BuiltinName] : undefined; // holds: it is a key
}
