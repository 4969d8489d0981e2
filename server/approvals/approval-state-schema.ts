/** The states of a request to a person. */
import { z } from "zod";

export const APPROVAL_STATES = ["pending", "approved", "denied", "lapsed", "withdrawn"] as const;
export const approvalState = z.enum(APPROVAL_STATES);
export type ApprovalState = z.infer<typeof approvalState>;
