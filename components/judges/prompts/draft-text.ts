/** A judge's model, schema and template as one text, so that two people's edits merge line by line. */
import type { JudgedText } from "@/server/prompts/schema";

export const draftText = ({ model, schema, template }: JudgedText): string =>
  `${model.replaceAll("\n", " ")}\n${schema}\n${template}`;

/** The parts of a text that `draftText` wrote; any other text is read line by line too. */
export function judgedOf(text: string): JudgedText {
  const [model = "", schema = "", ...lines] = text.split("\n");
  return { model, schema, template: lines.join("\n") };
}
