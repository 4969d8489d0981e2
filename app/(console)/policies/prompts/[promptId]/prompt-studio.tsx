"use client";

import { PromptPage } from "@/components/judges/prompts/prompt-page";
import { useJudgeRollout } from "@/components/policies/judge/use-judge-rollout";

/** The page of a prompt with the policies that use it. */
export function PromptStudio({ promptId }: { promptId: string }) {
  return <PromptPage promptId={promptId} rollout={useJudgeRollout(promptId)} />;
}
