/** The `fetch` for providers: outbound requests with address checks, and failures as judge refusals. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import { createOutgoing, OutgoingError } from "../platform/outgoing/outgoing.ts";
import { answerAsDemoModel, isDemoModel } from "./demo-model.ts";
import { ProviderFault } from "./fault.ts";

/** A judge's answer is a few lines; this leaves room for a model that thinks aloud. */
export const REPLY_BYTES_MAX = 1024 * 1024;
/** A hook's own time is over long before. */
const CALL_MS_MAX = 3_600_000;

export interface Transport {
  readonly fetch: typeof fetch;
  /** Ends the connections that are kept open. */
  close(): void;
}

/** Errors of its `fetch`: a `ProviderFault`, or the signal's own reason. */
export function createTransport(rule: AddressRule): Transport {
  const outgoing = createOutgoing(rule, { bytesMax: REPLY_BYTES_MAX, timeoutMs: CALL_MS_MAX });

  async function ask(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input);
    const { method = "GET", headers, body, signal } = init;
    if (isDemoModel(url)) return answerAsDemoModel(body);
    const { status, ...answer } = await outgoing
      .send(url, {
        method: method === "POST" ? "POST" : "GET",
        headers: { ...Object.fromEntries(new Headers(headers)), accept: "application/json" },
        ...(typeof body === "string" ? { body } : {}),
        ...(signal ? { signal } : {}),
      })
      .catch((error: unknown) => {
        throw error instanceof OutgoingError ? faultOf(error) : error;
      });
    if (status >= 300 && status < 400)
      throw new ProviderFault("provider_error", `answered with a redirect (HTTP ${status}), which is not followed`);
    const type = answer.headers.get("content-type") ?? "";
    if (status < 300 && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
      throw new ProviderFault(
        "provider_error",
        `answered with ${type === "" ? "no content type" : truncateText(type, 80)}, not JSON`,
      );
    const isEmpty = status < 200 || status === 204 || status === 205;
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: status < 200 ? 502 : status,
      headers: answer.headers,
    });
  }

  return { fetch: ask, close: () => outgoing.close() };
}

const FINAL_CODES = new Set([
  "ENOTFOUND",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function faultOf({ failure, message, code, received }: OutgoingError): ProviderFault {
  switch (failure) {
    case "refused":
      return new ProviderFault("provider_error", `was not asked. ${message}`, { isUnbilled: true });
    case "too_large":
      return new ProviderFault("too_large", message, { reply: received?.toString("utf8") ?? "" });
    case "timed_out":
      return new ProviderFault("timeout", message);
    case "unreachable":
      return new ProviderFault("provider_error", message, {
        isWorthRetrying: !code.startsWith("CERT_") && !FINAL_CODES.has(code),
        isUnbilled: code === "ECONNREFUSED" || code === "ENOTFOUND",
      });
  }
}
