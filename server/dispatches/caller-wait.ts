/** The client's stated waiting time for a person's answer. */
import { z } from "zod";
import type { AgentRequest, ParameterDocs } from "../access/agent-api-types.ts";
import { AppError } from "../errors/app-error.ts";
import { WAIT_HEADER } from "../platform/answer-mac.ts";
import type { CallerWait } from "./dispatch-request.ts";
import { WAIT_SECONDS_MAX } from "./schema.ts";

const seconds = z.string().regex(/^\d{1,4}$/);

export const WAIT_HEADER_DOCS: Readonly<Record<string, ParameterDocs>> = {
  "Quarterdeck-Wait-Seconds": {
    schema: z.int().min(0).max(WAIT_SECONDS_MAX).optional(),
    description:
      "How long the call may be held open for a person's answer: at least 2 s less than the caller waits. Absent or 0: a ticket at once.",
  },
};

/** Null for a client that does not wait. Errors: `invalid_input`. */
export function callerWait(request: AgentRequest): CallerWait | null {
  const stated = request.header(WAIT_HEADER);
  if (stated === undefined) return null;
  const parsed = seconds.safeParse(stated.trim());
  const says = `Quarterdeck-Wait-Seconds is a whole number from 0 to ${WAIT_SECONDS_MAX}.`;
  if (!parsed.success || Number(parsed.data) > WAIT_SECONDS_MAX)
    throw new AppError("invalid_input", undefined, { says });
  const endsMs = performance.now() + Number(parsed.data) * 1_000;
  return {
    seconds: Number(parsed.data),
    get leftMs() {
      return Math.max(0, endsMs - performance.now());
    },
    setAside: () => request.setAside(),
    confirm: () => request.confirm(),
  };
}
