/** The text of a backtest: the draft of a policy, one of its revisions, or a text that is stored nowhere else. */
import type { HookDefinition } from "@quarterdeck/hooks";
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { findIdByName, permitPlayground, get as policyOf, readText, revision } from "../policies/index.ts";
import type { BacktestText, StartTextBacktest } from "./run-schema.ts";
import { whyLeftOut } from "./sampling/sampled-hooks.ts";

export interface QueuedText {
  readonly policyId: string;
  readonly source: string;
}

type TextOrDraft =
  | Pick<StartTextBacktest, "policy" | "source">
  | { readonly policyId: string; readonly draftVersion: number };

/** Errors: `policy_not_found`; `policy_moved_on` if the draft has changed. */
export async function textToRun(db: Database, actor: Administrator, asked: TextOrDraft): Promise<QueuedText> {
  const { workspaceId } = actor;
  if ("policyId" in asked) {
    const of = { kind: "draft", version: asked.draftVersion } as const;
    return { policyId: asked.policyId, source: await sourceOf(db, actor, { policyId: asked.policyId, of }) };
  }
  const { policy, source } = asked;
  const policyId =
    "id" in policy ? (await policyOf(db, workspaceId, policy.id)).id : await findIdByName(db, workspaceId, policy.name);
  return { policyId, source };
}

/** Errors: `policy_moved_on` if the draft has changed; `revision_not_found`. */
export async function sourceOf(db: Database, actor: Administrator, { policyId, of }: BacktestText): Promise<string> {
  if (of.kind === "revision") return (await revision(db, actor.workspaceId, policyId, of.number)).source;
  const policy = await policyOf(db, actor.workspaceId, policyId);
  if (policy.draftVersion !== of.version) throw new AppError("policy_moved_on", policyId);
  return policy.source;
}

/** Errors: `policy_invalid` with every problem; `forbidden` for commands that the actor may not try. */
export async function requireRunnable(actor: Administrator, source: string, runsCommands: boolean): Promise<void> {
  const { hooks, profile, problems } = await readText(actor.id, source);
  if (!hooks) throw new AppError("policy_invalid", undefined, { says: UNREADABLE, problems });
  // Commands with access to the network do not run, and without a sandbox none does.
  const isLeftOut = (hook: HookDefinition) => whyLeftOut(hook, { runsCommands: true, asksJudges: true }) !== null;
  if (runsCommands) permitPlayground(actor, { sources: [{ origin: {}, hooks }], profile, isLeftOut }, true);
}

const UNREADABLE = "The text has problems. Correct them, then start the backtest again.";
