/** A test case as it is typed, and back. Pure. */
import { readInput } from "@/components/policies/playground/read-input";
import type { Wrongs } from "@/components/ui/form-texts";
import { type CaseExpectation, type JudgeReply, type PolicyCase, policyCase } from "@/server/playground/schema";

export const ANY = "any";

export interface CaseFormValues {
  name: string;
  verdict: NonNullable<CaseExpectation["verdict"]> | typeof ANY;
  allowed: "yes" | "no" | typeof ANY;
  message: string;
  context: string;
  /** The expected payload: anything, unchanged, or the rewrite in `rewrittenTo`. */
  rewritten: "not" | "to" | typeof ANY;
  rewrittenTo: string;
  hooks: { name: string; said: string }[];
  judgeReplies: JudgeReply[];
  input: string;
  keepsSecrets: boolean;
  runsAgentHooks: boolean;
}

export function caseFormOf({ expect, ...one }: PolicyCase): CaseFormValues {
  const { verdict, allowed, message, context, rewritten, hooks } = expect;
  const { name, judgeReplies, input, keepsSecrets, runsAgentHooks } = one;
  return {
    ...{ name, input, keepsSecrets, runsAgentHooks, judgeReplies },
    verdict: verdict ?? ANY,
    allowed: allowed === undefined ? ANY : allowed ? "yes" : "no",
    message: message ?? "",
    context: context ?? "",
    rewritten: rewritten === undefined ? ANY : rewritten === null ? "not" : "to",
    rewrittenTo: JSON.stringify(rewritten ?? {}, null, 2),
    hooks: Object.entries(hooks ?? {}).map(([hook, said]) => ({ name: hook, said })),
  };
}

/** The case in the form, with its event and lane; or the error of each invalid field. */
export function readCase(
  { event, lane }: Pick<PolicyCase, "event" | "lane">,
  values: CaseFormValues,
): { readonly input: PolicyCase } | { readonly wrongs: Wrongs } {
  const { name, judgeReplies, input, keepsSecrets, runsAgentHooks } = values;
  const [wrong] = readInput(input).problems;
  if (wrong) return { wrongs: { input: `${wrong.pointer} ${wrong.message}`.trim() } };
  const rewritten = payloadOf(values);
  if (rewritten === NO_JSON) return { wrongs: { rewrittenTo: "Invalid JSON. Enter the payload as JSON." } };
  const expect = expectationOf(values, rewritten);
  const read = policyCase.safeParse({
    ...{ name, event, lane, input, expect, judgeReplies, keepsSecrets, runsAgentHooks },
  });
  if (read.success) return { input: read.data };
  const wrongs = read.error.issues.map(({ path, message }) => [fieldOf(path, values), message]);
  return { wrongs: Object.fromEntries(wrongs.reverse()) };
}

function expectationOf({ verdict, allowed, message, context, hooks }: CaseFormValues, rewritten: unknown) {
  return {
    ...(verdict === ANY ? {} : { verdict }),
    ...(allowed === ANY ? {} : { allowed: allowed === "yes" }),
    ...(message === "" ? {} : { message }),
    ...(context === "" ? {} : { context }),
    ...(rewritten === undefined ? {} : { rewritten }),
    ...(hooks.length === 0 ? {} : { hooks: Object.fromEntries(hooks.map((hook) => [hook.name, hook.said])) }),
  };
}

const NO_JSON = Symbol("invalid JSON");

function payloadOf({ rewritten, rewrittenTo }: CaseFormValues): unknown {
  if (rewritten === ANY) return undefined;
  if (rewritten === "not") return null;
  try {
    return JSON.parse(rewrittenTo);
  } catch {
    return NO_JSON;
  }
}

/** The field of the form that holds a part of a case. */
function fieldOf([first, second, third]: readonly PropertyKey[], { hooks }: CaseFormValues): string {
  if (first === "judgeReplies" && second !== undefined) return `judgeReplies.${String(second)}.hook`;
  if (first !== "expect" || second === undefined) return String(first);
  if (second === "rewritten") return "rewrittenTo";
  if (second !== "hooks") return String(second);
  const at = hooks.findIndex(({ name }) => name === third);
  return at === -1 ? "hooks" : `hooks.${at}.name`;
}
