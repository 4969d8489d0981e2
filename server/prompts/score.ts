/** Right and wrong on labelled calls: of two trials, and of a text against the revision before it. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { excerptsOf } from "./call-excerpts.ts";
import { sha256Of } from "./judged-text.ts";
import { type Expected, majorityVerdict } from "./measures.ts";
import * as prompts from "./repository.ts";
import { expectations, recordedCallKey } from "./revision-figures.ts";
import type { Decision, JudgedText } from "./schema.ts";
import type { CallScore, ScoreText, ScoreView, SideView, TextScoreView } from "./score-schema.ts";
import * as trialRows from "./trial-rows.ts";

const TRIALS_MAX = 100;
const CHANGED_MAX = 20;

type Verdict = SideView["verdict"];

/** The score of one call; null when its expected decision or one of the answers is not known. */
export function scoreOf(before: Verdict, after: Verdict, expected: Expected | null): CallScore | null {
  if (before === null || after === null || expected === null || expected === "disputed") return null;
  if (before === expected) return after === expected ? "right" : "newly_wrong";
  return after === expected ? "newly_right" : "wrong";
}

export function totalOf(scores: readonly (CallScore | null)[], expected: Iterable<Expected>): ScoreView {
  const all = [...expected];
  const count = (...kinds: CallScore[]) => scores.filter((one) => one !== null && kinds.includes(one)).length;
  return {
    labelled: all.filter((one) => one !== "disputed").length,
    disputed: all.filter((one) => one === "disputed").length,
    compared: scores.filter((one) => one !== null).length,
    before: { right: count("right", "newly_wrong"), wrong: count("wrong", "newly_right") },
    after: { right: count("right", "newly_right"), wrong: count("wrong", "newly_wrong") },
    newlyWrong: count("newly_wrong"),
    newlyRight: count("newly_right"),
  };
}

/** A text against the latest revision, by the trials of both. Errors: `prompt_not_found`. */
export async function score(
  db: Database,
  workspaceId: string,
  { promptId, ...text }: ScoreText,
): Promise<TextScoreView> {
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const revisions = await prompts.listRevisions(db.prisma, workspaceId, promptId);
  const latest = revisions.find(({ number }) => number === prompt.latestRevision);
  const [expected, sides] = await Promise.all([
    expectations(db, workspaceId, promptId),
    answersOf(db, workspaceId, promptId, { before: latest?.sha256 ?? null, after: sha256Of(text) }),
  ]);
  const scored = [...expected].map(([about, meant]) => {
    const [before, after] = [sides.before.get(about), sides.after.get(about)];
    const [was, is] = [verdictOf(before), verdictOf(after)];
    return { call: after?.[0] ?? before?.[0], was, is, meant, score: scoreOf(was, is, meant) };
  });
  const total = totalOf(
    scored.map((one) => one.score),
    expected.values(),
  );
  const changed = scored.flatMap(({ call, was, is, meant, score }) => {
    const isChanged = score === "newly_wrong" || score === "newly_right";
    if (!call || !isChanged || was === null || is === null || meant === "disputed") return [];
    return [{ call, before: was, after: is, expected: meant, score }];
  });
  const shown = changed.sort((a, b) => ORDER[a.score] - ORDER[b.score]).slice(0, CHANGED_MAX);
  const excerpts = await excerptsOf(
    db.pool,
    workspaceId,
    shown.map(({ call }) => call),
  );
  return {
    ...total,
    revision: prompt.latestRevision,
    isWorse: total.after.right < total.before.right,
    changed: shown.map(({ call, ...one }) => ({
      occurredAt: call.occurred_at,
      id: call.dispatch_id,
      event: call.event,
      tool: call.tool_name,
      excerpt: excerpts.get(recordedCallKey(call)) ?? null,
      ...one,
    })),
  };
}

const ORDER = { newly_wrong: 0, newly_right: 1 } as const;

/**
 * Refuses a text that is right on fewer labelled calls than the revision before it.
 *
 * Errors: `prompt_got_worse`.
 */
export async function requireNoRegression(
  db: Database,
  workspaceId: string,
  promptId: string,
  text: JudgedText,
): Promise<void> {
  const { isWorse, before, after, compared } = await score(db, workspaceId, { promptId, ...text });
  if (isWorse)
    throw new AppError("prompt_got_worse", promptId, {
      says: `This text is right on ${after.right} of ${compared} labelled calls, the latest revision on ${before.right}. To publish anyway, confirm that it is worse.`,
    });
}

type Calls = Map<string, trialRows.TrialCallRow[]>;

/** The answers of every trial of two texts, by the recorded call. */
async function answersOf(
  db: Database,
  workspaceId: string,
  promptId: string,
  sha256: { readonly before: string | null; readonly after: string },
): Promise<{ before: Calls; after: Calls }> {
  const trials = await trialRows.list(db.pool, workspaceId, promptId, TRIALS_MAX);
  const textOfTrial = new Map(trials.map((one) => [one.id, one.sha256]));
  const wanted = trials.filter((one) => one.sha256 === sha256.before || one.sha256 === sha256.after);
  const sides = { before: new Map() as Calls, after: new Map() as Calls };
  for (const call of await trialRows.listCalls(
    db.pool,
    workspaceId,
    wanted.map(({ id }) => id),
  )) {
    const text = textOfTrial.get(call.trial_id);
    for (const side of ["before", "after"] as const) {
      if (text !== sha256[side]) continue;
      const known = sides[side].get(recordedCallKey(call));
      if (known) known.push(call);
      else sides[side].set(recordedCallKey(call), [call]);
    }
  }
  return sides;
}

const verdictOf = (calls: readonly trialRows.TrialCallRow[] | undefined): Decision | "split" | "other" | null =>
  majorityVerdict((calls ?? []).flatMap(({ verdict }) => (verdict === null ? [] : [verdict])));
