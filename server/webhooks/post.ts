/** One request to an address that people gave: held to the address rule, bounded, and without a word of what was answered. */
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressRule, guardedLookup, hostOf } from "../judges/service.ts";

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
  if (!URL.canParse(address)) return { status: null, error: "The address is none." };
  const url = new URL(address);
  const refusal = addresses.refusal(url);
  if (refusal !== null) return { status: null, error: refusal };
  const options = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "content-length": Buffer.byteLength(body) },
    agent: false,
    lookup: guardedLookup(addresses, hostOf(url)),
    signal: AbortSignal.timeout(ATTEMPT_MS),
  };
  return new Promise((resolve) => {
    const answered = (response: IncomingMessage) => {
      response.destroy();
      const status = response.statusCode ?? 0;
      resolve({ status, error: status >= 200 && status < 300 ? null : `It answered ${status}.` });
    };
    const sent = url.protocol === "https:" ? httpsRequest(url, options, answered) : httpRequest(url, options, answered);
    sent.on("error", (error: NodeJS.ErrnoException) =>
      resolve({
        status: null,
        error:
          error.name === "AbortError" || error.name === "TimeoutError"
            ? "It did not answer in time."
            : `It could not be reached (${error.code ?? "connection lost"}).`,
      }),
    );
    sent.end(body);
  });
}
