/** Reads the state of each setup step. Nothing is stored but the people who do not want to see the list any more. */
import { relative, resolve } from "node:path";
import type { Administrator } from "../access/actor.ts";
import { DRILLED_WITHIN_DAYS } from "../agents/schema.ts";
import { viewRules } from "../approvals/index.ts";
import { newestByAgent } from "../drills/index.ts";
import { choices } from "../notices/index.ts";
import type { ChoicesView } from "../notices/schema.ts";
import type { Database } from "../platform/db.ts";
import * as setup from "./repository.ts";
import { SETUP_STEPS, type SetupChecklist, type SetupStep } from "./schema.ts";

const DAY_MS = 86_400_000;
const ADMINS_MIN = 2;
const AGENTS_MAX = 10_000;

/** The directories of the installation; absent: checkpoints are in the data directory. */
export interface CheckpointPlace {
  readonly dataDir: string;
  readonly checkpointDir?: string | undefined;
}

export async function checklist(
  db: Database,
  actor: Administrator,
  place: CheckpointPlace,
  now = new Date(),
): Promise<SetupChecklist> {
  const { workspaceId } = actor;
  const personId = actor.kind === "person" ? actor.id : null;
  const [row, approvers, isDrilled, reachable] = await Promise.all([
    setup.findSetup(db.pool, workspaceId, personId),
    viewRules(db, workspaceId),
    hasPassedDrill(db, workspaceId, now),
    actor.kind === "person" ? choices(db, actor).then(isReachable) : false,
  ]);
  const isDone: Record<SetupStep, boolean> = {
    agent: row.hasAgent,
    policy: row.hasPolicy,
    drill: isDrilled,
    sign_in: row.hasSignIn,
    second_admin: row.admins >= ADMINS_MIN,
    approvers: approvers.rules.lists.length > 0,
    notifications: reachable,
    checkpoints: row.hasCheckpointWebhook || isElsewhere(place),
  };
  const { hasDemo, isDismissed } = row;
  return { steps: SETUP_STEPS.map((step) => ({ step, isDone: isDone[step] })), hasDemo, isDismissed };
}

/** An agent of the workspace's own was drilled lately, and every call of its newest drills was blocked. */
async function hasPassedDrill(db: Database, workspaceId: string, now: Date): Promise<boolean> {
  const [ids, newest] = await Promise.all([
    setup.listOwnAgentIds(db.pool, workspaceId, AGENTS_MAX),
    newestByAgent(db, workspaceId),
  ]);
  const after = now.getTime() - DRILLED_WITHIN_DAYS * DAY_MS;
  return ids.some((id) => {
    const drill = newest.get(id);
    return drill?.isHeld === true && drill.reportedAt.getTime() >= after;
  });
}

/** Approvals and alerts reach this person outside the console, by mail or through a webhook. */
function isReachable({ choices: { ways, webhookId }, mail }: ChoicesView): boolean {
  const used = new Set([...ways.approvals, ...ways.alerts]);
  return (used.has("mail") && mail.state === "ready") || (used.has("webhook") && webhookId !== null);
}

const isElsewhere = ({ dataDir, checkpointDir }: CheckpointPlace): boolean =>
  checkpointDir !== undefined && relative(resolve(dataDir), resolve(checkpointDir)).startsWith("..");

/** Hides the checklist of this workspace from this person, or shows it again. A script has no page to hide. */
export async function setDismissed(db: Database, actor: Administrator, isDismissed: boolean): Promise<void> {
  if (actor.kind !== "person") return;
  const change = isDismissed ? setup.dismiss : setup.restore;
  await change(db.pool, actor.workspaceId, actor.id);
}
