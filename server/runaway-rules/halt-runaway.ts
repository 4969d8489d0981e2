/** The halt of a session or an agent that a rule found to run away. */
import type { GuardedToolCall, HookInput } from "@quarterdeck/hooks";
import { AppError } from "../errors/app-error.ts";
import { type HaltContext, haltByRule } from "../halts/index.ts";
import { type HaltTarget, haltTarget } from "../halts/schema.ts";
import { inWorkspace } from "../platform/scope.ts";
import { sessionDigest } from "./counted-call.ts";
import { forgetCounts } from "./repository.ts";

/** The actor's name in halts made by rules and in their entries. */
const BY = "repeat_guard";

interface RunawayHalt {
  /** The whole agent, and not only the call's session. */
  readonly isWhole: boolean;
  readonly reason: string;
}

/**
 * Halts the session or agent, and clears its counts, so that counting starts again after a resume. Returns the problem
 * as a sentence, or null.
 */
export async function haltRunaway(
  context: HaltContext,
  workspaceId: string,
  { agent, input }: Pick<GuardedToolCall, "agent" | "input">,
  { isWhole, reason }: RunawayHalt,
): Promise<string | null> {
  const target = targetOf(agent, input, isWhole);
  if (target === null) return "The call has no session to halt.";
  try {
    await inWorkspace(workspaceId, () => haltByRule(context, workspaceId, { target, reason, by: BY }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "too_many_halts") return "Too many halts are in force for rules to add more. Resume some.";
    if (error.code !== "already_halted") return `It could not be halted: ${error.message}`;
  }
  const session = isWhole ? null : sessionDigest(input);
  await inWorkspace(workspaceId, () => forgetCounts(context.db.pool, workspaceId, agent, session));
  return null;
}

/** Null for a session whose id no halt can name. */
function targetOf(agentId: string, { session_id: sessionId }: HookInput, isWhole: boolean): HaltTarget | null {
  if (isWhole) return { scope: "agent", agentId };
  const read = haltTarget.safeParse({ scope: "session", agentId, sessionId });
  return read.success ? read.data : null;
}
