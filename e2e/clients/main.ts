/**
 * `QUARTERDECK_CLIENTS=DIR node --import tsx e2e/clients/main.ts [PART...] [CLIENT...]`: genuine clients against a scripted model on
 * loopback and the real console. Each is enrolled in both ways, with the relay of its enrolment and with `quarterdeck hook
 * --dialect`, and must run what is allowed, not run what is denied, run what a call was changed to (or nothing, if it cannot
 * change calls), and run nothing while the console is down or silent. Its enrolment passes a drill, and its telemetry brings each request
 * to the model into the ledger once, where it has any. Where its hooks carry the money, a session is on the timeline as it was sent. Prints a line for each; exit 1 when one does not hold.
 *
 * The parts are `console` and `strange-answers`, both when none is named. The second needs no console: none of the answers of
 * e2e/fixtures/strange-answers.ts lets a call run.
 *
 * DIR holds a folder per client, made by hand and outside of the repository; a client that is not there is skipped:
 *
 *     npm install --prefix DIR/claude @anthropic-ai/claude-code
 *     npm install --prefix DIR/gemini @google/gemini-cli
 *     npm install --prefix DIR/codex @openai/codex
 *     npm install --prefix DIR/qwen @qwen-code/qwen-code
 *     npm install --prefix DIR/node node@22      where a client asks for another Node than this one
 *
 * docker-agent is a program of its own: QUARTERDECK_DOCKER_AGENT=PATH names it. Where there is none, server/cli/enrol/docker-agent.proof.test.ts
 * runs its hooks in a runtime that reads the user's folder as it does.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OwnServer, ownServer } from "../fixtures/own-server.ts";
import { CLIENTS, type ClientSetup, enrol, type GenuineClient, programOf } from "./clients.ts";
import { type ClientOutcome, proveDrill, proveTelemetry } from "./drill-and-telemetry.ts";
import { proveRecordedSession } from "./recorded-session.ts";
import { runClient } from "./run-client.ts";
import { scriptedModel } from "./scripted-model.ts";
import { proveStrangeAnswers } from "./strange-answers.ts";
import { WAYS, type Way } from "./ways.ts";

const ALL_MS_MAX = 60 * 60_000;
const PARTS = ["console", "strange-answers"];

const SHELLS = "Bash|run_shell_command|shell";
const DENIED = "Quarterdeck says no.";
const rewrite = { hook_specific_output: { updated_input: { command: "touch changed-ran" } } };
const POLICY = JSON.stringify({
  hooks: {
    pre_tool_use: [
      {
        matcher: SHELLS,
        hooks: [
          { type: "command", command: `grep -q forbidden && { echo '${DENIED}' >&2; exit 2; } || true` },
          { type: "command", command: `if grep -q change-me; then echo '${JSON.stringify(rewrite)}'; fi` },
        ],
      },
    ],
  },
});

interface Situation {
  readonly name: string;
  readonly command: string;
  /** The mark in the project that must be there afterwards, of all that could be; none when nothing may run. */
  readonly mark: string | null;
  /** Words that the model must get. */
  readonly heard: string | null;
  /** The call is changed by policy: a client that cannot do that runs nothing. */
  readonly isChanged?: boolean;
  /** No hook but the one before a tool is enrolled, so that nothing else can stop the call. */
  readonly isGateOnly?: boolean;
  /** The address that answers nothing, in the console's place. */
  readonly isSilent?: boolean;
}

const NO_VERDICT = "no verdict";
const UNCHANGEABLE = "this client cannot change it here";

const WITH_CONSOLE: readonly Situation[] = [
  { name: "allowed runs", command: "touch allowed-ran", mark: "allowed-ran", heard: null },
  { name: "denied does not run", command: "touch forbidden-ran", mark: null, heard: DENIED },
  {
    ...{ name: "changed runs as changed, or not at all", command: "touch change-me-ran", mark: "changed-ran" },
    ...{ heard: null, isChanged: true },
  },
];
const SILENT_CONSOLE: Situation = {
  ...{ name: "console never answers: the call is blocked", command: "touch allowed-ran", mark: null },
  ...{ heard: NO_VERDICT, isGateOnly: true, isSilent: true },
};
const WITHOUT_CONSOLE: readonly Situation[] = [
  { name: "console down: nothing runs", command: "touch allowed-ran", mark: null, heard: null },
  {
    ...{ name: "console down: the call is blocked", command: "touch allowed-ran", mark: null },
    ...{ heard: NO_VERDICT, isGateOnly: true },
  },
];
const MARKS = ["allowed-ran", "forbidden-ran", "change-me-ran", "changed-ran"];

interface World {
  readonly folder: string;
  readonly clients: string;
  readonly server: OwnServer;
  readonly key: string;
  /** Where somebody listens who answers nothing. */
  readonly silentUrl: string;
}

