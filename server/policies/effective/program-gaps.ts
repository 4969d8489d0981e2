/** The programs that hooks in force name and that are not where they run. */
import type { FindPrograms } from "@quarterdeck/hooks";
import type { Database } from "../../platform/db.ts";
import { findProgramGaps, type ProgramFinding } from "../publishing/program-gaps.ts";
import { listRevisionsInForce } from "./hooks-in-force.ts";

export interface ProgramGap extends ProgramFinding {
  readonly policy: string;
  readonly revision: number;
}

/** The gaps of every enforced revision. */
export async function listProgramGaps(db: Database, workspaceId: string, find: FindPrograms): Promise<ProgramGap[]> {
  const gaps: ProgramGap[] = [];
  for (const { policy, revision, stored } of await listRevisionsInForce(db, workspaceId)) {
    for (const finding of await findProgramGaps(stored.hooks, stored.profile, find))
      gaps.push({ ...finding, policy, revision });
  }
  return gaps;
}
