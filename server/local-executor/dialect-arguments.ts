/** The arguments of `quarterdeck hook --dialect CLIENT EVENT`. */

import { parseArgs } from "node:util";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { DIALECT_NAMES, type DialectName, isDialectName } from "../dialects/index.ts";
import type { ConsoleFlags } from "./arguments.ts";
import { Trouble } from "./errors.ts";

export interface DialectArguments extends ConsoleFlags {
  readonly dialect: DialectName;
  /** The client's own name of the event; the payload's name takes precedence. */
  readonly event: string;
  /** A person sits at the client and can be asked. */
  readonly isInteractive: boolean;
  /** The time that everything may take, counted from the start of the process. */
  readonly limitMs: number;
}

/** Enrolments give a hook 10 seconds, and Codex cuts these two events to 3: a client that gives up first runs the call. */
const LIMIT_S = 8;
const CLAMPED_LIMIT_S = 2;
const CLAMPED: ReadonlySet<string> = new Set(["codex SessionEnd", "codex Interrupt"]);
const LIMIT_S_MAX = 3_600;

/** The dialect in arguments that may be wrong otherwise. */
export function dialectIn(argv: readonly string[]): DialectName | undefined {
  const at = argv.findIndex((one) => one === "--dialect" || one.startsWith("--dialect="));
  const name = argv[at]?.split("=")[1] ?? argv[at + 1] ?? "";
  return at >= 0 && isDialectName(name) ? name : undefined;
}

/** Errors: a `Trouble` that names the invalid argument. */
export function readDialectArguments(argv: readonly string[]): DialectArguments {
  const { values, positionals } = parsed(argv);
  const { dialect = "", timeout } = values;
  if (!isDialectName(dialect))
    throw new Trouble(`There is no dialect "${truncateText(dialect, 40)}". Dialects: ${DIALECT_NAMES.join(", ")}.`);
  const [event = "", ...more] = positionals;
  if (event === "")
    throw new Trouble("Say which event, in the client's words: quarterdeck hook --dialect CLIENT EVENT.");
  if (more.length > 0) throw new Trouble(`One event at a time; "${truncateText(more.join(" "), 80)}" is too much.`);
  if (!/^\w[\w.-]{0,99}$/.test(event)) throw new Trouble(`"${truncateText(event, 80)}" is no name of an event.`);
  return {
    dialect,
    event,
    isInteractive: values.interactive === true,
    limitMs: secondsOf(timeout ?? String(CLAMPED.has(`${dialect} ${event}`) ? CLAMPED_LIMIT_S : LIMIT_S)) * 1_000,
    url: values.url,
    keyFile: values["key-file"],
    trustKeyFile: values["trust-key"],
  };
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,4}$/.test(text) && seconds >= 1 && seconds <= LIMIT_S_MAX) return seconds;
  throw new Trouble(`--timeout is a number of seconds, 1 to ${LIMIT_S_MAX}, below the client's own.`);
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        dialect: { type: "string" },
        interactive: { type: "boolean" },
        timeout: { type: "string" },
        url: { type: "string" },
        "key-file": { type: "string" },
        "trust-key": { type: "string" },
      },
    });
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/);
    throw new Trouble(`${first}. See quarterdeck hook --help.`);
  }
}
