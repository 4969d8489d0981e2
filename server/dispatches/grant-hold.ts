/** The grant of one call from its claim to its record: spent with the record, or given back. */
import type { ApprovalGate } from "../approvals/service.ts";
import { AppError } from "../errors/app-error.ts";
import { GrantLostError, type Recorded, type SpentGrant } from "../recording/service.ts";

export interface GrantHold {
  hold(grant: SpentGrant): void;
  /** The result of a record that failed: stored, where its commit arrived after all. Errors: `error` itself. */
  afterFailure(error: unknown): Promise<Recorded>;
  /** Gives back what was not spent. */
  giveBack(): Promise<void>;
}

export function createGrantHold(
  approvals: Pick<ApprovalGate, "release">,
  workspaceId: string,
  dispatchId: string,
): GrantHold {
  let held: SpentGrant | null = null;

  /** True if the call was recorded with its grant. */
  async function release(): Promise<boolean> {
    const grant = held;
    held = null;
    return grant !== null && (await approvals.release(workspaceId, grant, dispatchId));
  }

  return {
    hold(grant) {
      held = grant;
    },
    async afterFailure(error) {
      // The call is decided again at once, and keeps its grant.
      if (isHaltsChanged(error)) throw error;
      if (error instanceof GrantLostError) held = null;
      else if (await release()) return { kind: "stored" };
      throw error;
    },
    async giveBack() {
      await release();
    },
  };
}

export const isHaltsChanged = (error: unknown): boolean => error instanceof AppError && error.code === "halts_changed";
