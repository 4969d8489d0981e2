import { ERRORS, type ErrorCode } from "./catalogue.ts";

export interface AppErrorOptions {
  /** For people too, unlike `detail`: what exactly is wrong, where, and what to do. */
  readonly says?: string;
  /** A JSON pointer to the offending value. */
  readonly pointer?: string;
  readonly problems?: readonly { readonly path: string; readonly message: string }[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** The one error services throw. `detail` is for the log; only `says` and the catalogue's sentence reach a reader. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly options: AppErrorOptions;

  constructor(code: ErrorCode, detail?: string, options: AppErrorOptions = {}) {
    super(options.says ?? ERRORS[code].says, { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.detail = detail;
    this.options = options;
  }

  get status(): (typeof ERRORS)[ErrorCode]["status"] {
    return ERRORS[this.code].status;
  }

  get expected(): boolean {
    return ERRORS[this.code].expected;
  }
}

const AWAY = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "EPIPE",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
]);

/** The `AppError` behind anything thrown: itself, `database_away` for a lost connection, else `internal`. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError(isDatabaseAway(thrown) ? "database_away" : "internal", message, { cause: thrown });
}

function isDatabaseAway(thrown: unknown): boolean {
  for (let error: unknown = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    if ("code" in error && AWAY.has(String(error.code))) return true;
    if (
      /timeout exceeded when trying to connect|Connection terminated|connection error and is not queryable|was closed and is not queryable|Query read timeout|Can't reach database|statement timeout/i.test(
        error.message,
      )
    )
      return true;
  }
  return false;
}
