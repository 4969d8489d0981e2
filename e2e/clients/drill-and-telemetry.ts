/** Two more proofs with a genuine client: a drill of its enrolment, and the requests that its telemetry brings into the ledger. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { OwnServer } from "../fixtures/own-server.ts";
import { script } from "../fixtures/script.ts";
import { type ClientSetup, enrol, type GenuineClient } from "./clients.ts";
import { runClient, searchPath } from "./run-client.ts";
import { scriptedModel } from "./scripted-model.ts";

export interface ClientOutcome {
  readonly name: string;
  readonly isHeld: boolean;
  /** For whoever reads the table. */
  readonly found: string;
}

export interface ConsoleWorld {
  readonly folder: string;
  readonly clients: string;
  readonly server: OwnServer;
}

const DRILL_PROGRAM = fileURLToPath(new URL("../../dist/quarterdeck-drill.mjs", import.meta.url));
const AS_ENROLLED = { isGateOnly: false, commandOf: null };
const HOUR_MS = 3_600_000;
const ARRIVAL_MS_MAX = 30_000;
const drilled = z.object({
  version: z.string().nullable(),
  results: z.array(z.object({ call: z.number(), event: z.string(), outcome: z.string() })),
});
const calls = z.object({
  calls: z.array(
    z.object({
      agentName: z.string(),
      usd: z.string().nullable(),
      isClientEstimate: z.boolean(),
      sessionId: z.string(),
    }),
  ),
});

export async function freshHome(folder: string, modelUrl: string): Promise<ClientSetup> {
  const home = await mkdtemp(join(folder, "home-"));
  const project = join(home, "project");
  await mkdir(project);
  return { home, project, modelUrl };
}

export async function proveDrill(
  client: GenuineClient,
  program: string,
  { folder, clients, server }: ConsoleWorld,
): Promise<ClientOutcome> {
  const place = await freshHome(folder, "http://127.0.0.1:9");
  const key = (await server.quarterdeck(["key", "create", "--agent", `drilled ${client.dialect}`])).trim();
  await enrol(client, { url: server.url, scope: "user", key }, place, AS_ENROLLED);
  const PATH = [dirname(program), searchPath(clients)].join(delimiter);
  const env = { NODE_ENV: "production", PATH, HOME: place.home } as const;
  const args = [DRILL_PROGRAM, client.dialect, "--user", "--json", "--url", server.url];
  const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: place.project, env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, stdout: out, stderr: err }),
    );
  });
  const name = "a drill of its enrolment is blocked, call by call";
  const read = drilled.safeParse(stdout === "" ? null : JSON.parse(stdout));
  if (!read.success) return { name, isHeld: false, found: `exit code ${String(code)}: ${stderr.slice(0, 400)}` };
  const { version, results } = read.data;
  const found = `version ${version ?? "unknown"}: ${results.map(({ event, outcome }) => `${event} ${outcome}`).join(", ")}`;
  return { name, isHeld: code === 0 && results.every(({ outcome }) => outcome === "blocked"), found };
}

export async function proveTelemetry(
  client: GenuineClient,
  program: string,
  world: ConsoleWorld,
): Promise<ClientOutcome> {
  const { folder, clients, server } = world;
  const name = "each request to the model is in the ledger once";
  if (client.estimates === undefined) return { name, isHeld: true, found: "it exports none" };
  const agent = `exporter ${client.dialect}`;
  const model = await scriptedModel();
  const place = await freshHome(folder, model.url);
  const key = (await server.quarterdeck(["key", "create", "--agent", agent])).trim();
  await enrol(client, { url: server.url, scope: "user", key }, place, AS_ENROLLED);
  const said = await runClient(client, program, "run: touch allowed-ran", place, clients);
  const requests = model.requests();
  await model.stop();
  const arrived = await callsOf(server, requests, ({ agentName }) => agentName === agent);
  const estimates = arrived.filter(({ isClientEstimate, usd }) => isClientEstimate && usd !== null).length;
  const isHeld = requests > 0 && arrived.length === requests && estimates === (client.estimates ? requests : 0);
  const costs = [...new Set(arrived.map(({ usd }) => usd ?? "unpriced"))].join(", ");
  const found = `${requests} requests, ${arrived.length} calls, ${estimates} by the client's estimate, ${costs}`;
  return { name, isHeld, found: isHeld ? found : `${found}; it said: ${said.slice(-600)}` };
}

type Call = z.infer<typeof calls>["calls"][number];

/** The calls of the ledger that are asked for, as soon as there are as many as expected and none follows. */
export async function callsOf(server: OwnServer, expected: number, isAsked: (call: Call) => boolean): Promise<Call[]> {
  const { query } = await script(server);
  const untilMs = Date.now() + ARRIVAL_MS_MAX;
  const read = async () => {
    const range = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) };
    return calls.parse(await query("costs.calls", range)).calls.filter(isAsked);
  };
  let found = await read();
  while (found.length < expected && Date.now() < untilMs) {
    await delay(500);
    found = await read();
  }
  await delay(2_000);
  return read();
}
