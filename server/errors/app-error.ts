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

/** The error that services throw. `detail` is for the log; only `says` and the catalogue's sentence reach a reader. */
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

/**
 * Codes of the system, of PostgreSQL (five characters) and of Prisma (P and four digits), by their meaning for a
 * caller.
 */
const CODES: Readonly<Record<string, DatabaseTrouble>> = {
  // A socket with a full queue: the listening process accepts no connections.
  EAGAIN: "database_away",
  ECONNREFUSED: "database_away",
  ECONNRESET: "database_away",
  ENOENT: "database_away",
  EPIPE: "database_away",
  ETIMEDOUT: "database_away",
  "57P01": "database_away",
  "57P02": "database_away",
  "57P03": "database_away",
  // A write on a server that is no longer the primary; the next connection reaches the new one.
  "25006": "database_away",
  P1001: "database_away",
  P1002: "database_away",
  P1008: "database_away",
  P1017: "database_away",
  "53300": "database_busy",
  "55P03": "database_busy",
  P2024: "database_busy",
  P2037: "database_busy",
  "57014": "query_too_slow",
};

const MESSAGES: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  // From the connection pool, when every connection is in use; a failed connection attempt has another message.
  [/timeout exceeded when trying to connect|Unable to start a transaction in the given time/i, "database_busy"],
  // Prisma's own clock ran out between two statements of a transaction, which it then took back.
  [/Transaction already closed: .*expired transaction|The timeout for this transaction was/i, "database_busy"],
  [/statement timeout|lock timeout/i, "query_too_slow"],
  // The client waits longer than PostgreSQL lets a statement run: what does not even end that is away.
  [
    /Connection terminated|connection error and is not queryable|was closed and is not queryable|Query read timeout|Can't reach database/i,
    "database_away",
  ],
];

type DatabaseTrouble = "database_away" | "database_busy" | "query_too_slow";

/** The `AppError` of anything thrown: itself, that of a database failure, else `internal`. */
export function asAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AppError(databaseTrouble(thrown) ?? "internal", message, { cause: thrown });
}

/** True if the database's state caused the failure, not the request: a later attempt may succeed unchanged. */
export function isDatabaseUnavailable({ code }: AppError): boolean {
  return code === "database_away" || code === "database_busy";
}

function databaseTrouble(thrown: unknown): DatabaseTrouble | null {
  let error = thrown;
  for (let depth = 0; depth < 8 && typeof error === "object" && error !== null; depth += 1) {
    const found = ofCode(error) ?? ofMessage(error);
    if (found !== null) return found;
    error = behind(error);
  }
  return null;
}

function ofCode(error: object): DatabaseTrouble | null {
  for (const name of ["code", "originalCode"]) {
    const code = String(Reflect.get(error, name) ?? "");
    if (Object.hasOwn(CODES, code)) return CODES[code] ?? null;
  }
  return null;
}

function ofMessage(error: object): DatabaseTrouble | null {
  const message = String(Reflect.get(error, "message") ?? "");
  return MESSAGES.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

/**
 * The cause of an error. Prisma keeps the driver's error in its metadata, and PostgreSQL's as a plain object inside
 * that.
 */
function behind(error: object): unknown {
  const meta: unknown = Reflect.get(error, "meta");
  const driver = typeof meta === "object" && meta !== null ? Reflect.get(meta, "driverAdapterError") : undefined;
  return driver ?? Reflect.get(error, "cause");
}
