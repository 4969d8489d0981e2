/** The verb `drill`: known-bad calls through a client's own hooks, and what would have become of them. */
import { once } from "node:events";
import { createServer } from "node:net";
import { type DrillEffect, type DrillMode, type DrillResult, drillSessionId } from "../../drills/schema.ts";
import { clientVersion } from "../client-version.ts";
import type { ProcessContext } from "../enrol/process-context.ts";
import { Refusal } from "../refusal.ts";
import type { FoundHooks } from "./configured-hook.ts";
import { reportDrill, startDrill } from "./console.ts";
import { type DrillProbe, drillProbes } from "./drill-calls.ts";
import { isBlocked } from "./hook-effect.ts";
import { drillLines } from "./results.ts";
import { runHook } from "./run-hook.ts";
import { readText } from "./settings-file.ts";
import { type DrillOptions, type DrillTarget, drillTarget, findConsole } from "./target.ts";

/** A call with the hooks that the client would ask about it. */
interface PlannedCall {
  readonly probe: DrillProbe;
  readonly found: FoundHooks;
}

/** Errors: a `Refusal` when anything passed, and when the drill could not be made. */
export async function drill(client: string, options: DrillOptions, context: ProcessContext): Promise<void> {
  const target = drillTarget(client, options, context);
  const mode: DrillMode = options.outage === true ? "outage" : "liveness";
  const planned = await Promise.all(
    drillProbes(target.client).map(async (probe): Promise<PlannedCall> => {
      return { probe, found: await target.findHooks(target.folders, probe, context.environment) };
    }),
  );
  const notes = [...new Set(planned.flatMap(({ found }) => found.notes))];
  const isGoverned = planned.some(({ found }) => found.hooks.length > 0);
  const console = await findConsole(target, options, context, isGoverned ? await textsOf(planned) : []);
  if (console === null) throw new Refusal(isGoverned ? NO_KEY : notGoverned(target, notes));
  const started = await startDrill(console, mode);
  const version = await clientVersion(target.client, context.environment);
  const closedPort = mode === "outage" ? await findClosedPort() : null;
  const calls = await Promise.all(
    planned.map(async (one) => {
      const effect = await effectOf(target, one, { nonce: started.nonce, closedPort, context });
      return { call: one.probe.call, event: eventOf(one), effect };
    }),
  );
  const report = { nonce: started.nonce, client: target.client, client_version: version, calls };
  const { drill_id, results } = await reportDrill(console, report);
  const rows = results.map((result) => ({ ...result, tool: toolOf(planned, result.call) }));
  if (options.json === true) {
    const said = { drill: drill_id, client: target.client, version, mode, governed: isGoverned, results: rows, notes };
    context.writeOutput(`${JSON.stringify(said)}\n`);
  } else {
    context.writeOutput(`${drillLines(target.title, mode, rows).join("\n")}\n`);
    for (const note of notes) context.writeError(`quarterdeck: ${note}\n`);
  }
  refuseFailure(target, results, { isGoverned, isStrict: options.strict === true && mode === "liveness" });
}

interface Judged {
  readonly isGoverned: boolean;
  readonly isStrict: boolean;
}

function refuseFailure(target: DrillTarget, results: readonly DrillResult[], { isGoverned, isStrict }: Judged): void {
  if (!isGoverned) throw new Refusal(notGoverned(target, []));
  const open = results.filter(({ outcome }) => outcome !== "blocked").length;
  if (open > 0) throw new Refusal(`${open} of ${results.length} known-bad calls were not held by the gate.`);
  const allowed = results.filter(({ policy }) => policy !== "deny").length;
  if (isStrict && allowed > 0)
    throw new Refusal(
      `The gate holds, but the policy denies only ${results.length - allowed} of ${results.length} known-bad calls.`,
    );
}

const NO_KEY =
  "No key was found, so the gate cannot know that this is a drill. Enrol the client again, or set QUARTERDECK_KEY.";

function notGoverned({ title, folders: { scope } }: DrillTarget, notes: readonly string[]): string {
  const why = notes.length === 0 ? "" : ` ${notes.join(" ")}`;
  return `${title} is not governed here: no hook of its ${scope} settings is asked before a call.${why}`;
}

async function textsOf(planned: readonly PlannedCall[]): Promise<string[]> {
  const texts = planned.flatMap(({ found }) =>
    found.hooks.map(async ({ action }) => {
      if (action.kind === "command") return action.command;
      if (action.kind === "http") return action.url;
      return (await readText(action.path)) ?? "";
    }),
  );
  return Promise.all(texts);
}

const eventOf = ({ probe, found }: PlannedCall): string => found.hooks[0]?.event ?? probe.events[0];
const toolOf = (planned: readonly PlannedCall[], call: number): string | null =>
  planned.find(({ probe }) => probe.call === call)?.probe.tool ?? null;

interface Under {
  readonly nonce: string;
  readonly closedPort: number | null;
  readonly context: ProcessContext;
}

/** Clients ask all hooks of a call, and one refusal is enough. */
async function effectOf(target: DrillTarget, { probe, found }: PlannedCall, under: Under): Promise<DrillEffect> {
  if (found.hooks.length === 0) return "unconfigured";
  const { directory, client } = target;
  const { environment } = under.context;
  const asked = { sessionId: drillSessionId(under.nonce, probe.call), directory, now: new Date() };
  const blocked = await Promise.all(
    found.hooks.map(async (hook) => {
      const payload = probe.payload(hook.event, asked);
      const run = await runHook(hook, payload, {
        ...{ directory, closedPort: under.closedPort, attachesPayload: client === "cursor" },
        environment: { ...environment, HOME: target.folders.home, CLAUDE_PROJECT_DIR: directory },
      });
      return isBlocked(client, run, { hook, payload });
    }),
  );
  return blocked.includes(true) ? "blocked" : "passed";
}

/** A local port without a listener: it was free a moment ago. */
async function findClosedPort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Refusal("This machine gave no port.");
  return address.port;
}
