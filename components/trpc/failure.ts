/**
 * The meaning of a failed call for the interface. Branches on codes, never on a message.
 */
import { TRPCClientError } from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import { ERROR_HELP, helpHref } from "@/components/layout/help/help-table";
import type { Refusal } from "@/components/ui/refusal";

interface FailureData {
  readonly appCode?: unknown;
  readonly httpStatus?: unknown;
  readonly problems?: unknown;
  /** Where the error's own message is not the server's. */
  readonly message?: string;
}

/** The server's error data, when the call reached the server at all. */
function dataOf(error: unknown): FailureData | null {
  if (!(error instanceof TRPCClientError)) return null;
  const data: unknown = error.data;
  return typeof data === "object" && data !== null ? data : refusalBeforeRouter(error);
}

/** The answer of a server that refused before it came to a procedure, such as while it cannot look up who asks. */
function refusalBeforeRouter({ meta }: TRPCClientError<AnyRouter>): FailureData | null {
  const body: unknown = meta?.responseJSON;
  if (!(meta?.response instanceof Response) || typeof body !== "object" || body === null) return null;
  const error: unknown = Reflect.get(body, "error");
  if (typeof error !== "object" || error === null) return null;
  const message: unknown = Reflect.get(error, "message");
  if (typeof message !== "string") return null;
  return { appCode: Reflect.get(error, "code"), httpStatus: meta.response.status, message };
}

/** The code of the error catalogue, or null when the failure is not one of the server's own. */
export function appCodeOf(error: unknown): string | null {
  const code = dataOf(error)?.appCode;
  return typeof code === "string" ? code : null;
}

export const isSignedOut = (error: unknown): boolean => dataOf(error)?.httpStatus === 401;

/** A refusal is final; only failures that may be temporary are retried. */
export function isWorthRetrying(error: unknown): boolean {
  const status = dataOf(error)?.httpStatus;
  return typeof status !== "number" || status >= 500;
}

/** The sentence to show, including for a call that never reached the server. */
export function failureSentence(error: unknown): string {
  const data = dataOf(error);
  if (data !== null && error instanceof Error) return data.message ?? error.message;
  if (error instanceof TRPCClientError) return "The console could not be reached. It may be restarting.";
  return error instanceof Error ? error.message : String(error);
}

/** The exact problems, each with its place, when the server named them. */
export function problemsOf(error: unknown): readonly ReportedProblem[] {
  const problems = dataOf(error)?.problems;
  return Array.isArray(problems) ? problems.filter(isProblem) : [];
}

interface ReportedProblem {
  path: string;
  message: string;
  rule?: unknown;
}

function isProblem(value: unknown): value is ReportedProblem {
  if (typeof value !== "object" || value === null || !("path" in value) || !("message" in value)) return false;
  return typeof value.path === "string" && typeof value.message === "string";
}

/** A failure for a form: a name that is taken is wrong with the field of the name. */
export function refusalOf(error: unknown): Refusal {
  const message = failureSentence(error);
  const code = appCodeOf(error);
  const help = code === null ? undefined : ERROR_HELP[code];
  return {
    message,
    fields: code === "name_taken" ? [{ path: "name", message }] : problemsOf(error),
    helpHref: help === undefined ? undefined : helpHref(help),
  };
}
