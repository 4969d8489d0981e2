/**
 * Sends the events of one request. Where the receiver refuses the content, the events that it refuses are found by
 * halving; but only if it accepts a test event, so that a receiver that refuses everything loses nothing.
 */
import type { StreamLine } from "../formats/format.ts";
import type { Outcome, Receiver } from "../receivers/receiver.ts";
import type { SetAside } from "./repository.ts";

type Failure = Extract<Outcome, { kind: "failed" }>;
export type Sent =
  | { readonly kind: "sent"; readonly status: number | null; readonly setAside: readonly SetAside[] }
  | Failure;

export interface Sending {
  readonly receiver: Receiver;
  readonly testLine: StreamLine;
  /** Called before each further request; false stops. */
  readonly keepOn: () => Promise<boolean>;
  readonly signal?: AbortSignal;
}

const STOPPED: Failure = { kind: "failed", status: null, error: "It was stopped.", isUncertain: true };

export async function sendLines(sending: Sending, lines: readonly StreamLine[]): Promise<Sent> {
  const outcome = await sending.receiver.send(lines, sending.signal);
  if (outcome.kind === "failed") return outcome;
  if (outcome.kind === "accepted") return { kind: "sent", status: outcome.status, setAside: refusedOf(outcome, lines) };
  if (!(await sending.keepOn())) return STOPPED;
  const test = await sending.receiver.send([sending.testLine], sending.signal);
  if (test.kind === "failed") return test;
  if (test.kind === "refused" || test.refused.length > 0) {
    const error = `It refuses a test event too. ${outcome.reason}`;
    return { kind: "failed", status: outcome.status, error, isUncertain: false };
  }
  return halve(sending, lines, outcome);
}

/** Sends the halves of what was refused, until each refused event is alone. */
async function halve(
  sending: Sending,
  lines: readonly StreamLine[],
  { status, reason }: Extract<Outcome, { kind: "refused" }>,
): Promise<Sent> {
  const [only] = lines;
  if (only && lines.length === 1)
    return { kind: "sent", status, setAside: [{ position: only.position, kind: only.kind, status, reason }] };
  const middle = Math.ceil(lines.length / 2);
  const setAside: SetAside[] = [];
  let last = status;
  for (const half of [lines.slice(0, middle), lines.slice(middle)]) {
    if (!(await sending.keepOn())) return STOPPED;
    const outcome = await sending.receiver.send(half, sending.signal);
    if (outcome.kind === "failed") return outcome;
    const sent =
      outcome.kind === "refused"
        ? await halve(sending, half, outcome)
        : ({ kind: "sent", status: outcome.status, setAside: refusedOf(outcome, half) } as const);
    if (sent.kind === "failed") return sent;
    setAside.push(...sent.setAside);
    last = sent.status;
  }
  return { kind: "sent", status: last, setAside };
}

const refusedOf = (
  { refused }: Extract<Outcome, { kind: "accepted" }>,
  lines: readonly StreamLine[],
): readonly SetAside[] =>
  refused.flatMap(({ index, status, reason }) => {
    const line = lines[index];
    return line ? [{ position: line.position, kind: line.kind, status, reason }] : [];
  });
