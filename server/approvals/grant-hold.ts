/** The grant of one call from its claim to its record: spent with the record, or given back. */
import type { SpentGrant } from "../recording/index.ts";
import type { ApprovalGate } from "./gate.ts";

export interface GrantHold {
  hold(grant: SpentGrant): void;
  /** The grant belongs to another call, or has ended: there is nothing to release. */
  lose(): void;
  /** Releases an unspent hold. True if the call was recorded with its grant. */
  release(): Promise<boolean>;
}

export function createGrantHold(
  approvals: Pick<ApprovalGate, "release">,
  workspaceId: string,
  dispatchId: string,
): GrantHold {
  let held: SpentGrant | null = null;
  return {
    hold(grant) {
      held = grant;
    },
    lose() {
      held = null;
    },
    async release() {
      const grant = held;
      held = null;
      return grant !== null && (await approvals.release(workspaceId, grant, dispatchId));
    },
  };
}
