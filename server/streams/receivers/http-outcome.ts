/** The outcome of one HTTP request to a receiver, without any of the answer's text. */
import { OutgoingError } from "../../platform/outgoing/outgoing.ts";
import { accepted, type Outcome } from "./receiver.ts";

/** Statuses by which a receiver says that it does not take this content. */
const REFUSING: ReadonlySet<number> = new Set([400, 413, 422]);
/** Failures before the request was sent. */
const UNSENT: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
const HINTS: Readonly<Record<number, string>> = {
  401: " Check the token or key.",
  403: " Check the token or key, and what it may write.",
  404: " Check the address.",
  507: " The store is full.",
};

export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return accepted(status);
  if (REFUSING.has(status)) return { kind: "refused", status, reason: `It answered ${status}.` };
  const isUncertain = status >= 500 || status === 408;
  return { kind: "failed", status, error: `It answered ${status}.${HINTS[status] ?? ""}`, isUncertain };
}

export function outcomeOfError(error: unknown): Outcome {
  const failed = (says: string, isUncertain: boolean): Outcome => ({
    ...{ kind: "failed", status: null, error: says, isUncertain },
  });
  if (!(error instanceof OutgoingError)) return failed("It could not be reached (connection lost).", true);
  const { failure, code, message } = error;
  if (failure === "refused") return failed(message, false);
  if (failure === "timed_out") return failed("It did not answer in time.", true);
  if (failure === "too_large") return failed("Its answer is too large.", true);
  return failed(`It could not be reached (${code || "connection lost"}).`, !UNSENT.has(code));
}
