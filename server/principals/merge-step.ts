/** The part of a merge that another feature brings: what it holds of one person becomes the other's. */
import type { Tx } from "../platform/db.ts";

export interface MergedPeople {
  readonly from: string;
  readonly into: string;
  /** The principals that were one person before, `from` and `into` among them. */
  readonly ofFrom: readonly string[];
  readonly ofInto: readonly string[];
}

/** Runs in the transaction of the merge, before principals point at each other. */
export type MergeStep = (tx: Tx, workspaceId: string, people: MergedPeople) => Promise<void>;
