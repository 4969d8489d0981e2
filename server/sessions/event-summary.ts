/** One line of what an event said, cut from the beginning of its stored input, which may end anywhere. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

const MEMBER =
  /"(prompt|notification_message|from_agent|to_agent|steering_messages)":\s*(?:\[\s*)?("(?:[^"\\]|\\.){0,1200}"?)/g;

/** "" when the input says nothing of the kind. */
export function wordsOf(input: string): string {
  const said = new Map<string, string>();
  for (const [, name = "", text = ""] of input.matchAll(MEMBER)) if (!said.has(name)) said.set(name, unquoted(text));
  const [from, to] = [said.get("from_agent"), said.get("to_agent")];
  const words =
    from !== undefined && to !== undefined ? `${from} → ${to}` : ([...said.values()].find((text) => text !== "") ?? "");
  return oneLine(words);
}

/** At most `charactersMax` characters, no line breaks, cut between characters. */
export const oneLine = (text: string, charactersMax = 240): string =>
  truncateText(text.replace(/\s+/g, " ").trim(), charactersMax, "");

function unquoted(text: string): string {
  const closed = text.length > 1 && text.endsWith('"') ? text : `${text.replace(/\\?$/, "")}"`;
  try {
    const value: unknown = JSON.parse(closed);
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
