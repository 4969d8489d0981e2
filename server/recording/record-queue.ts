/** Records that wait for their batch: bounded in number and bytes, and taken class by class. */
import type { LoadClass } from "../access/load-class.ts";
import type { AppError } from "../errors/app-error.ts";
import type { Recorded } from "./dispatch-record.ts";
import type { GrantLostError } from "./spend-grants.ts";
import type { ProjectedRecord } from "./tables.ts";

const BATCH_RECORDS_MAX = 512;
/** A batch is hashed and sent in one turn of the loop that serves gates. A larger record is a batch of its own. */
const BATCH_BYTES_MAX = 1024 * 1024;
const WAITING_RECORDS_MAX = 8_192;
const WAITING_BYTES_MAX = 256 * 1024 * 1024;
/** The share of the queue that each class may fill: less urgent classes leave the rest for gates. */
const SHARE_OF_QUEUE: Readonly<Record<RecordClass, number>> = { gate: 1, dispatch: 0.75, report: 0.5 };
const CLASSES = ["gate", "dispatch", "report"] as const;
/** The share of each batch that is reserved for lower classes. */
const SHARE_BEHIND = 1 / 8;

export interface Waiting {
  readonly entry: ProjectedRecord;
  /** When a gate began to wait, on the monotonic clock; null for other records. */
  readonly gateSinceMs: number | null;
  readonly bytes: number;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: AppError | GrantLostError) => void;
}

/**
 * The sender that waits: an agent that may be held back, one that is informed, or one that looks back. Committed in
 * this order.
 */
export type RecordClass = Exclude<LoadClass, "console">;

/** The queue of one recorder. */
export function createRecordQueue() {
  const queues: Record<RecordClass, Waiting[]> = { gate: [], dispatch: [], report: [] };
  let queueBytes = 0;
  const count = () => queues.gate.length + queues.dispatch.length + queues.report.length;
  const fullness = (more = 0) => Math.max(count() / WAITING_RECORDS_MAX, (queueBytes + more) / WAITING_BYTES_MAX);

  return {
    count,
    /** The share that is taken, from 0 to 1. */
    fullness,
    hasRoom: (of: RecordClass, bytes: number): boolean => fullness(bytes) < SHARE_OF_QUEUE[of],
    add(of: RecordClass, waiting: Waiting): void {
      queues[of].push(waiting);
      queueBytes += waiting.bytes;
    },
    /** The gate that has waited longest; null without one. */
    oldestGate: (): Waiting | null => queues.gate[0] ?? null,
    takeBatch(): Waiting[] {
      const batch: Waiting[] = [];
      let bytes = 0;
      for (const of of CLASSES) {
        const isLast = count() === queues[of].length;
        const room = isLast ? BATCH_RECORDS_MAX : BATCH_RECORDS_MAX * (1 - SHARE_BEHIND);
        let taken = 0;
        for (const { bytes: own } of queues[of]) {
          if (batch.length + taken >= room || (batch.length + taken > 0 && bytes + own > BATCH_BYTES_MAX)) break;
          bytes += own;
          taken += 1;
        }
        batch.push(...queues[of].splice(0, taken));
      }
      queueBytes -= bytes;
      return batch;
    },
  };
}
