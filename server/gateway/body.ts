/** Reads a request's body from a hostile world: so many bytes, so much time, so much for everybody together. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";

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
  const held: Held = { bytes: 0 };
  return {
    read(request) {
      const announced = Number(request.headers["content-length"] ?? -1);
      if (announced > limits.bytesMax) return Promise.reject(new AppError("body_too_large"));
      if (announced === 0 || request.readableEnded) return Promise.resolve(EMPTY);
      return new Promise((resolve, reject) => {
        const reading = new Reading(limits, held, resolve, reject);
        request
          .on("data", (chunk: Buffer) => reading.take(chunk))
          .on("end", () => reading.finish(null))
          .on("error", () => reading.finish("body_incomplete"))
          .on("close", () => reading.finish("body_incomplete"));
      });
    },
  };
}

interface Held {
  bytes: number;
}

/** One body on its way. Once it is over, whatever still arrives is let go: nobody reads it, and nothing waits either. */
class Reading {
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;
  private isOver = false;

  constructor(
    private readonly limits: BodyLimits,
    private readonly held: Held,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: AppError) => void,
  ) {
    this.timer = setTimeout(() => this.finish("body_too_slow"), limits.deadlineMs);
  }

  take(chunk: Buffer): void {
    if (this.isOver) return;
    this.bytes += chunk.length;
    this.held.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > this.limits.bytesMax) this.finish("body_too_large");
    else if (this.held.bytes > this.limits.bytesHeldMax) this.finish("overloaded");
  }

  /** Whatever ends it first counts: the close of a body that arrived says nothing any more. */
  finish(failure: ErrorCode | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.held.bytes -= this.bytes;
    const [first = EMPTY] = this.chunks;
    if (failure) this.reject(new AppError(failure));
    else this.resolve(this.chunks.length > 1 ? Buffer.concat(this.chunks, this.bytes) : first);
    this.chunks.length = 0;
  }
}
