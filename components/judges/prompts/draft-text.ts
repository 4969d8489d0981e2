/** What a judge is asked with as one text: the model, the schema, then the template; so that two people's edits merge line by line. */
import type { JudgedText } from "@/server/prompts/schema";

export const draftText = ({ model, schema, template }: JudgedText): string =>
  `${model.replaceAll("\n", " ")}\n${schema}\n${template}`;

/** What `draftText` wrote; whatever else is read line by line too. */
export function judgedOf(text: string): JudgedText {
  const [model = "", schema = "", ...lines] = text.split("\n");
  return { model, schema, template: lines.join("\n") };
}
