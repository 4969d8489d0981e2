/** `stream check`: a stream, or the lines that a receiver has, compared with the record. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { z } from "zod";
import {
  type ManifestPage,
  manifestPage,
  type Position,
  type StreamCheck,
  type StreamView,
  streamCheck,
  streamView,
} from "../streams/schema.ts";
import { print, printJson } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

const NAMED_MAX = 20;

/** Exit code 1 when anything differs. */
export async function check(name: string, files: readonly string[], { json }: { readonly json: boolean }) {
  const stream = (await ask("streams.list", undefined, z.array(streamView))).find(
    (one) => one.name === name || one.id === name,
  );
  if (!stream) throw new Refusal(`There is no stream ${name}.`);
  const result = files.length === 0 ? await compareStream(stream) : await compareFiles(stream, files);
  if (json) printJson(result);
  else print(`${result.says}\n`);
  if (!result.isEqual) process.exitCode = 1;
}

async function compareStream({ id }: StreamView) {
  const sums = { sent: 0, recorded: 0, removed: 0, differing: [] as StreamCheck["differing"] };
  let after: Position | null = null;
  do {
    const page: StreamCheck = await ask("streams.check", { id, after }, streamCheck);
    sums.sent += page.sent;
    sums.recorded += page.recorded;
    sums.removed += page.removed;
    sums.differing.push(...page.differing);
    after = page.next;
  } while (after !== null);
  const isEqual = sums.differing.length === 0;
  const ranges = sums.differing.map(
    ({ from, to, sent, recorded }) => `${from} to ${to}: ${sent} sent, ${recorded} recorded`,
  );
  const says = isEqual
    ? `Equal: ${sums.sent} events by count and hash.`
    : `Different in ${sums.differing.length} ranges of entries:\n${ranges.join("\n")}`;
  return { isEqual, ...sums, says };
}

/** The events of the files' range of entries, one by one. */
async function compareFiles({ kinds, agentsMode, agents, seq }: StreamView, files: readonly string[]) {
  const received = new Map<string, string>();
  let doubled = 0;
  let unreadable = 0;
  for await (const line of linesOf(files)) {
    const event = readEvent(line);
    if (event === null) unreadable += 1;
    else if (event.id !== TEST_ID) {
      if (received.has(event.id)) doubled += 1;
      received.set(event.id, event.hash);
    }
  }
  const places = [...received.keys()].map((id) => Number(id.split(".")[0]));
  const [from, to] = [places.reduce((a, b) => Math.min(a, b), seq), places.reduce((a, b) => Math.max(a, b), 0)];
  const missing: string[] = [];
  const altered: string[] = [];
  let equal = 0;
  let after: Position | null = { seq: Math.max(0, from - 1), place: BEHIND_ALL };
  while (after !== null) {
    const page: ManifestPage = await ask("streams.manifest", { after, to, kinds, agentsMode, agents }, manifestPage);
    for (const { id, hash } of page.events) {
      const found = received.get(id);
      if (found === undefined) missing.push(id);
      else if (found !== hash) altered.push(id);
      else equal += 1;
      received.delete(id);
    }
    after = page.next;
  }
  const unknown = [...received.keys()];
  const isEqual = missing.length + altered.length + unknown.length + unreadable === 0;
  const says = [
    `${equal} events of the entries ${from} to ${to} are equal; ${doubled} arrived more than once.`,
    ...listed("Missing", missing),
    ...listed("Altered", altered),
    ...listed("Not in the record", unknown),
    ...(unreadable > 0 ? [`${unreadable} lines are not events of a stream.`] : []),
  ].join("\n");
  return { isEqual, from, to, equal, doubled, unreadable, missing, altered, unknown, says };
}

const TEST_ID = "0.0";
const BEHIND_ALL = 2_147_483_646;

const listed = (title: string, ids: readonly string[]): string[] =>
  ids.length === 0
    ? []
    : [`${title}: ${ids.length} (${ids.slice(0, NAMED_MAX).join(", ")}${ids.length > NAMED_MAX ? ", …" : ""})`];

async function* linesOf(files: readonly string[]): AsyncGenerator<string> {
  for (const file of files)
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
      if (line.trim() !== "") yield line;
}

const ID = /^\d{1,15}\.\d{1,9}$/;
const ownFormat = z.looseObject({ id: z.string().regex(ID), hash: z.string() });
const ocsf = z.looseObject({
  metadata: z.looseObject({ uid: z.string().regex(ID) }),
  unmapped: z.looseObject({ record_hash: z.string() }),
});

/** Null for a line that is not an event of a stream. */
function readEvent(line: string): { readonly id: string; readonly hash: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const own = ownFormat.safeParse(value).data;
  if (own) return { id: own.id, hash: own.hash };
  const mapped = ocsf.safeParse(value).data;
  return mapped ? { id: mapped.metadata.uid, hash: mapped.unmapped.record_hash } : null;
}
