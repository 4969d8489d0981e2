/** The labels that people give to judges' answers: right, too strict, too loose. */

import { parseJudgeLabel } from "@quarterdeck/hooks/contract/judge-prompt";
import type { Administrator } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import * as labelRows from "./label-rows.ts";
import * as prompts from "./repository.ts";
import { decisionOf, expectations, type LabelSubject, type LabelsOf, type LabelView, type SetLabel } from "./schema.ts";
import * as trialRows from "./trial-rows.ts";

interface World {
  readonly db: Database;
  readonly bus: Bus;
}

/** A judged answer under its name in the table. */
const subjectText = (subject: LabelSubject): string =>
  subject.kind === "call"
    ? `call ${subject.call.occurredAt.getTime()}.${subject.call.id}.${subject.call.place}`
    : `trial ${subject.trialId}.${subject.place}.${subject.repeat}`;

/**
 * Puts a person's label on an answer; it replaces an earlier one. Errors: `invalid_input` with a sentence,
 * `dispatch_not_found`.
 */
export async function label({ db, bus }: World, actor: Administrator, input: SetLabel): Promise<void> {
  const { subject, word, note } = input;
  const { workspaceId } = actor;
  const about = await aboutOf(db, workspaceId, subject);
  const said = decisionOf(about.verdict);
  const refuse = (says: string) => new AppError("invalid_input", undefined, { says, pointer: "/word" });
  if (said === null) throw refuse("Only decisions can be labelled, not failures or context.");
  const choices = expectations(said, word);
  const expected = input.expected ?? choices[0];
  if (expected === undefined)
    throw refuse(
      `"${said}" cannot be ${word.replace("_", " ")}: nothing is ${word === "too_strict" ? "looser" : "stricter"}.`,
    );
  if (!choices.includes(expected))
    throw refuse(`"${said}" that is ${word.replace("_", " ")} cannot mean "${expected}".`);
  const text = subjectText(subject);
  const { promptId, occurredAt, dispatchId } = about;
  await prompts.audited(
    db.pool,
    actor,
    { kind: "judge_answer_labelled", version: 1, by: actor.name, prompt: promptId, subject: text, word, expected },
    async (client) => {
      await labelRows.put(client, workspaceId, {
        subject: text,
        person_id: actor.id,
        person: actor.name,
        prompt_id: promptId,
        occurred_at: occurredAt,
        dispatch_id: dispatchId,
        word,
        verdict: about.verdict,
        expected,
        note,
      });
      return true;
    },
  );
  bus.tell(workspaceId, ["prompts"]);
}

/** Removes a person's own label, if it exists. */
export async function unlabel({ db, bus }: World, actor: Administrator, { subject }: LabelsOf): Promise<void> {
  const text = subjectText(subject);
  await prompts.audited(
    db.pool,
    actor,
    {
      kind: "judge_answer_labelled",
      version: 1,
      by: actor.name,
      prompt: null,
      subject: text,
      word: null,
      expected: null,
    },
    (client) => labelRows.remove(client, actor.workspaceId, text, actor.id),
  );
  bus.tell(actor.workspaceId, ["prompts"]);
}

/** Everybody's labels on one answer, the oldest first. */
export async function labels(db: Database, actor: Administrator, { subject }: LabelsOf): Promise<LabelView[]> {
  const found = await labelRows.listOf(db.pool, actor.workspaceId, subjectText(subject));
  return found.map((row) => ({
    person: row.person,
    isMine: row.person_id === actor.id,
    word: row.word,
    expected: row.expected,
    note: row.note,
    at: row.labelled_at,
  }));
}

interface About {
  readonly verdict: string;
  readonly promptId: string | null;
  readonly occurredAt: Date;
  readonly dispatchId: string;
}

async function aboutOf({ pool, prisma }: Database, workspaceId: string, subject: LabelSubject): Promise<About> {
  if (subject.kind === "trial") {
    const row = await trialRows.findCall(pool, workspaceId, subject);
    if (!row?.verdict) throw new AppError("trial_not_found", subject.trialId);
    return { verdict: row.verdict, promptId: row.prompt_id, occurredAt: row.occurred_at, dispatchId: row.dispatch_id };
  }
  const { occurredAt, id } = subject.call;
  const row = await labelRows.findCall(pool, workspaceId, subject.call);
  if (!row) throw new AppError("dispatch_not_found", id);
  const named = parseJudgeLabel(row.label ?? "");
  const prompt = named ? await prompts.findByName(prisma, workspaceId, named.name) : null;
  return { verdict: row.verdict, promptId: prompt?.id ?? null, occurredAt, dispatchId: id };
}
