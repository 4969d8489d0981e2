/** Everything that is measured about a text before it is published. */
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import type { PublishScoreView } from "./check-schema.ts";
import { injectionOf } from "./checks.ts";
import { normaliseLineEnds } from "./judged-text.ts";
import * as prompts from "./repository.ts";
import { score } from "./score.ts";
import type { ScoreText } from "./score-schema.ts";

/** Errors: `prompt_not_found`. */
export async function publishScore(db: Database, workspaceId: string, input: ScoreText): Promise<PublishScoreView> {
  const prompt = await prompts.find(db.prisma, workspaceId, input.promptId);
  if (!prompt) throw new AppError("prompt_not_found", input.promptId);
  const [labelled, injection] = await Promise.all([
    score(db, workspaceId, input),
    injectionOf(db.pool, workspaceId, prompt, normaliseLineEnds(input)),
  ]);
  return { ...labelled, injection };
}
