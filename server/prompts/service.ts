/** Judge prompts as people write, publish and use them. */

import { judgeFingerprint } from "@quarterdeck/hooks/contract/judge-prompt";
import type { Administrator } from "../access/actor.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { requireInjectionScore } from "./checks.ts";
import { isSame, normaliseLineEnds, requireWhole, sha256Of } from "./judged-text.ts";
import * as prompts from "./repository.ts";
import type {
  CreatePrompt,
  PromptById,
  PromptDraftSaved,
  PromptPublished,
  PublishPrompt,
  SavePromptDraft,
} from "./schema.ts";
import { requireNoRegression } from "./score.ts";

interface World {
  readonly db: Database;
  readonly bus: Bus;
}

const PROMPTS_MAX = 500;

/** Creates a prompt, with a draft if there is a text. Errors: `name_taken`, `busy` above 500 prompts. */
export async function create({ db, bus }: World, actor: Administrator, input: CreatePrompt): Promise<PromptById> {
  const { workspaceId } = actor;
  const promptId = uuidv7();
  await announcedTransaction({ db, bus }, workspaceId, ["prompts"], async (tx) => {
    if ((await prompts.count(tx, workspaceId)) >= PROMPTS_MAX)
      throw new AppError("invalid_input", undefined, {
        says: "There are already 500 judge prompts. Delete one first.",
      });
    if (!(await prompts.insert(tx, workspaceId, { id: promptId, name: input.name, createdBy: actor.name })))
      throw new AppError("name_taken", input.name, {
        says: `There is already a judge prompt named "${input.name}".`,
        pointer: "/name",
      });
    if (input.text)
      await prompts.insertDraft(tx, workspaceId, promptId, {
        ...normaliseLineEnds(input.text),
        baseRevision: 0,
        updatedBy: actor.name,
      });
    await recordAudit(tx, actor, {
      kind: "judge_prompt_created",
      version: 1,
      by: actor.name,
      prompt: promptId,
      name: input.name,
    });
  });
  return { promptId };
}

/** Saves the draft, valid or not. Errors: `prompt_moved_on` when another text was saved or published since. */
export async function saveDraft(
  { db, bus }: World,
  actor: Administrator,
  input: SavePromptDraft,
): Promise<PromptDraftSaved> {
  const { workspaceId } = actor;
  const { promptId, baseVersion, baseRevision } = input;
  const next = { ...normaliseLineEnds(input), updatedBy: actor.name };
  const { version, updatedAt } = await db.prisma.$transaction(async (tx) => {
    const prompt = await existing(tx, workspaceId, promptId);
    const { draft } = prompt;
    // A retry after a lost response: the same text is not a conflict.
    if (draft && isSame(draft, next)) return draft;
    if ((draft?.version ?? 0) !== baseVersion) throw new AppError("prompt_moved_on", promptId);
    if (!draft && prompt.latestRevision !== baseRevision) throw new AppError("prompt_moved_on", promptId);
    if (!draft) return prompts.insertDraft(tx, workspaceId, promptId, { ...next, baseRevision: prompt.latestRevision });
    const saved = await prompts.updateDraft(tx, workspaceId, promptId, baseVersion, next);
    if (!saved) throw new AppError("prompt_moved_on", promptId);
    return saved;
  });
  // That a draft began is news to the list; every further keystroke is not.
  if (baseVersion === 0) bus.tell(workspaceId, ["prompts"]);
  return { version, updatedAt };
}

/** Throws the draft away: the text is the published one again. */
export async function discardDraft({ db, bus }: World, actor: Administrator, promptId: string): Promise<void> {
  await prompts.deleteDraft(db.prisma, actor.workspaceId, promptId);
  bus.tell(actor.workspaceId, ["prompts"]);
}

/**
 * Publishes an immutable, numbered revision. Errors, without any change: `prompt_invalid` with the position;
 * `prompt_moved_on`; `prompt_got_worse`; `prompt_score_low`.
 */
export async function publish(
  { db, bus }: World,
  actor: Administrator,
  input: PublishPrompt,
): Promise<PromptPublished> {
  const { workspaceId } = actor;
  const { promptId, note } = input;
  const text = normaliseLineEnds(input);
  requireWhole(text);
  if (!input.acceptsWorse) await requireNoRegression(db, workspaceId, promptId, text);
  return announcedTransaction({ db, bus }, workspaceId, ["prompts"], async (tx) => {
    const prompt = await existing(tx, workspaceId, promptId);
    const { draft, latestRevision } = prompt;
    if (latestRevision !== input.baseRevision || (draft?.version ?? 0) !== input.draftVersion)
      throw new AppError("prompt_moved_on", promptId);
    await requireInjectionScore(db.pool, workspaceId, prompt, text);
    await prompts.deleteDraft(tx, workspaceId, promptId);
    const number = latestRevision + 1;
    const sha256 = sha256Of(text);
    const { template, model, schema } = text;
    const fingerprint = judgeFingerprint({ prompt: template, model, schema });
    const author = actor.name;
    await prompts.insertRevision(tx, workspaceId, { promptId, number, ...text, sha256, fingerprint, note, author });
    await recordAudit(tx, actor, {
      kind: "judge_prompt_published",
      version: 1,
      by: author,
      prompt: promptId,
      name: prompt.name,
      revision: number,
      sha256,
      note,
    });
    return { number, sha256 };
  });
}

/** Deletes a prompt with its revisions, trials and labels. Errors: `prompt_in_use` while a policy names it. */
export async function remove({ db, bus }: World, actor: Administrator, { promptId }: PromptById): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction({ db, bus }, workspaceId, ["prompts"], async (tx) => {
    const { name } = await existing(tx, workspaceId, promptId);
    const [user] = await prompts.listMentions(db.pool, workspaceId, [name]);
    if (user)
      throw new AppError("prompt_in_use", promptId, {
        says: `The policy "${user.policy}" uses ${name}@${user.revision}. Remove it from the policy first.`,
      });
    await prompts.remove(tx, workspaceId, promptId);
    await recordAudit(tx, actor, {
      kind: "judge_prompt_deleted",
      version: 1,
      by: actor.name,
      prompt: promptId,
      name,
    });
  });
}

async function existing(tx: Tx, workspaceId: string, promptId: string): Promise<prompts.PromptRow> {
  const prompt = await prompts.findForUpdate(tx, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  return prompt;
}
