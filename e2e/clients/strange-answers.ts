/**
 * Genuine clients against a console that answers wrongly: every answer of `strange-answers.ts`, each to the question about a call that would
 * leave a mark. Several calls share a session, which begins and ends with a call that the console allows, so that it proves something.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { AGENT_KEY, type HookAnswer, startFakeConsole } from "../fixtures/fake-console.ts";
import { inParallel } from "../fixtures/relay-table.ts";
import { genuineAllow, STRANGE_ANSWERS, type StrangeAnswer } from "../fixtures/strange-answers.ts";
import { type Enrolled, enrol, type GenuineClient } from "./clients.ts";
import type { ClientOutcome } from "./drill-and-telemetry.ts";
import { runClient } from "./run-client.ts";
import { scriptedModel } from "./scripted-model.ts";
import type { Way } from "./ways.ts";

interface World {
  readonly folder: string;
  readonly clients: string;
}

const CALLS_MAX = 37;
const SESSIONS_AT_A_TIME = 3;
/** A session that ends early leaves calls unasked; the next one asks about them. */
const SESSIONS_MAX = 4;

interface Asked {
  /** By the mark of their calls. */
  readonly answers: ReadonlyMap<string, HookAnswer>;
  readonly isSlow: boolean;
}

interface Session {
  /** The marks of calls that the console was asked about, to their ends. */
  readonly asked: ReadonlySet<string>;
  readonly ran: readonly string[];
  readonly said: string;
}

/** For one client in one way: none of its calls ran, each was asked about, and those that were allowed ran. */
export async function proveStrangeAnswers(
  client: GenuineClient,
  program: string,
  way: Way,
  world: World,
): Promise<ClientOutcome> {
  const startedMs = Date.now();
  const parts = [...partsOf(STRANGE_ANSWERS.filter(({ isSlow }) => !isSlow)), STRANGE_ANSWERS.filter(isSlow)];
  const done = await inParallel(parts, SESSIONS_AT_A_TIME, (answers) =>
    provePart(client, program, way, world, answers),
  );
  const ran = done.flatMap((part) => part.ran);
  const unasked = done.flatMap((part) => part.unasked);
  const troubles = done.flatMap((part) => part.troubles);
  const sessions = done.reduce((sum, part) => sum + part.sessions, 0);
  const isHeld = ran.length === 0 && unasked.length === 0 && troubles.length === 0;
  const took = `${STRANGE_ANSWERS.length - unasked.length} asked in ${sessions} sessions, ${Math.round((Date.now() - startedMs) / 1_000)} s`;
  const name = `${way.name}: of ${STRANGE_ANSWERS.length} strange answers, ${ran.length} let a call run`;
  const found = [
    took,
    ...(ran.length > 0 ? [`ran on: ${ran.join("; ")}`] : []),
    ...(unasked.length > 0 ? [`not asked: ${unasked.join("; ")}`] : []),
    ...troubles,
  ].join("; ");
  return { name, isHeld, found };
}

const isSlow = (answer: StrangeAnswer): boolean => answer.isSlow;

function partsOf(answers: readonly StrangeAnswer[]): (readonly StrangeAnswer[])[] {
  const count = Math.ceil(answers.length / CALLS_MAX);
  return Array.from({ length: count }, (_, part) => answers.filter((_answer, at) => at % count === part));
}

async function provePart(
  client: GenuineClient,
  program: string,
  way: Way,
  world: World,
  answers: readonly StrangeAnswer[],
) {
  const ran = new Set<string>();
  const troubles: string[] = [];
  let left: ReadonlyMap<string, HookAnswer> = new Map(answers.map((answer, at) => [`strange-${at}-ran`, answer]));
  let sessions = 0;
  while (left.size > 0 && sessions < SESSIONS_MAX) {
    sessions += 1;
    const session = await runSession(client, program, way, world, { answers: left, isSlow: answers.some(isSlow) });
    for (const mark of session.ran) {
      const answer = left.get(mark);
      if (answer !== undefined) ran.add(answer.name);
    }
    if (!session.ran.includes(FIRST_ALLOWED))
      troubles.push(`an allowed call did not run; it said: ${session.said.slice(-600)}`);
    const next = new Map([...left].filter(([mark]) => !session.asked.has(mark)));
    if (next.size === left.size) break;
    left = next;
  }
  return { ran: [...ran], unasked: [...left.values()].map(({ name }) => name), troubles, sessions };
}

const FIRST_ALLOWED = "genuine-0-ran";
const LAST_ALLOWED = "genuine-1-ran";
const MARK = /\b(?:strange|genuine)-\d+-ran\b/;

async function runSession(
  client: GenuineClient,
  program: string,
  way: Way,
  { folder, clients }: World,
  { answers, isSlow }: Asked,
): Promise<Session> {
  const home = await mkdtemp(join(folder, "home-"));
  const project = join(home, "project");
  await mkdir(project);
  const asked: string[] = [];
  const byMark: HookAnswer = {
    name: "by mark",
    serve(socket, request) {
      const [mark = ""] = MARK.exec(request.body.toString("utf8")) ?? [];
      asked.push(mark);
      (answers.get(mark) ?? genuineAllow).serve(socket, request);
    },
  };
  const fake = await startFakeConsole([byMark, genuineAllow]);
  const marks = [FIRST_ALLOWED, ...answers.keys(), LAST_ALLOWED];
  const model = await scriptedModel(marks.map((mark) => `touch ${mark}`));
  try {
    const place = { home, project, modelUrl: model.url };
    const url = fake.urlOf(byMark);
    const commandOf = way.commandOf(client, url);
    const enrolled: Enrolled = {
      isGateOnly: true,
      commandOf: (event, own) => inTime(commandOf === null ? own : commandOf(event, own), isSlow),
    };
    await enrol(client, { url, scope: "user", key: AGENT_KEY, hasTelemetry: false }, place, enrolled);
    const said = await runClient(client, program, "Do what is to be done.", place, clients);
    const ran = marks.filter((mark) => existsSync(join(project, mark)));
    // The call of a session that was ended may not have come to its own end.
    const concluded = ran.includes(LAST_ALLOWED) ? asked : asked.slice(0, -1);
    return { asked: new Set(concluded), ran, said };
  } finally {
    await model.stop();
    await fake.stop();
  }
}

/** An answer that never ends is waited for two seconds, where an enrolment says 110. */
function inTime(command: string, isSlow: boolean): string {
  if (!isSlow) return command;
  return command.replace(/ exit \d+ \d+/, " exit 2 1").replace(" --dialect ", " --timeout 2 --dialect ");
}
