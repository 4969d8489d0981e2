/**
 * The log: JSON lines on stderr, with secrets masked. Progress for people is printed by scripts/start.mjs and main.ts.
 */
import pino, { type Logger } from "pino";
import { env } from "./env.ts";
import { plainJson } from "./plain-line.ts";

export type Log = Logger;

const SECRET_KEYS = ["authorization", "cookie", "password", "secret", "token", "key", "apiKey", "databaseUrl"];

/** A log with the given level that writes to `destination`, stderr by default. */
export function createLog(level: string, destination: pino.DestinationStream = stderr()): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorWithoutClient },
      redact: { paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: "[redacted]" },
    },
    { write: (line) => destination.write(plainJson(line)) },
  );
}

/** pg hangs the whole connection, its configuration included, on the error that ended it. */
function errorWithoutClient(error: Error): object {
  const { client: _connection, ...rest } = pino.stdSerializers.err(error);
  return rest;
}

/** Synchronous, so that the last line before a crash is written; a closed pipe must not end the server. */
function stderr(): pino.DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true });
  destination.on("error", () => undefined);
  return destination;
}

let processLog: Log | undefined;

/** This process's log, at `LOG_LEVEL`. */
export function log(): Log {
  processLog ??= createLog(env().logLevel);
  return processLog;
}
