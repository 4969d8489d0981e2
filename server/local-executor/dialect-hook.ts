/**
 * `quarterdeck hook --dialect CLIENT EVENT`: one event of a client that runs commands, answered in its own words. Every
 * answer is a JSON object with exit code 0, the one form in which each of these clients honours a denial on each of its
 * events; several ignore exit codes, and others read nothing else. A failure denies an event that the client lets us
 * block, and gives no verdict on other events.
 */
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { type AskedInDialect, DIALECT_NAMES, dialectOf, failureBody, type Payload } from "../dialects/index.ts";
import type { World } from "./call.ts";
import { type DialectArguments, dialectIn, readDialectArguments } from "./dialect-arguments.ts";
import { type Body, chooseSource, type Source } from "./dialect-source.ts";
import { causeOf, Trouble } from "./errors.ts";
import type { Ended } from "./exit.ts";
import { readInput } from "./input.ts";

/** The time before the limit in which unfinished work may conclude and record its result. */
const CONCLUDING_MS = 250;

/** Never rejects. `source` decides about the event; by default it follows from the arguments and the environment. */
export async function dialectHook(argv: readonly string[], world: World, source?: Source): Promise<Ended> {
  let args: DialectArguments;
  try {
    args = readDialectArguments(argv);
  } catch (error) {
    return misused(argv, causeOf(error));
  }
  let payload: Payload = {};
  const asked = (): AskedInDialect => ({
    declared: args.dialect,
    urlEvent: args.event,
    payload,
    isInteractive: args.isInteractive,
  });
  try {
    const body = await inTime(args, world, async (limited) => {
      const input = await readInput(limited.stdin);
      payload = input.value;
      return (source ?? chooseSource(args, limited))(asked(), { text: input.text, args, world: limited });
    });
    return said(body);
  } catch (error) {
    return failed(asked(), error instanceof Trouble ? error.message : `It failed: ${causeOf(error)}.`);
  }
}

/** The end of a process that broke: nothing was read, so the event is the one of the arguments. */
export function brokenDialectHook(argv: readonly string[], sentence: string): Ended {
  try {
    const { dialect, event, isInteractive } = readDialectArguments(argv);
    return failed({ declared: dialect, urlEvent: event, payload: {}, isInteractive }, sentence);
  } catch {
    return misused(argv, sentence);
  }
}

function said(body: Body): Ended {
  return { code: 0, stdout: `${printExactJson(body)}\n`, stderr: "" };
}

function failed(asked: AskedInDialect, sentence: string): Ended {
  return said(failureBody(asked, denialOf(sentence))?.body ?? {});
}

const denialOf = (sentence: string) => `Quarterdeck gave no verdict, so this is denied: ${sentence}`;

/** The event is unknown and may be a call, so both ways to block a call are used at once. */
function misused(argv: readonly string[], sentence: string): Ended {
  const reason = denialOf(sentence);
  const name = dialectIn(argv);
  const events = name === undefined ? [] : Object.entries(dialectOf(name).capabilities.events);
  const [gate = ""] = events.find(([, { native, deny }]) => native === "pre_tool_use" && deny === "held") ?? [];
  const asked = { declared: name ?? DIALECT_NAMES[0], urlEvent: gate, payload: {}, isInteractive: false };
  const denial = asked.declared && gate !== "" ? failureBody({ ...asked, declared: asked.declared }, reason) : null;
  return { code: 2, stdout: denial ? `${JSON.stringify(denial.body)}\n` : "", stderr: `Quarterdeck: ${sentence}\n` };
}

/**
 * The work with a signal that ends a little before the limit. Errors: its own, and a `Trouble` at the limit or at an
 * abort.
 */
async function inTime(args: DialectArguments, world: World, work: (limited: World) => Promise<Body>): Promise<Body> {
  const remainingMs = () => args.limitMs - world.runningMs();
  const soon = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const ended = new Promise<never>((_, reject) => {
    const end = (says: string) => reject(new Trouble(says));
    timers.push(setTimeout(() => soon.abort(), Math.max(0, remainingMs() - CONCLUDING_MS)));
    timers.push(setTimeout(() => end(`There is none within ${args.limitMs / 1_000} s.`), Math.max(0, remainingMs())));
    const toldToEnd = () => end("It was told to end before anything was decided.");
    if (world.signal.aborted) toldToEnd();
    world.signal.addEventListener("abort", toldToEnd, { once: true });
  });
  try {
    return await Promise.race([work({ ...world, signal: soon.signal, remainingMs }), ended]);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    soon.abort();
  }
}
