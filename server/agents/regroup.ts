/**
 * Groups that are made by a name pattern: an agent is in them by its name, from the transaction on that gives it the name. Callers
 * begin with `lockInForce`, so that no pattern is set between the look at it and the commit.
 */
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Tx } from "../platform/db.ts";
import { type BindingTx, type InForceTx, OWN, permitGroups, permitNewAgent, raiseSequence } from "../policies/index.ts";
import { matchesPattern } from "./name-pattern-schema.ts";
import * as agents from "./repository.ts";

interface NamedAgent {
  readonly id: string;
  readonly name: string;
}

/** The groups that an agent came into and left, by id. */
interface Regrouped {
  readonly joined: readonly string[];
  readonly left: readonly string[];
}

/** Puts an agent that is being made into the groups that its name is for. Comes before the first audit entry, whose lock is the last. */
export async function joinGroupsByName(tx: Tx, workspaceId: string, agent: NamedAgent): Promise<Regrouped> {
  const { joined } = await findMoves(tx, workspaceId, agent);
  const regrouped = { joined: joined.map(({ id }) => id), left: [] };
  if (joined.length > 0) await agents.updateMemberships(permitNewAgent(tx), workspaceId, agent.id, regrouped);
  return regrouped;
}

/**
 * Puts an agent into the groups that its present name is for, and takes it out of those that it is not for. `inForce` gives the
 * transaction in which what binds agents may change, and is asked when something does. Comes before the first audit entry.
 *
 * Errors: those of `inForce`; `review_required` when a policy of a group asks for four eyes.
 */
export async function regroupByName(
  tx: Tx,
  actor: Administrator,
  agent: NamedAgent,
  inForce: () => InForceTx,
): Promise<Regrouped> {
  const moves = await findMoves(tx, actor.workspaceId, agent);
  const regrouped = { joined: moves.joined.map(({ id }) => id), left: moves.left.map(({ id }) => id) };
  if (moves.joined.length + moves.left.length === 0) return regrouped;
  const bound = await permitMoves(inForce(), actor, agent, moves);
  await agents.updateMemberships(bound, actor.workspaceId, agent.id, regrouped);
  return regrouped;
}

/** The entry of the record, where there is something to record. Comes after the entry of the act that gave the name. */
export async function recordRegrouped(
  tx: Tx,
  actor: Administrator,
  agentId: string,
  { joined, left }: Regrouped,
): Promise<void> {
  if (joined.length + left.length === 0) return;
  const groups = { joined: [...joined], left: [...left] };
  await recordAudit(tx, actor, { kind: "agent_regrouped", version: 1, by: actor.name, agent: agentId, ...groups });
  await raiseSequence(tx, actor.workspaceId);
}

interface Moves {
  readonly joined: readonly agents.PatternGroup[];
  readonly left: readonly agents.PatternGroup[];
}

async function findMoves(tx: Tx, workspaceId: string, agent: NamedAgent): Promise<Moves> {
  const groups = await agents.listPatternGroups(tx, workspaceId, agent.id);
  const isFor = ({ namePattern }: agents.PatternGroup) => matchesPattern(namePattern, agent.name);
  return {
    joined: groups.filter((group) => !group.isMember && isFor(group)),
    left: groups.filter((group) => group.isMember && !isFor(group)),
  };
}

/** Leaving a group and joining one are asked about apart: only the one weakens what is applied to the group. */
async function permitMoves(
  tx: InForceTx,
  actor: Administrator,
  agent: NamedAgent,
  { joined, left }: Moves,
): Promise<BindingTx> {
  const ask = (groups: readonly agents.PatternGroup[], leaves: boolean) =>
    permitGroups(
      tx,
      actor,
      {
        kind: "set_group_members",
        input: { agentId: agent.id, name: agent.name },
        summary: `Moves ${agent.name} between groups by its name.`,
        groupIds: groups.map(({ id }) => id),
        losesAgents: leaves,
        gainsAgents: !leaves,
      },
      OWN,
    ).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "review_required") throw error;
      throw new AppError("review_required", agent.id, { says: patternFirst(agent, groups, leaves) });
    });
  if (left.length > 0) await ask(left, true);
  return ask(joined, false);
}

function patternFirst({ name }: NamedAgent, groups: readonly agents.PatternGroup[], leaves: boolean): string {
  const names = groups.map((group) => `"${group.name}"`).join(", ");
  const moves = leaves ? `out of the group ${names}` : `into the group ${names}`;
  return `Nothing was changed: the name ${name} moves the agent ${moves}, whose policies ask for four eyes. Change the name pattern of the group first; a second person can agree to that.`;
}
