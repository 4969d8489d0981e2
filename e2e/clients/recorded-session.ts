/** A session whose hooks carry everything: the console shows each event that the client sent, in order, and the money of each request. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { script } from "../fixtures/script.ts";
import { enrol, type GenuineClient } from "./clients.ts";
import { type ClientOutcome, type ConsoleWorld, callsOf, freshHome } from "./drill-and-telemetry.ts";
import { runClient } from "./run-client.ts";
import { scriptedModel } from "./scripted-model.ts";

const NAME = "each event that its hooks sent is on the timeline, in order and priced";
const COMMANDS = ["touch one", "touch two"];
const ARRIVAL_MS_MAX = 30_000;
const NANO_PER_DOLLAR = 1e9;

const sentEvent = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  tool_use_id: z.string().optional(),
});
type SentEvent = z.infer<typeof sentEvent>;

/** The event with the call that it is about. */
const wordsOf = (event: string, toolUseId: string | null | undefined): string =>
  toolUseId ? `${event} ${toolUseId}` : event;

export async function proveRecordedSession(
  client: GenuineClient,
  program: string,
  { folder, clients, server }: ConsoleWorld,
): Promise<ClientOutcome> {
  if (client.price === undefined) return { name: NAME, isHeld: true, found: "its hooks carry no money" };
  const agent = `recorded ${client.dialect}`;
  const model = await scriptedModel(COMMANDS);
  const place = await freshHome(folder, model.url);
  const log = join(place.home, "sent");
  await mkdir(log);
  const key = (await server.quarterdeck(["key", "create", "--agent", agent])).trim();
  const commandOf = (_event: string, own: string) => `tee "$HOME/sent/$(date +%s%N)-$$" | { ${own}; }`;
  await enrol(client, { url: server.url, scope: "user", key }, place, { isGateOnly: false, commandOf });
  const said = await runClient(client, program, "Run both.", place, clients);
  const requests = model.requests();
  await model.stop();
  const sent = await sentEvents(log);
  const sessionId = sent[0]?.session_id ?? "";
  const shown = await timelineOf(server, agent, sessionId, sent.length);
  const calls = await callsOf(server, requests, (call) => call.sessionId === sessionId);
  const expected = sent.map((one) => wordsOf(one.hook_event_name, one.tool_use_id));
  const wrong = expected.findIndex((words, at) => words !== shown[at]);
  const dollars = calls.reduce((sum, { usd }) => sum + Number(usd), 0);
  const price = (client.price * 2 * requests) / 1e6;
  const isPriced = Math.round(dollars * NANO_PER_DOLLAR) === Math.round(price * NANO_PER_DOLLAR);
  const isHeld = requests > COMMANDS.length && shown.length === sent.length && wrong === -1 && isPriced;
  const found = `${sent.length} events sent, ${shown.length} shown; ${requests} requests, ${calls.length} in the ledger, $${dollars}`;
  const first = wrong === -1 ? "" : `; ${expected[wrong]} was sent where ${shown[wrong]} is shown`;
  return { name: NAME, isHeld, found: isHeld ? found : `${found}${first}; it said: ${said.slice(-600)}` };
}

async function sentEvents(log: string): Promise<SentEvent[]> {
  const names = (await readdir(log)).sort();
  return Promise.all(names.map(async (name) => sentEvent.parse(JSON.parse(await readFile(join(log, name), "utf8")))));
}

/** The rows of a session, as soon as there are as many as expected. */
async function timelineOf(server: ConsoleWorld["server"], agent: string, sessionId: string, expected: number) {
  const { query } = await script(server);
  const untilMs = Date.now() + ARRIVAL_MS_MAX;
  for (;;) {
    const agentId = (await query("agents.list")).find(({ name }) => name === agent)?.id;
    if (agentId === undefined) return [];
    const session = { agentId, sessionId };
    const outline = await query("sessions.outline", session).catch(() => null);
    const [from] = outline?.pages ?? [];
    const isLate = Date.now() > untilMs;
    if (outline && from && (outline.rows >= expected || isLate)) {
      const { rows } = await query("sessions.rows", { ...session, from, to: null });
      return rows.map((row) => wordsOf(row.event, row.toolUseId));
    }
    if (isLate) return [];
    await delay(500);
  }
}
