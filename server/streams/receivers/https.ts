/** Receivers over HTTP: the event collector of Splunk, the bulk API of Elastic, and any that takes lines of JSON. */
import { z } from "zod";
import { createOutgoing, type Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { StreamLine } from "../formats/format.ts";
import { outcomeOfError, outcomeOfStatus } from "./http-outcome.ts";
import { accepted, type Outcome, type Receiver, type ReceiverSettings, type Refusal } from "./receiver.ts";

/** An answer of Elastic has some 60 bytes for each event. */
const ANSWER_BYTES_MAX = 1_000_000;
const NDJSON = "application/x-ndjson";

interface Request {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Exchange = (lines: readonly StreamLine[], send: Outgoing["send"], signal?: AbortSignal) => Promise<Outcome>;

function createHttpReceiver({ target, addresses, timeoutMs }: ReceiverSettings, exchange: Exchange): Receiver {
  const outgoing = createOutgoing(addresses, { bytesMax: ANSWER_BYTES_MAX, timeoutMs, ca: target.ca || undefined });
  return {
    send: (lines, signal) => exchange(lines, outgoing.send, signal).catch(outcomeOfError),
    close: outgoing.close,
  };
}

/** The answer's text is not read: its status says everything. */
const posting =
  (requestOf: (lines: readonly StreamLine[]) => Request): Exchange =>
  async (lines, send, signal) => {
    const { url, ...request } = requestOf(lines);
    const { status } = await send(url, { ...request, method: "POST", isBodyWanted: false, ...(signal && { signal }) });
    return outcomeOfStatus(status);
  };

export const createSplunk = (settings: ReceiverSettings): Receiver =>
  createHttpReceiver(
    settings,
    posting((lines) => ({
      url: new URL(settings.target.address),
      headers: { authorization: `Splunk ${settings.secret ?? ""}`, "content-type": "application/json" },
      body: lines.map((line) => splunkEvent(line, settings.target.index)).join("\n"),
    })),
  );

/** The event's own text is put in as it is: it is JSON already. */
function splunkEvent({ at, text }: StreamLine, index: string): string {
  const envelope = {
    time: Date.parse(at) / 1_000,
    source: "quarterdeck",
    sourcetype: "_json",
    ...(index && { index }),
  };
  return `${JSON.stringify(envelope).slice(0, -1)},"event":${text}}`;
}

export const createHttp = (settings: ReceiverSettings): Receiver =>
  createHttpReceiver(
    settings,
    posting((lines) => ({
      url: new URL(settings.target.address),
      headers: { ...(settings.secret && { authorization: settings.secret }), "content-type": NDJSON },
      body: lines.map(({ text }) => `${text}\n`).join(""),
    })),
  );

const FILTER_PATH = "filter_path=errors,items.*.status,items.*.error.type";
const bulkAnswer = z.looseObject({
  errors: z.boolean(),
  items: z.array(
    z.record(
      z.string(),
      z.looseObject({ status: z.number().int(), error: z.looseObject({ type: z.string() }).optional() }),
    ),
  ),
});
/** A document under this id is there already. */
const CONFLICT = 409;

export function createElastic(settings: ReceiverSettings): Receiver {
  const { address, index } = settings.target;
  const url = new URL(`${address.replace(/\/$/, "")}/_bulk?${FILTER_PATH}`);
  const headers = { ...(settings.secret && { authorization: `ApiKey ${settings.secret}` }), "content-type": NDJSON };
  return createHttpReceiver(settings, async (lines, send, signal) => {
    const body = lines.map((line) => bulkLines(line, index)).join("");
    const answer = await send(url, { method: "POST", headers, body, ...(signal && { signal }) });
    const outcome = outcomeOfStatus(answer.status);
    return outcome.kind === "accepted" ? outcomeOfBulk(answer.status, answer.body, lines.length) : outcome;
  });
}

/** The id lets a repeated event be recognised; a data stream requires the time. */
const bulkLines = ({ uid, at, text }: StreamLine, index: string): string =>
  `${JSON.stringify({ create: { _index: index, _id: uid } })}\n${text.slice(0, -1)},"@timestamp":${JSON.stringify(at)}}\n`;

function outcomeOfBulk(status: number, body: Buffer, count: number): Outcome {
  const answer = readBulk(body);
  if (answer === null || answer.items.length !== count)
    return { kind: "failed", status, error: "Its answer is not one of the bulk API.", isUncertain: true };
  const refused: Refusal[] = [];
  for (const [index, item] of answer.items.entries()) {
    const result = Object.values(item)[0];
    if (result === undefined || isTaken(result.status)) continue;
    const type = errorType(result.error?.type);
    if (result.status === 429 || result.status >= 500)
      return {
        kind: "failed",
        status: result.status,
        error: `It did not take some events (${type}).`,
        isUncertain: true,
      };
    refused.push({ index, status: result.status, reason: `It refused the event (${type}).` });
  }
  if (refused.length === count && count > 0)
    return { kind: "refused", status: refused[0]?.status ?? status, reason: refused[0]?.reason ?? "" };
  return accepted(status, refused);
}

const isTaken = (status: number): boolean => (status >= 200 && status < 300) || status === CONFLICT;

function readBulk(body: Buffer): z.infer<typeof bulkAnswer> | null {
  try {
    return bulkAnswer.safeParse(JSON.parse(body.toString())).data ?? null;
  } catch {
    return null;
  }
}

/** A word of the receiver, which may be any text: only names of errors are shown. */
const errorType = (type: string | undefined): string => (type && /^[a-z_]{1,60}$/.test(type) ? type : "unknown reason");
