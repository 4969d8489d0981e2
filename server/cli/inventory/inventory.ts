/** The verb `inventory`: reads the extensions of this machine's clients, and reports their names, versions and digests. */
import { resolve } from "node:path";
import { clientTitle } from "../../dialects/schema.ts";
import { type ExtensionReport, type ExtensionReported, extensionReported } from "../../extensions/schema.ts";
import { type Console, postAsAgent } from "../agent-request.ts";
import type { ProcessContext } from "../enrol/process-context.ts";
import { projectFolder } from "../enrol/scope.ts";
import { Refusal } from "../refusal.ts";
import { findConsole } from "./find-console.ts";
import { findExtensions, type InventoryPlace, isInUse } from "./find-extensions.ts";
import { INVENTORIED, type InventoriedClient } from "./places.ts";

export interface InventoryOptions {
  readonly project?: string | true;
  readonly config?: string;
  readonly url?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Errors: a `Refusal` when a client could not be reported; the other clients are reported before. */
export async function inventory(
  name: string | undefined,
  options: InventoryOptions,
  context: ProcessContext,
): Promise<void> {
  const clients = await clientsOf(name, options, context);
  const failures: string[] = [];
  for (const client of clients) {
    const report = await reportOf(client, options, context);
    if (options.json === true) context.writeOutput(`${JSON.stringify(report)}\n`);
    if (options.dryRun === true) {
      say(options, context, dryLines(report));
      continue;
    }
    try {
      const console = await findConsole(client, placeOf(options, context), options.url);
      say(options, context, [lineOf(report, await send(console, report))]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      failures.push(`${clientTitle(client)}: ${error.message}`);
    }
  }
  if (failures.length > 0) throw new Refusal(failures.join("\n"));
}

const send = (console: Console, report: ExtensionReport): Promise<ExtensionReported> =>
  postAsAgent(console, "/api/v1/inventory", report, { view: extensionReported, subject: "inventories" });

function placeOf({ project }: InventoryOptions, context: ProcessContext): InventoryPlace {
  const { homeDirectory: home, workingDirectory, environment } = context;
  return { home, environment, project: project === undefined ? null : projectFolder({ project }, workingDirectory) };
}

async function clientsOf(
  name: string | undefined,
  options: InventoryOptions,
  context: ProcessContext,
): Promise<InventoriedClient[]> {
  const client = INVENTORIED.find((known) => known === name);
  if (name !== undefined && client === undefined)
    throw new Refusal(
      `There is no client ${JSON.stringify(name.slice(0, 40))} with an inventory. Known: ${INVENTORIED.join(", ")}.`,
      2,
    );
  if (options.config !== undefined && client !== "docker-agent")
    throw new Refusal("--config is for docker-agent: inventory docker-agent --config FILE.", 2);
  if (client !== undefined) return [client];
  const place = placeOf(options, context);
  const inUse: InventoriedClient[] = [];
  for (const one of INVENTORIED) if (await isInUse(one, place)) inUse.push(one);
  if (inUse.length === 0) throw new Refusal(`No client was found in ${place.home}. Name one: inventory CLIENT.`);
  return inUse;
}

async function reportOf(
  client: InventoriedClient,
  options: InventoryOptions,
  context: ProcessContext,
): Promise<ExtensionReport> {
  const place = placeOf(options, context);
  const file = options.config === undefined ? null : resolve(context.workingDirectory, options.config);
  const { extensions, isComplete } = await findExtensions(client, place, file);
  return { client, project: place.project, is_complete: isComplete, extensions: [...extensions] };
}

function say({ json, quiet }: InventoryOptions, context: ProcessContext, lines: readonly string[]): void {
  if (json !== true && quiet !== true) context.writeOutput(`${lines.join("\n")}\n`);
}

function lineOf({ client, is_complete }: ExtensionReport, done: ExtensionReported): string {
  const counts = [
    `${done.extensions} reported`,
    ...(done.added > 0 ? [`${done.added} new`] : []),
    ...(done.changed > 0 ? [`${done.changed} changed`] : []),
    ...(done.removed > 0 ? [`${done.removed} removed`] : []),
    `${done.unaccepted} not accepted`,
  ];
  return `${clientTitle(client)}: ${counts.join(", ")}${is_complete ? "" : "; more were found than a report takes"}`;
}

function dryLines({ client, extensions }: ExtensionReport): string[] {
  const rows = extensions.map(({ kind, name, version, digest, path }) =>
    [kind, name, version ?? "-", digest?.slice(0, 12) ?? "not read", path].join("\t"),
  );
  return [`${clientTitle(client)}: ${extensions.length} found`, ...rows];
}
