/** JUnit's XML, as CI systems read it. */
import { writeFile } from "node:fs/promises";
import type { CaseOutcome } from "../playground/schema.ts";
import { Refusal } from "./refusal.ts";

export interface TestedCase extends Pick<CaseOutcome, "passed" | "differs" | "durationMs"> {
  readonly name: string;
}

/** One suite with a test case each. The result is well-formed XML 1.0 for any text. */
export function junitOf(policy: string, cases: readonly TestedCase[]): string {
  const failures = cases.filter(({ passed }) => !passed).length;
  const seconds = (ms: number) => (ms / 1_000).toFixed(3);
  const all = seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="${all}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="quarterdeck" ${counts}>`,
    `  <testsuite name="${escaped(policy)}" ${counts}>`,
    ...cases.map(({ name, passed, differs, durationMs }) => {
      const head = `    <testcase classname="${escaped(policy)}" name="${escaped(name)}" time="${seconds(durationMs)}"`;
      if (passed) return `${head}/>`;
      const first = escaped(differs[0] ?? "failed");
      return `${head}>\n      <failure message="${first}">${escaped(differs.join("\n"))}</failure>\n    </testcase>`;
    }),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Escapes text for an attribute or an element. Control characters, most of which XML 1.0 does not allow, become the
 * replacement character.
 */
function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu, "\ufffd")
    .replace(/[&<>"']/g, (character) => NAMED[character] ?? character)
    .replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

/** Errors: a `Refusal` if the file cannot be written. */
export async function writeReport(file: string, xml: string): Promise<void> {
  await writeFile(file, xml).catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Refusal(`The report could not be written to ${file}${why}.`, 2);
  });
}