/** True if it held. */
async function runSituation(client: GenuineClient, program: string, way: Way, world: World, situation: Situation) {
  if (situation.isChanged === true && client.takesChanges === null) {
    console.log(`skipped ${client.dialect}, ${way.name}: ${situation.name}`);
    return true;
  }
  const home = await mkdtemp(join(world.folder, "home-"));
  const project = join(home, "project");
  await mkdir(project);
  const model = await scriptedModel();
  const place: ClientSetup = { home, project, modelUrl: model.url };
  const url = situation.isSilent === true ? world.silentUrl : world.server.url;
  const enrolled = { isGateOnly: situation.isGateOnly === true, commandOf: way.commandOf(client, url) };
  await enrol(client, { url, scope: "user", key: world.key, hasTelemetry: false }, place, enrolled);
  const output = await runClient(client, program, `run: ${situation.command}`, place, world.clients);
  const ran = MARKS.filter((mark) => existsSync(join(project, mark)));
  const heard = model.results();
  await model.stop();
  const isRefusal = situation.isChanged === true && !client.takesChanges;
  const mark = isRefusal ? null : situation.mark;
  const words = isRefusal ? UNCHANGEABLE : situation.heard;
  const isMarked = JSON.stringify(ran) === JSON.stringify(mark === null ? [] : [mark]);
  const isHeld = isMarked && (words === null || heard.includes(words));
  console.log(`${isHeld ? "held" : "FAILED"}  ${client.dialect}, ${way.name}: ${situation.name}`);
  if (!isHeld)
    console.log(
      `  ran: ${ran.join(", ") || "nothing"}\n  the model heard: ${heard.slice(0, 600)}\n  said: ${output.slice(-1_500)}`,
    );
  return isHeld;
}

function say({ dialect }: GenuineClient, { name, isHeld, found }: ClientOutcome): boolean {
  console.log(`${isHeld ? "held" : "FAILED"}  ${dialect}, ${name} (${found})`);
  return isHeld;
}

type Installed = readonly (readonly [client: GenuineClient, program: string])[];

async function installedOf(clients: string, names: readonly string[]): Promise<Installed> {
  const installed: (readonly [GenuineClient, string])[] = [];
  for (const client of CLIENTS) {
    if (names.length > 0 && !names.includes(client.dialect)) continue;
    const program = await programOf(client, clients);
    if (program) installed.push([client, program]);
    else if (client.variable !== undefined)
      console.log(`skipped ${client.dialect}: ${client.variable} names no program`);
    else
      console.log(`skipped ${client.dialect}: ${client.packageName} is not installed in ${clients}/${client.folder}`);
  }
  return installed;
}

async function proveWithConsole(world: World, installed: Installed): Promise<boolean> {
  const held: boolean[] = [];
  const all = async (situations: readonly Situation[]) => {
    for (const [client, program] of installed)
      for (const way of WAYS)
        for (const situation of situations) held.push(await runSituation(client, program, way, world, situation));
  };
  await all(WITH_CONSOLE);
  for (const [client, program] of installed)
    for (const proof of [proveDrill, proveTelemetry, proveRecordedSession])
      held.push(say(client, await proof(client, program, world)));
  // They mostly wait, so they wait together.
  const waiting = installed.flatMap(([client, program]) =>
    WAYS.map((way) => runSituation(client, program, way, world, SILENT_CONSOLE)),
  );
  held.push(...(await Promise.all(waiting)));
  await world.server.stop();
  await all(WITHOUT_CONSOLE);
  return held.every(Boolean);
}

/** A console of its own, with a policy and an agent. */
async function withConsole(folder: string, clients: string, installed: Installed): Promise<boolean> {
  const silent = createServer((socket) => socket.on("error", () => undefined));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`; // a TCP server's address
  const server = await ownServer();
  try {
    await server.start();
    const policy = join(folder, "policy.json");
    await writeFile(policy, POLICY);
    await server.quarterdeck(["policy", "publish", policy, "--name", "clients"]);
    const key = (await server.quarterdeck(["key", "create", "--agent", "clients"])).trim();
    return await proveWithConsole({ folder, clients, server, key, silentUrl }, installed);
  } finally {
    await server.close();
    silent.close();
  }
}

async function withStrangeAnswers(folder: string, clients: string, installed: Installed): Promise<boolean> {
  const held: boolean[] = [];
  for (const [client, program] of installed)
    for (const way of WAYS)
      held.push(say(client, await proveStrangeAnswers(client, program, way, { folder, clients })));
  return held.every(Boolean);
}

async function main(): Promise<void> {
  const clients = process.env.QUARTERDECK_CLIENTS ?? "";
  if (clients === "") {
    console.log("skipped: QUARTERDECK_CLIENTS names no folder with clients; see the head of e2e/clients/main.ts.");
    return;
  }
  const bundler = "../../scripts/bundle.mjs";
  const { bundle } = (await import(bundler)) as { bundle(): Promise<void> }; // a script without types
  await bundle();
  const words = process.argv.slice(2);
  const named = words.filter((word) => PARTS.includes(word));
  const parts = named.length > 0 ? named : PARTS;
  const names = words.filter((word) => !PARTS.includes(word));
  const installed = await installedOf(clients, names);
  const folder = await mkdtemp(join(tmpdir(), "quarterdeck-clients-"));
  const ending = setTimeout(() => {
    console.log(`FAILED  not done within ${ALL_MS_MAX / 60_000} minutes`);
    process.exit(1);
  }, ALL_MS_MAX);
  try {
    const held: boolean[] = [];
    if (parts.includes("strange-answers")) held.push(await withStrangeAnswers(folder, clients, installed));
    if (parts.includes("console")) held.push(await withConsole(folder, clients, installed));
    process.exitCode = held.every(Boolean) ? 0 : 1;
  } finally {
    clearTimeout(ending);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main();
