/** Cases as a YAML file: read with every problem at its line, written so that people can read and change them. */

import { didYouMean } from "@quarterdeck/hooks/contract/did-you-mean";
import type { TextProblem } from "@quarterdeck/hooks/contract/text/text-problems";
import { readYaml } from "@quarterdeck/hooks/contract/text/yaml-text";
import { stringify } from "yaml";
import { z } from "zod";
import { commandLine } from "../platform/env.ts";
import { CASES_MAX, judgeReply, type PolicyCase, policyCase } from "./schema.ts";

const mapping = z.record(z.string(), z.unknown());
/** A reply is a model's text; a mapping is converted to its JSON. */
const reply = z.union([z.string(), mapping.transform((value) => JSON.stringify(value))]);

const { name, event, lane, expect } = policyCase.shape;
const fileCase = z.strictObject({
  name,
  event,
  lane,
  input: mapping.transform((value) => JSON.stringify(value, null, 2)),
  expect,
  judge_replies: z
    .array(z.strictObject({ hook: z.string(), reply: reply.optional(), fails: z.string().optional() }).pipe(judgeReply))
    .max(50)
    .default([]),
  keep_secrets: z.boolean().default(false),
  run_agent_hooks: z.boolean().default(false),
});
const KEYS = Object.keys(fileCase.shape);

const caseFile = z.strictObject({
  /** Whose they are; for people. */
  policy: z.string().max(64).optional(),
  cases: z.array(fileCase).min(1, "There is no case in this file.").max(CASES_MAX, `At most ${CASES_MAX} cases.`),
});

export interface CaseFile {
  readonly cases: readonly PolicyCase[];
  readonly problems: readonly TextProblem[];
}

const PROBLEMS_MAX = 50;

/** The cases in `source`. Errors: none; everything wrong is a problem with its place, and then there are no cases. */
export function readCaseFile(source: string): CaseFile {
  const yaml = readYaml(source);
  if (yaml.problems.length > 0) return { cases: [], problems: yaml.problems };
  const parsed = caseFile.safeParse(yaml.value());
  if (!parsed.success) {
    const problems = parsed.error.issues.slice(0, PROBLEMS_MAX).map((issue) => {
      const path = issue.path.map((step) => (typeof step === "number" ? step : String(step)));
      const strangers = issue.code === "unrecognized_keys" ? issue.keys : [];
      const at = strangers[0] === undefined ? path : [...path, strangers[0]];
      return yaml.problemAt(at, pathText(path), wordsOf(issue, strangers));
    });
    return { cases: [], problems };
  }
  const { cases } = parsed.data;
  const twice = cases.findIndex((one, at) => cases.findIndex((other) => other.name === one.name) < at);
  if (twice >= 0)
    return { cases: [], problems: [yaml.problemAt(["cases", twice, "name"], "", "Two cases have this name.")] };
  return {
    cases: cases.map(({ judge_replies, keep_secrets, run_agent_hooks, ...one }) => ({
      ...one,
      judgeReplies: judge_replies,
      keepsSecrets: keep_secrets,
      runsAgentHooks: run_agent_hooks,
    })),
    problems: [],
  };
}

function wordsOf(issue: z.core.$ZodIssue, strangers: readonly string[]): string {
  const [stranger] = strangers;
  if (stranger !== undefined) return `unknown key "${stranger}"${didYouMean(stranger, KEYS)}`;
  return issue.message.replace(/^Invalid input: /, "");
}

const pathText = (path: readonly (string | number)[]): string =>
  path.map((step, at) => (typeof step === "number" ? `[${step}]` : at === 0 ? step : `.${step}`)).join("");

/** Writes cases as a file. Reading the file returns the same cases. */
export function writeCaseFile(policy: string, cases: readonly PolicyCase[]): string {
  const listed = cases.map((one) => ({
    name: one.name,
    event: one.event,
    ...(one.lane === "default" ? {} : { lane: one.lane }),
    input: JSON.parse(one.input) as unknown,
    ...(one.judgeReplies.length > 0 && { judge_replies: one.judgeReplies }),
    ...(one.keepsSecrets && { keep_secrets: true }),
    ...(one.runsAgentHooks && { run_agent_hooks: true }),
    expect: one.expect,
  }));
  const head = `# Cases of a policy. Run them with: ${commandLine()} policy test POLICY.yaml --cases THIS.yaml\n`;
  return head + stringify({ policy, cases: listed }, { lineWidth: 0, aliasDuplicateObjects: false });
}
