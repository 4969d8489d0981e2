/** A policy document that this executor cannot read denies, with the console there and with the console away. */
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { BROKEN_BLOCKS } from "../../e2e/fixtures/broken-blocks.ts";
import { dispatchLocally, isConsoleConcerned } from "./dispatch.ts";
import { concernsOf, policyOf } from "./policy.ts";

/** Blocks whose meaning the console looks at; their shape is right, and the hook is the console's. */
const LEFT_TO_THE_CONSOLE = [
  "the hooks of an entry are empty",
  "a hook's type is unknown",
  "the profile is unknown",
  "the profile is empty",
];
const BROKEN = BROKEN_BLOCKS.filter(({ fault }) => !LEFT_TO_THE_CONSOLE.includes(fault));

const documentOf = (hooks: unknown, profile = "2026-08") =>
  policyOf(
    Buffer.from(
      JSON.stringify({
        version: 2,
        agent: "a",
        revision: "r",
        profile,
        sources: [{ policy: "guard", revision: 3, hooks }],
      }),
    ),
    0,
  );

const dispatched = (policy: ReturnType<typeof documentOf>, event: "pre_tool_use" | "turn_start", tool: string) =>
  dispatchLocally({
    ...{ policy, event, lane: "default", flags: [], text: "{}", env: {}, workingDir: tmpdir(), dir: tmpdir() },
    input: { session_id: "s", tool_name: tool },
    signal: new AbortController().signal,
    isTold: true,
    ask: async () => "{}",
  });

it("denies in place of each part that cannot be read, names the policy, and disturbs no observer", async () => {
  const passed: string[] = [];
  for (const { fault, hooks, profile } of BROKEN) {
    const policy = documentOf(hooks, profile);
    const { answer } = await dispatched(policy, "pre_tool_use", "shell");
    if (answer.decision !== "block" || !answer.reason?.includes('policy "guard" cannot be read at')) passed.push(fault);
    expect((await dispatched(policy, "turn_start", "")).answer, fault).toEqual({});
  }
  expect(passed).toEqual([]);
  expect(BROKEN.length).toBeGreaterThan(40);
});

it("lets no call pass while the console is away", () => {
  const occasion = { event: "pre_tool_use", lane: "default", tool: "shell" } as const;
  const passed = BROKEN.filter(({ hooks, profile }) => {
    const policy = documentOf(hooks, profile);
    const { here } = concernsOf(policy, "pre_tool_use", "default", "shell");
    return !here && !isConsoleConcerned(policy, occasion);
  });
  expect(passed.map(({ fault }) => fault)).toEqual([]);
});
