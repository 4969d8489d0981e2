/**
 * Sends one request to an address that a person entered: through the guarded client, and without reporting any of the
 * answer's text.
 */
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { createOutgoing, OutgoingError } from "../platform/outgoing/outgoing.ts";

const ATTEMPT_MS = 10_000;

export interface Attempt {
  /** Null when nothing answered. */
  readonly status: number | null;
  /** Null when it was taken. */
  readonly error: string | null;
}

export interface Letter {
  readonly url: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function post({ url: address, body, headers = {} }: Letter, addresses: AddressRule): Promise<Attempt> {
  if (!URL.canParse(address)) return { status: null, error: "The address is not valid." };
  // Each attempt has a connection of its own: receivers are far apart, and attempts rare.
  const outgoing = createOutgoing(addresses, { bytesMax: 0, timeoutMs: ATTEMPT_MS });
  try {
    const { status } = await outgoing.send(new URL(address), {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      isBodyWanted: false,
    });
    return { status, error: status >= 200 && status < 300 ? null : `It answered ${status}.` };
  } catch (error) {
    return { status: null, error: sentenceOf(error) };
  } finally {
    outgoing.close();
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof OutgoingError)) return "It could not be reached (connection lost).";
  if (error.failure === "refused") return error.message;
  if (error.failure === "timed_out") return "It did not answer in time.";
  return `It could not be reached (${error.code || "connection lost"}).`;
}
