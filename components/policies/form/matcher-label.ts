import { findMatcherKind } from "@quarterdeck/hooks/contract/tool-kinds";

/** A matcher for people: its kind in words, else as it is written. */
export function matcherLabel(matcher: unknown): string {
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return "every tool";
  const kind = findMatcherKind(matcher);
  return kind ? `${kind.title.toLowerCase()} of any client` : matcher;
}
