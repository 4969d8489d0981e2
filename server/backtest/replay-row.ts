/** A recorded call as a backtest reads it. */
import type { RecordedCall } from "./reach.ts";

export interface ReplayRow extends RecordedCall {
  readonly id: string;
  readonly atMs: number;
  readonly agentId: string;
  readonly agentName: string;
  readonly sessionId: string;
  /** Null once it is erased. */
  readonly input: string | null;
  /** The marks of its session, each with the latest instant, in milliseconds since 1970. */
  readonly marks: Readonly<Record<string, number>>;
}
