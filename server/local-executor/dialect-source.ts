/**
 * The two sources of a decision on a client's event: the console, asked in the client's own format, or the local
 * executor.
 */

import type { HookInput, HookOutput } from "@quarterdeck/hooks";
import { toolNameFault } from "@quarterdeck/hooks/contract/call-text";
import type { EventName } from "@quarterdeck/hooks/contract/events";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import {
  type AskedInDialect,
  detectDialect,
  dialectOf,
  type MisreadGate,
  misreadGate,
  noticeOf,
  passStages,
  type StageJudge,
} from "../dialects/index.ts";
import { waitHeader } from "./ask-console.ts";
import { Call, type World } from "./call.ts";
import { askHook } from "./check-answer.ts";
import { openConsole } from "./console-client.ts";
import type { DialectArguments } from "./dialect-arguments.ts";
import { Trouble } from "./errors.ts";
import type { Ended } from "./exit.ts";
import { readAddress } from "./settings.ts";

export type Body = Readonly<Record<string, unknown>>;

export interface Delivered {
  /** The payload's JSON text. */
  readonly text: string;
  readonly args: DialectArguments;
  readonly world: World;
}

/** The answer in the client's words. Errors: a `Trouble` without an answer. */
export type Source = (asked: AskedInDialect, delivered: Delivered) => Promise<Body>;

/**
 * With a trusted key, the local executor decides and asks the console for its part; without one, only the console
 * decides.
 */
export function chooseSource({ trustKeyFile }: DialectArguments, { env }: World): Source {
  const isTrusting = (trustKeyFile ?? env.QUARTERDECK_TRUST_KEY ?? "").trim() !== "";
  return isTrusting ? decideLocally(judgeLocally) : askConsole;
}

/** The time before the limit at which an answer must be available. */
const MARGIN_MS = 500;
const FOREVER_MS = 2 ** 31 - 1;

const askConsole: Source = async ({ declared, urlEvent, isInteractive }, { text, args, world }) => {
  const { url, bearer, answerKey } = readAddress(world.env, args);
  const console = await openConsole(url, bearer);
  const timeoutMs = Math.max(1, (world.remainingMs?.() ?? FOREVER_MS) - MARGIN_MS);
  try {
    const { value } = await askHook(console, answerKey, {
      method: "POST",
      path: `/api/v1/hooks/${declared}/${encodeURIComponent(urlEvent)}${isInteractive ? "?interactive=true" : ""}`,
      headers: { "content-type": "application/json", ...waitHeader(timeoutMs) },
      body: Buffer.from(text),
      timeoutMs,
      signal: world.signal,
    });
    return value;
  } finally {
    console.close();
  }
};

function objectIn(text: string): Body {
  try {
    const value: unknown = parseExactJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Body; // an object has members
  } catch {
    // Said below.
  }
  throw new Trouble("The answer is no verdict. Check who answers at QUARTERDECK_URL.");
}

/** The judge of an event's native stages, and the keeper of what no hook is asked about. */
export interface NativeJudge extends StageJudge<{ readonly output: HookOutput }> {
  record(notice: HookInput, denied?: MisreadGate): Promise<void>;
}

/** Read, judged as native events and answered here. */
export function decideLocally(judgeOf: (delivered: Delivered) => NativeJudge): Source {
  return async (asked, delivered) => {
    const { declared, urlEvent, payload, isInteractive } = asked;
    const dialect = dialectOf(detectDialect(declared, payload));
    const read = dialect.read(payload, urlEvent);
    const event = read.native.hook_event_name;
    const judge = judgeOf(delivered);
    const misread = misreadGate(asked, read);
    if (misread) {
      await judge.record(noticeOf(read), misread);
      return misread.body;
    }
    if (event === null) {
      await judge.record(noticeOf(read));
      return {};
    }
    const tool = read.native.tool_name;
    const fault = typeof tool === "string" ? toolNameFault(tool) : null;
    if (fault !== null) throw new Trouble(fault);
    const { output } = await passStages(event, { ...read.native, ext: read.ext } as HookInput, judge); // holds: its event is native
    return dialect.render(output, { event: read.ext.client_event, payload, interactive: isInteractive });
  };
}

const judgeLocally = ({ args: { url, keyFile, trustKeyFile }, world }: Delivered): NativeJudge => {
  const callOf = (event: EventName, lane: "default" | "preempt_yolo" = "default") =>
    new Call({ event, lane, flags: {}, url, keyFile, trustKeyFile }, world);
  const textOf = (event: EventName, input: HookInput) => {
    const value = { ...input, hook_event_name: event };
    return { text: printExactJson(value), value };
  };
  return {
    async findConcerned(stages, input) {
      for (const stage of stages)
        if (await callOf(stage.event, stage.lane).isConcerned(input.tool_name ?? "")) return stage;
      return null;
    },
    judge: async ({ event, lane }, input) => ({
      output: outputOf(await callOf(event, lane).decide(textOf(event, input))),
    }),
    record: (notice, denied) => callOf("notification").record(textOf("notification", withDenial(notice, denied))),
  };
};

/** The notice of an event at a gate, with the denial and its reason. */
function withDenial(notice: HookInput, denied: MisreadGate | undefined): HookInput {
  return denied ? { ...notice, notification_level: "warning", notification_message: denied.reason } : notice;
}

function outputOf({ code, stdout, stderr }: Ended): HookOutput {
  if (code !== 0) return { decision: "block", reason: stderr.trim() };
  return stdout.trim() === "" ? {} : objectIn(stdout);
}
