/**
 * Groups defined by a name pattern: an agent is a member by its name, from the transaction that gives it the name.
 * Callers begin with `lockInForce`, so that no pattern changes between the check and the commit.
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

/**
 * Adds an agent under creation to the groups whose pattern matches its name. Must run before the first audit entry,
 * whose lock is taken last.
 */
export async function joinGroupsByName(tx: Tx, workspaceId: string, agent: NamedAgent): Promise<Regrouped> {
  const { joined } = await findMoves(tx, workspaceId, agent);
  const regrouped = { joined: joined.map(({ id }) => id), left: [] };
  if (joined.length > 0) await agents.updateMemberships(permitNewAgent(tx), workspaceId, agent.id, regrouped);
  return regrouped;
}

/**
 * Adds an agent to the groups whose pattern matches its name, and removes it from those whose pattern does not.
 * `inForce` gives the transaction in which assignments may change, and is called only for a change. Must run before the
 * first audit entry.
 *
 * Errors: those of `inForce`; `review_required` when a policy of a group requires four eyes.
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

/** Writes the audit entry if groups have changed. Must run after the entry of the act that gave the name. */
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

/** Leaving and joining are permitted separately: only leaving weakens the policies of an agent. */
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
  return `Not changed: the name ${name} moves the agent ${moves}, whose policies require four eyes. Change the name pattern of the group first; a second person can agree to that.`;
}
