/** The differences between a template case's expectations and its outcome, as sentences; empty if it passed. */
import type { Profile } from "../contract/events.ts";
import type { TemplateCase } from "./cases.ts";
import type { Rendered, Target } from "./target.ts";

export function templateDifferences(one: TemplateCase, profile: Profile, target: Target): string[] {
  const { expect } = one;
  const got = target.render(one.template, one.input, profile);
  if ("parse_error" in expect) {
    const same = got.kind === "not parsed" && got.line === expect.line;
    return same ? [] : [`expected a parse error in line ${expect.line}, got ${inWords(got)}`];
  }
  if ("exec_error" in expect) {
    return got.kind === "not rendered" ? [] : [`expected an error while rendering, got ${inWords(got)}`];
  }
  if (got.kind !== "rendered" || got.text !== expect.text) {
    return [`text: expected ${JSON.stringify(expect.text)}, got ${inWords(got)}`];
  }
  const { bytes_hex: bytes } = expect;
  return bytes === undefined || bytes === got.bytesHex ? [] : [`bytes: expected ${bytes}, got ${got.bytesHex}`];
}

function inWords(got: Rendered): string {
  switch (got.kind) {
    case "rendered":
      return JSON.stringify(got.text);
    case "not parsed":
      return `a parse error in line ${got.line}: ${got.message}`;
    case "not rendered":
      return `an error while rendering: ${got.message}`;
  }
}
