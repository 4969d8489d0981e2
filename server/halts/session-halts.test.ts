/** A halted session is found by its id, however the client spells it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { callGate, type HaltedAgent, type HaltsRig, haltsRig, isDenied } from "../../e2e/fixtures/halts-rig.ts";
import { indexKeyText } from "../recording/index.ts";

let rig: HaltsRig;
let first: TestGateway;
beforeAll(async () => {
  rig = await haltsRig();
  ({ first } = rig);
});
afterAll(() => rig?.close());
afterEach(() => rig.resumeAll());

let agent: HaltedAgent;
let other: HaltedAgent;
beforeEach(async () => {
  [agent, other] = [await rig.newAgent(), await rig.newAgent()];
});

describe("a halted session", () => {
  it("halts one session of one agent, and the sessions that it began", async () => {
    await rig.halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
    expect(await isDenied(first, agent, { session_id: "s1" })).toBe(true);
    expect(await isDenied(first, agent, { session_id: "s2", parent_session_id: "s1" })).toBe(true);
    expect(await isDenied(first, agent, { session_id: "s2" })).toBe(false);
    expect(await isDenied(first, other, { session_id: "s1" })).toBe(false);
  });

  it.each([
    ["long", `${"x".repeat(300)}`],
    ["unprintable", "s\0\ud800"],
  ])("halts a session by its id as pages show it, where the agent's own is %s", async (_how, session_id) => {
    expect(await isDenied(first, agent, { session_id })).toBe(false);
    await rig.halt({ scope: "session", agentId: agent.id, sessionId: indexKeyText(session_id) });
    expect(await isDenied(first, agent, { session_id })).toBe(true);
    expect(await isDenied(first, agent, { session_id: `y${session_id}` })).toBe(false);
  });

  const LONG = `Sitzung ${"ab".repeat(200)}`;
  const SPELLINGS: readonly [string, string, unknown][] = [
    ["a blank before it", "s1", " s1"],
    ["a blank behind it", "s1", "s1 "],
    ["a blank within it", "s1", "s 1"],
    ["a tab and a line break", "s1", "\ts1\n"],
    ["a no-break space", "s1", "s1\u00a0"],
    ["an ideographic space", "s1", "\u3000s1"],
    ["capitals", "session-abc", "Session-ABC"],
    ["small letters", "SESSION-ABC", "session-abc"],
    ["a capital sharp s", "stra\u00dfe", "STRASSE"],
    ["a long s", "session", "\u017fession"],
    ["a Kelvin sign", "kilo", "\u212ailo"],
    ["a dotted capital I", "id-1", "\u0130D-1"],
    ["NUL", "s1", "s1\0"],
    ["NUL first", "s1", "\0s1"],
    ["the escape of NUL", "s1", "s1\\u0000"],
    ["a lone surrogate", "s1", "s1\ud800"],
    ["an escape character", "s1", "\u001bs1"],
    ["a delete character", "s1", "s1\u007f"],
    ["a zero-width space", "s1", "s\u200b1"],
    ["a zero-width joiner", "s1", "s\u200d1"],
    ["a byte order mark", "s1", "\ufeffs1"],
    ["a soft hyphen", "s1", "s\u00ad1"],
    ["a direction mark", "s1", "\u202es1"],
    ["a variation selector", "s1", "s1\ufe0f"],
    ["a tag character", "s1", "s1\u{e0041}"],
    ["a Hangul filler", "s1", "s1\u3164"],
    ["a blank Braille pattern", "s1", "s1\u2800"],
    ["a combining grapheme joiner", "s1", "s\u034f1"],
    ["full-width letters", "s1", "\uff53\uff11"],
    ["mathematical letters", "s1", "\u{1d42c}\u{1d7cf}"],
    ["a ligature", "file-1", "\ufb01le-1"],
    ["a decomposed letter", "caf\u00e9", "cafe\u0301"],
    ["a composed letter", "cafe\u0301", "caf\u00e9"],
    ["a private-use character", "s1", "s1\ue000"],
    ["an unassigned character", "s1", "s1\u0378"],
    ["a thousand blanks", "s1", `${" ".repeat(1_000)}s1`],
    ["a long id in capitals", LONG, LONG.toUpperCase()],
    ["a long id behind a blank", LONG, ` ${LONG}`],
    ["a long id with NUL near its end", LONG, `${LONG.slice(0, -3)}\0${LONG.slice(-3)}`],
    ["an id that shows nothing", "s1", " \u200b"],
  ];
  it.each(SPELLINGS)("halts a session whose id is spelled with %s", async (_how, sessionId, session_id) => {
    await rig.halt({ scope: "session", agentId: agent.id, sessionId: indexKeyText(sessionId) });
    expect(await isDenied(first, agent, { session_id })).toBe(true);
    expect(await isDenied(first, agent, { session_id: "child", parent_session_id: session_id })).toBe(true);
    expect(await isDenied(first, agent, { session_id: "another" })).toBe(false);
    expect(await isDenied(first, other, { session_id })).toBe(false);
  });

  it.each([undefined, null, "", 1, true, ["s1"], { id: "s1" }])(
    "lets nothing pass whose session's id is %j while a session is halted",
    async (session_id) => {
      await rig.halt({ scope: "session", agentId: agent.id, sessionId: "s1" });
      for (const [event, input] of [
        ["pre_tool_use", {}],
        ["user_prompt_submit", { prompt: "hello" }],
      ] as const) {
        const { status, answer } = await callGate(first, agent, { session_id, ...input }, event);
        expect(status === 400 || answer.continue === false, event).toBe(true);
      }
    },
  );

  it("halts a session by its own long id", async () => {
    const session_id = "y".repeat(400);
    await rig.halt({ scope: "session", agentId: agent.id, sessionId: session_id });
    expect(await isDenied(first, agent, { session_id })).toBe(true);
  });
});
