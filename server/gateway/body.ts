/**
 * Reads request bodies from untrusted senders within limits on bytes, time and total memory. Agents, signed-in people
 * and strangers have separate budgets, so that none can use up the budget of another.
 */
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { noteBodyChunk } from "./sign-answers.ts";

/** The sender's credentials: an agent's key, a session or an administrator's token, or none. */
export type Sender = "agent" | "person" | "stranger";

export interface SenderLimits {
  /** Of one body. */
  readonly bytesMax: number;
  /** From the first read to the last byte, even if bytes keep arriving. */
  readonly deadlineMs: number;
  /** Limit for all bodies that are being read or processed. */
  readonly bytesHeldMax: number;
  /** The same for one agent, one person, or one address. */
  readonly bytesHeldOfOneMax: number;
  /** Concurrent bodies of one agent, one person, or one address. */
  readonly bodiesOfOneMax: number;
}

export type BodyLimits = Readonly<Record<Sender, SenderLimits>>;

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODY_LIMITS: BodyLimits = {
  agent: {
    bytesMax: 4 * MIB,
    deadlineMs: 15_000,
    bytesHeldMax: 192 * MIB,
    bytesHeldOfOneMax: 96 * MIB,
    bodiesOfOneMax: 1_024,
  },
  person: {
    bytesMax: 4 * MIB,
    deadlineMs: 15_000,
    bytesHeldMax: 64 * MIB,
    bytesHeldOfOneMax: 32 * MIB,
    bodiesOfOneMax: 64,
  },
  // A link, an invitation and a password need less than one of these.
  stranger: {
    bytesMax: 16 * KIB,
    deadlineMs: 10_000,
    bytesHeldMax: 4 * MIB,
    bytesHeldOfOneMax: 256 * KIB,
    bodiesOfOneMax: 32,
  },
};

/** The limits of one process out of several. The limits of one body are the same in each process. */
export function divideBodyLimits(limits: BodyLimits, processes: number): BodyLimits {
  const part = (of: SenderLimits): SenderLimits => ({
    ...of,
    bytesHeldMax: Math.max(of.bytesMax, Math.ceil(of.bytesHeldMax / processes)),
    bytesHeldOfOneMax: Math.max(of.bytesMax, Math.ceil(of.bytesHeldOfOneMax / processes)),
    bodiesOfOneMax: Math.ceil(of.bodiesOfOneMax / processes),
  });
  return { agent: part(limits.agent), person: part(limits.person), stranger: part(limits.stranger) };
}

/** One request's share of a budget. */
export interface BodyLease {
  /**
   * Reads the whole body: at most `bytesMax` bytes if that is less than the budget allows, plus `headroomBytes`. The
   * unread rest of a refused body is left to node:http, which skips it, so the connection stays usable.
   *
   * Errors: `body_too_large`, `body_too_slow`, `body_incomplete`, `busy`, `overloaded`.
   */
  read(request: IncomingMessage, bytesMax?: number, headroomBytes?: number): Promise<Buffer>;
  /** Releases the bytes when the request is done. Later calls do nothing. */
  release(): void;
}

export interface BodyBudgets {
  /**
   * `holder` identifies a sender within its kind: the id of an agent or a person, or an address. Reserves nothing yet.
   */
  lease(sender: Sender, holder: string): BodyLease;
  /** Bytes held now, for tests and metrics. */
  held(sender: Sender): number;
}

const EMPTY = Buffer.alloc(0);

export function createBodyBudgets(limits: BodyLimits = BODY_LIMITS): BodyBudgets {
  const budgets = {
    agent: new Budget(limits.agent),
    person: new Budget(limits.person),
    stranger: new Budget(limits.stranger),
  };
  return {
    lease: (sender, holder) => new Lease(budgets[sender], holder),
    held: (sender) => budgets[sender].bytes,
  };
}

interface Share {
  bytes: number;
  bodies: number;
}

class Budget {
  bytes = 0;
  private readonly shares = new Map<string, Share>();

  constructor(readonly limits: SenderLimits) {}

