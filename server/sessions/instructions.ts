/** The instructions in a stored answer: `instruction_context` of docker-agent, in words. */
import { instructionItem } from "@quarterdeck/hooks/contract/output-items";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { z } from "zod";
import { INSTRUCTIONS_MAX, type InstructionView } from "./schema.ts";

const CHARACTERS_MAX = 4_000;
const answer = z.looseObject({
  hook_specific_output: z.looseObject({ instruction_context: z.array(z.unknown()) }),
});

/** Empty if the answer has no instructions or is truncated. Invalid items are left out. */
export function instructionsIn(answerText: string): InstructionView[] {
  const items = answer.safeParse(parsed(answerText)).data?.hook_specific_output.instruction_context ?? [];
  return items.slice(0, INSTRUCTIONS_MAX).flatMap((item) => {
    const read = instructionItem.safeParse(item);
    return read.success ? [instructionOf(read.data)] : [];
  });
}

function instructionOf({
  label,
  key,
  group,
  content,
  removed_content,
  removed,
  unavailable,
}: z.infer<typeof instructionItem>) {
  const text = content || removed_content || "";
  return {
    label: truncateText(label || key || group || "without a name", 400, "…"),
    state: unavailable ? ("unavailable" as const) : removed ? ("removed" as const) : ("given" as const),
    content: truncateText(text, CHARACTERS_MAX, "…"),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
