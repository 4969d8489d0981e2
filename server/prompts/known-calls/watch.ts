/** Sets the schedule and the limits of a judge's known calls, and ends the halt of a judge. */
import type { Administrator } from "../../access/actor.ts";
import { appendAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Database, PoolClient } from "../../platform/db.ts";
import * as prompts from "../repository.ts";
import type { ResumeJudge, SetWatch } from "./schema.ts";
import * as watches from "./watch-rows.ts";

interface World {
  readonly db: Database;
  readonly bus: Bus;
  readonly clock: Pick<Clock, "now">;
}

type Saving = Pick<World, "db" | "bus">;
const TOPICS = ["prompts", "judges"] as const;

/** Errors: `prompt_not_found`. A halt stays until a person ends it. */
export function setWatch(world: World, actor: Administrator, { promptId, ...settings }: SetWatch): Promise<void> {
  const { nanoMax, ...rest } = settings;
  return changed(world, actor, promptId, async (client, name) => {
    await watches.put(client, actor.workspaceId, promptId, settings, {
      ...{ by: actor.name, at: new Date(world.clock.now()) },
    });
    await appendAudit(client, actor, {
      ...{ kind: "judge_watch_set", version: 1, by: actor.name, prompt: promptId, name },
      ...{ ...rest, nanoMax: nanoMax?.toString() ?? null },
    });
  });
}

/** Ends the halt of a judge, if it is halted: its hooks ask the model again. Errors: `prompt_not_found`. */
export function resumeJudge(world: Saving, actor: Administrator, { promptId, reason }: ResumeJudge): Promise<void> {
  return changed(world, actor, promptId, async (client, name) => {
    if (!(await watches.resume(client, actor.workspaceId, promptId))) return;
    await appendAudit(client, actor, {
      ...{ kind: "judge_resumed", version: 1, by: actor.name, prompt: promptId, name, reason },
    });
  });
}

async function changed(
  { db, bus }: Saving,
  { workspaceId }: Administrator,
  promptId: string,
  work: (client: PoolClient, name: string) => Promise<void>,
): Promise<void> {
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  await prompts.transaction(db.pool, async (client) => {
    await work(client, prompt.name);
    await client.query("SELECT pg_notify($1, $2)", [bus.channel, bus.message(workspaceId, TOPICS)]);
  });
  bus.announce(workspaceId, TOPICS);
}