  /** Counts one more body of `holder`. Errors: `busy`. */
  enter(holder: string): void {
    const share = this.shares.get(holder);
    if (share === undefined) this.shares.set(holder, { bytes: 0, bodies: 1 });
    else if (share.bodies >= this.limits.bodiesOfOneMax) throw tooMuchOfOne();
    else share.bodies += 1;
  }

  /** Null when there is room for `bytes` more, which are then counted; else the error to answer. */
  take(holder: string, bytes: number): ErrorCode | null {
    const share = this.shares.get(holder);
    if (share === undefined || share.bytes + bytes > this.limits.bytesHeldOfOneMax) return "busy";
    if (this.bytes + bytes > this.limits.bytesHeldMax) return "overloaded";
    share.bytes += bytes;
    this.bytes += bytes;
    return null;
  }

  leave(holder: string, bytes: number): void {
    const share = this.shares.get(holder);
    if (share === undefined) return;
    share.bytes -= bytes;
    share.bodies -= 1;
    this.bytes -= bytes;
    if (share.bodies === 0) this.shares.delete(holder);
  }
}

class Lease implements BodyLease {
  bytes = 0;
  private hasEntered = false;
  private isReleased = false;

  constructor(
    readonly budget: Budget,
    private readonly holder: string,
  ) {}

  async read(request: IncomingMessage, bytesMax = Number.POSITIVE_INFINITY, headroomBytes = 0): Promise<Buffer> {
    const limit = Math.min(bytesMax, this.budget.limits.bytesMax + headroomBytes);
    const announced = Number(request.headers["content-length"] ?? -1);
    if (announced > limit) throw tooLarge(limit);
    if (announced === 0 || request.readableEnded) return EMPTY;
    this.budget.enter(this.holder);
    this.hasEntered = true;
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        const reading = new Reading(this, limit, resolve, reject);
        request
          .on("data", (chunk: Buffer) => {
            noteBodyChunk(request, chunk);
            reading.take(chunk);
          })
          .on("end", () => reading.finish(null))
          .on("error", () => reading.finish("body_incomplete"))
          .on("close", () => reading.finish("body_incomplete"));
      });
    } catch (error) {
      this.release();
      throw error;
    }
  }

  take(bytes: number): ErrorCode | null {
    const refusal = this.budget.take(this.holder, bytes);
    if (refusal === null) this.bytes += bytes;
    return refusal;
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    if (this.hasEntered) this.budget.leave(this.holder, this.bytes);
  }
}

/** One body during its transfer. Once it is over, further data is discarded without being read or waited for. */
class Reading {
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;
  private bytes = 0;
  private isOver = false;

  constructor(
    private readonly lease: Lease,
    private readonly bytesMax: number,
    private readonly resolve: (body: Buffer) => void,
    private readonly reject: (error: AppError) => void,
  ) {
    this.timer = setTimeout(() => this.finish("body_too_slow"), lease.budget.limits.deadlineMs);
  }

  take(chunk: Buffer): void {
    if (this.isOver) return;
    this.bytes += chunk.length;
    if (this.bytes > this.bytesMax) {
      this.finish("body_too_large");
      return;
    }
    const refusal = this.lease.take(chunk.length);
    if (refusal === null) this.chunks.push(chunk);
    else this.finish(refusal);
  }

  /** The first end counts: a close after a complete body is ignored. */
  finish(failure: ErrorCode | null): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    const [first = EMPTY] = this.chunks;
    if (failure === "body_too_large") this.reject(tooLarge(this.bytesMax));
    else if (failure === "busy") this.reject(tooMuchOfOne());
    else if (failure) this.reject(new AppError(failure));
    else this.resolve(this.chunks.length > 1 ? Buffer.concat(this.chunks, this.bytes) : first);
    this.chunks.length = 0;
  }
}

function tooLarge(bytesMax: number): AppError {
  const size = bytesMax < MIB ? `${Math.floor(bytesMax / KIB)} KiB` : `${Math.floor(bytesMax / MIB)} MiB`;
  return new AppError("body_too_large", undefined, { says: `The body is larger than ${size}.` });
}

function tooMuchOfOne(): AppError {
  const says = "This sender has too many bodies under way. Wait for some of them.";
  return new AppError("busy", "bodies", { says, retryAfterSeconds: 1 });
}
