/** Reads a request's body from a hostile world: so many bytes, so much time, so much for everybody together. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";

export interface BodyLimits {
  /** Of one body. */
  readonly bytesMax: number;
  /** From the first look to the last byte, however steadily it trickles. */
  readonly deadlineMs: number;
  /** Of all bodies that are being read at once. */
  readonly bytesHeldMax: number;
}

export const BODY_LIMITS: BodyLimits = {
  bytesMax: 4 * 1024 * 1024,
  deadlineMs: 15_000,
  bytesHeldMax: 256 * 1024 * 1024,
};

export interface BodyReader {
  /**
   * The whole body. What was not read of a refused one is left to node:http, which skips it: the connection stays usable.
   * Errors: `body_too_large`, `body_too_slow`, `body_incomplete`, `overloaded`.
   */
  read(request: IncomingMessage): Promise<Buffer>;
}

const EMPTY = Buffer.alloc(0);

export function createBodyReader(limits: BodyLimits): BodyReader {
  let held = 0;
  return {
    read(request) {
      const announced = Number(request.headers["content-length"] ?? -1);
      if (announced > limits.bytesMax) return Promise.reject(new AppError("body_too_large"));
      if (announced === 0 || request.readableEnded) return Promise.resolve(EMPTY);
      return new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        const timer = setTimeout(() => stop(new AppError("body_too_slow")), limits.deadlineMs);
        const stop = (error: AppError | null) => {
          clearTimeout(timer);
          held -= bytes;
          request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
          if (error === null) return resolve(chunks.length === 1 ? (chunks[0] ?? EMPTY) : Buffer.concat(chunks, bytes));
          // Nobody reads on, and nothing waits either: the rest is skipped.
          request.on("error", () => undefined).resume();
          reject(error);
        };
        const onData = (chunk: Buffer) => {
          bytes += chunk.length;
          held += chunk.length;
          chunks.push(chunk);
          if (bytes > limits.bytesMax) stop(new AppError("body_too_large"));
          else if (held > limits.bytesHeldMax) stop(new AppError("overloaded", undefined, { retryAfterSeconds: 1 }));
        };
        const onEnd = () => stop(null);
        const onClose = () => stop(new AppError("body_incomplete"));
        request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
      });
    },
  };
}
