/** The arguments of `quarterdeck hook`: the event, its lane, and docker-agent's six flags. */

import { parseArgs } from "node:util";
import {
  contractOf,
  type EventName,
  eventNames,
  isEventName,
  LANES,
  type Lane,
  WIDEST_PROFILE,
} from "@quarterdeck/hooks/contract/events";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { Trouble } from "./errors.ts";

/** The flags that go before variables of the environment. */
export interface ConsoleFlags {
  readonly url: string | undefined;
  readonly keyFile: string | undefined;
  readonly trustKeyFile: string | undefined;
}

export interface HookArguments extends ConsoleFlags {
  readonly event: EventName;
  readonly lane: Lane;
  /** Shell commands by event, in the given order, without blank ones. */
  readonly flags: Readonly<Partial<Record<EventName, readonly string[]>>>;
}

/** docker-agent's flags, by the event each adds to. */
const FLAGS = {
  "hook-pre-tool-use": "pre_tool_use",
  "hook-post-tool-use": "post_tool_use",
  "hook-session-start": "session_start",
  "hook-session-end": "session_end",
  "hook-on-user-input": "on_user_input",
  "hook-stop": "stop",
} as const satisfies Record<string, EventName>;

const REPEATED = { type: "string", multiple: true } as const;

export const USAGE = `Usage: quarterdeck hook EVENT [options] < input.json
       quarterdeck hook --dialect CLIENT EVENT [--interactive] [--timeout SECONDS] < payload.json
       quarterdeck hook --rules EVENT [--lane LANE] < input.json
       quarterdeck hook --flush
       quarterdeck hook --check
       quarterdeck hook --snapshots [SESSION]
       quarterdeck hook --undo SESSION [--keep COUNT]

Decides about one docker-agent hook event beside the agent: runs the hooks that belong here, asks the console for the
others, and prints hook output JSON. Exit 2 with the reason on stderr blocks.

With --dialect it reads a client's own payload and answers in its words: JSON that this client honours. Without a key to
trust it asks the console alone. It denies after 8 seconds, or SECONDS; stay below the client's own time-out.

With --rules it decides by the rules in QUARTERDECK_RULES, as JSON, and asks no console: exported policies hold such commands.

  --lane preempt_yolo        the preempt lane of pre_tool_use
  --url URL                  the console, instead of QUARTERDECK_URL
  --key-file FILE            the agent's key, instead of QUARTERDECK_KEY
  --trust-key FILE           the console's public key, instead of QUARTERDECK_TRUST_KEY
${Object.keys(FLAGS)
  .map((flag) => `  --${`${flag} COMMAND`.padEnd(24)} one more hook after the policy's; may be repeated`)
  .join("\n")}
  --flush                    report what is spooled, now
  --check                    look on this machine for the programs that its command hooks name
  --snapshots                list what the builtin snapshot kept, of a session or of all of them
  --undo                     take the newest snapshot of a session back; with --keep all but the oldest COUNT

QUARTERDECK_URL (http://127.0.0.1:3000), QUARTERDECK_HOOK_DIR (~/.cache/quarterdeck), QUARTERDECK_POLICY_MAX_AGE (24h).
`;

export interface SnapshotsArguments extends ConsoleFlags {
  readonly kind: "snapshots";
  /** Every session when it is empty. */
  readonly session: string;
}

export interface UndoArguments extends ConsoleFlags {
  readonly kind: "undo";
  readonly session: string;
  /** Snapshots that stay, from the oldest; all but the newest one when absent. */
  readonly keep: number | undefined;
}

/** The rules of an exported policy, which need no console. */
export interface RulesArguments {
  readonly kind: "rules";
  readonly event: EventName;
  readonly lane: Lane;
}

export type Asked =
  | RulesArguments
  | { readonly kind: "help" }
  | (ConsoleFlags & { readonly kind: "flush" })
  | (ConsoleFlags & { readonly kind: "check" })
  | SnapshotsArguments
  | UndoArguments
  | Hook;
type Hook = HookArguments & { readonly kind: "hook" };

/** True if the event is a client's own, in its own words. */
export function speaksDialect(argv: readonly string[]): boolean {
  return argv.some((one) => one === "--dialect" || one.startsWith("--dialect="));
}

/** Errors: a `Trouble` that names the invalid argument. */
export function readArguments(argv: readonly string[]): Asked {
  const { values, positionals } = parsed(argv);
  const keys = { url: values.url, keyFile: values["key-file"], trustKeyFile: values["trust-key"] };
  if (values.help) return { kind: "help" };
  if (values.flush) return { kind: "flush", ...keys };
  if (values.check) return { kind: "check", ...keys };
  if (values.snapshots || values.undo) return snapshotArguments(values, positionals, keys);
  const [event = "", ...more] = positionals;
  if (event === "") throw new Trouble("Say which event: quarterdeck hook EVENT. See --help.");
  if (more.length > 0) throw new Trouble(`One event at a time; "${more.join(" ")}" is too much. See --help.`);
  if (!isEventName(event, WIDEST_PROFILE))
    throw new Trouble(
      `There is no hook event "${truncateText(event, 80)}". Events: ${eventNames(WIDEST_PROFILE).join(", ")}.`,
    );
  const lane = LANES.find((one) => one === (values.lane ?? "default"));
  if (!lane) throw new Trouble(`There is no lane "${values.lane}". Lanes: ${LANES.join(", ")}.`);
  if (lane !== "default" && !contractOf(event, WIDEST_PROFILE).hasPreemptLane)
    throw new Trouble(`Only pre_tool_use has a ${lane} lane.`);
  if (values.rules) return { kind: "rules", event, lane };
  const flags: Partial<Record<EventName, readonly string[]>> = {};
  for (const flag of Object.keys(FLAGS) as (keyof typeof FLAGS)[]) {
    const commands = (values[flag] ?? []).filter((command) => command.trim() !== "");
    if (commands.length > 0) flags[FLAGS[flag]] = commands;
  }
  return { kind: "hook", event, lane, flags, ...keys };
}

function snapshotArguments(
  { undo, keep }: { readonly undo?: boolean; readonly keep?: string },
  [session = "", ...more]: readonly string[],
  keys: ConsoleFlags,
): SnapshotsArguments | UndoArguments {
  if (more.length > 0) throw new Trouble("One session at a time. See quarterdeck hook --help.");
  if (!undo) return { kind: "snapshots", session, ...keys };
  if (session === "")
    throw new Trouble("Say which session: quarterdeck undo SESSION. quarterdeck snapshots lists them.");
  if (keep !== undefined && !/^\d{1,6}$/.test(keep)) throw new Trouble("--keep is a count of snapshots, such as 2.");
  return { kind: "undo", session, keep: keep === undefined ? undefined : Number(keep), ...keys };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        lane: { type: "string" },
        url: { type: "string" },
        "key-file": { type: "string" },
        "trust-key": { type: "string" },
        flush: { type: "boolean" },
        check: { type: "boolean" },
        snapshots: { type: "boolean" },
        undo: { type: "boolean" },
        keep: { type: "string" },
        rules: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        "hook-pre-tool-use": REPEATED,
        "hook-post-tool-use": REPEATED,
        "hook-session-start": REPEATED,
        "hook-session-end": REPEATED,
        "hook-on-user-input": REPEATED,
        "hook-stop": REPEATED,
      },
    });
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/);
    throw new Trouble(`${first}. See quarterdeck hook --help.`);
  }
}
