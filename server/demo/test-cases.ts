/** The test cases of the demo's policies, by the policy's name. */
import type { PolicyCase } from "../playground/schema.ts";
import { JUDGE_TOOL } from "./judge.ts";

type Expected = PolicyCase["expect"];

function demoCase(
  name: string,
  event: PolicyCase["event"],
  input: Readonly<Record<string, unknown>>,
  expect: Expected,
): PolicyCase {
  return {
    ...{ name, event, lane: "default", input: JSON.stringify({ session_id: "case", ...input }), expect },
    // The only secret is the example of the provider's own documentation.
    ...{ judgeReplies: [], keepsSecrets: true, runsAgentHooks: false },
  };
}

const call = (name: string, tool_name: string, tool_input: Readonly<Record<string, unknown>>, expect: Expected) =>
  demoCase(name, "pre_tool_use", { tool_name, tool_input }, expect);

const shell = (name: string, cmd: string, verdict: "deny" | "ask" | "none") =>
  call(name, "shell", { cmd }, { verdict });

export const DEMO_CASES: Readonly<Record<string, readonly PolicyCase[]>> = {
  "Demo - safe shell": [
    shell("a bulk delete is denied", "rm -rf build", "deny"),
    shell("a push is asked for", "git push origin main", "ask"),
    shell("a test run passes", "npm test", "none"),
  ],
  "Demo - no secrets in arguments": [
    shell("an access key is denied", "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE ./snapshot.sh", "deny"),
    shell("a name of a variable passes", "echo $AWS_ACCESS_KEY_ID", "none"),
  ],
  "Demo - frozen paths": [
    call("an applied migration is frozen", "edit_file", { path: "migrations/0002_customer.sql" }, { verdict: "deny" }),
    call("a new migration passes", "write_file", { path: "migrations/1005_index.sql" }, { verdict: "none" }),
  ],
  "Demo - compaction steward": [
    demoCase(
      "a short conversation is not compacted",
      "before_compaction",
      { input_tokens: 900, output_tokens: 200 },
      { verdict: "deny" },
    ),
    demoCase("the summary keeps decisions", "pre_compact", { source: "auto" }, { context: "decisions" }),
  ],
  "Demo - deployments": [
    call("a deployment waits for a person", "deploy", { environment: "production" }, { verdict: "ask" }),
  ],
  "Demo - customer messages": [
    {
      ...call("a message that the judge denies is not sent", JUDGE_TOOL, { text: "Your refund" }, { verdict: "deny" }),
      judgeReplies: [{ hook: "customer messages", reply: '{"decision":"deny","reason":"It promises money."}' }],
    },
  ],
  "Demo - budget note": [
    demoCase("a session starts with the budget", "session_start", { source: "startup" }, { context: "Budget: about" }),
  ],
};
