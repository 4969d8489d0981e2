/** No answer is looser than the native output that it renders, but for the gaps that the tables of capabilities list. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventName, HookOutput } from "../hooks/index.ts";
import { ABILITIES, type Ability, type Cell, type ClientCapabilities, listGaps } from "./capabilities.ts";
import type { Effect } from "./client-effect.ts";
import { clientModels } from "./client-models.ts";
import { CLIENT_CAPABILITIES } from "./clients.ts";
import { dialectOf } from "./registry.ts";
import type { Body, RenderContext } from "./render-table.ts";
import { CLIENT_NAMES, type ClientName } from "./schema.ts";
import { looserIn, nativeEffect } from "./testing/effects.ts";
import { ARGUMENTS, SECRET, samplePayloads } from "./testing/sample-payloads.ts";

type Client = ClientName;

const CLIENTS = CLIENT_NAMES;

/** Everything a client may be answered with, at the top. A key of another client's is none of these. */
const CLAUDE_KEYS = ["continue", "stopReason", "systemMessage", "decision", "reason", "hookSpecificOutput"];
const KEYS: Record<Exclude<Client, "docker-agent">, readonly string[]> = {
  "claude-code": CLAUDE_KEYS,
  cline: ["cancel", "errorMessage", "contextModification"],
  codex: CLAUDE_KEYS,
  copilot: [
    ...["permissionDecision", "permissionDecisionReason", "modifiedArgs", "additionalContext", "hookSpecificOutput"],
    ...["behavior", "message", "modifiedResult", "handled", "responseContent", "decision", "reason"],
  ],
  cursor: [
    ...["permission", "user_message", "agent_message", "updated_input", "additional_context"],
    ...["updated_mcp_tool_output", "continue"],
  ],
  gemini: CLAUDE_KEYS,
  opencode: ["decision", "reason", "hook_specific_output"],
  qwen: CLAUDE_KEYS,
};
const REASON_KEYS = new Set(
  "permissionDecisionReason permission_decision_reason message reason user_message errorMessage responseContent stopReason stop_reason".split(
    " ",
  ),
);

const gates = CLIENTS.flatMap((client) => {
  const capabilities: ClientCapabilities = CLIENT_CAPABILITIES[client];
  return Object.entries(capabilities.events).flatMap(([event, capability]) =>
    capability.native === null ? [] : [{ client, event, native: capability.native, capability }],
  );
});

const words = fc.oneof(fc.constantFrom("", " ", "No force pushes to main."), fc.string({ maxLength: 20 }));
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const outputs = fc.record(
  {
    continue: fc.boolean(),
    stop_reason: words,
    suppress_output: fc.boolean(),
    system_message: words,
    decision: fc.constantFrom("block", ""),
    reason: words,
    hook_specific_output: fc.record(
      {
        permission_decision: fc.constantFrom("deny", "ask", "allow", ""),
        permission_decision_reason: words,
        updated_input: optional(
          fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
        ),
        updated_tool_response: fc.oneof(words, fc.constant('{"task":{}}'), fc.json({ maxDepth: 1 })),
        updated_messages: fc.array(fc.record({ role: words, content: words }), { maxLength: 2 }),
        additional_context: words,
        metadata: fc.constant({ blast_radius: "high" }),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<HookOutput>;

/** One wish alone, in each of its spellings. */
const WISHES: Record<Ability, readonly HookOutput[]> = {
  deny: [{ decision: "block", reason: "No." }],
  ask: [{ hook_specific_output: { permission_decision: "ask", permission_decision_reason: "Sure?" } }],
  rewriteInput: [
    { hook_specific_output: { updated_input: { command: "git push" } } },
    { hook_specific_output: { updated_messages: [{ role: "user", content: "hello" }] } },
  ],
  rewriteOutput: [
    { hook_specific_output: { updated_tool_response: "[redacted]" } },
    { hook_specific_output: { updated_tool_response: "" } },
  ],
  stop: [
    { continue: false, stop_reason: "Budget used up." },
    { decision: "block", reason: "Budget used up." },
  ],
};

function effectOf(client: Client, native: EventName, body: Body, context: RenderContext): Effect {
  if (client === "docker-agent") return nativeEffect(body as HookOutput, native, ARGUMENTS);
  return clientModels[client](body, { ...context, interactive: context.interactive === true });
}

function looser(client: Client, native: EventName, output: HookOutput, context: RenderContext) {
  const body = dialectOf(client).render(output, context);
  return looserIn(nativeEffect(output, native, ARGUMENTS), effectOf(client, native, body, context), SECRET);
}

function gapsOf(capability: Record<Ability, Cell>): (Ability | "approve")[] {
  return ABILITIES.filter((ability) => typeof capability[ability] === "object");
}

describe.each(gates)("$client $event", ({ client, event, native, capability }) => {
  const contexts = fc.record({
    event: fc.constant(event),
    payload: fc.constantFrom(...samplePayloads(client, event)),
    interactive: fc.boolean(),
  });

  it("is answered with nothing looser than the native output, but for its gaps", () => {
    fc.assert(
      fc.property(outputs, contexts, (output, context) => {
        const beyond = looser(client, native, output, context).filter((wish) => !gapsOf(capability).includes(wish));
        expect(beyond).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it("gives every refusal a reason, and no key of another client's", () => {
    fc.assert(
      fc.property(outputs, contexts, (output, context) => {
        const body = dialectOf(client).render(output, context);
        if (effectOf(client, native, body, context).refused) expect(reasonsIn(body)).not.toEqual([]);
        if (client !== "docker-agent") expect(KEYS[client]).toEqual(expect.arrayContaining(Object.keys(body)));
      }),
      { numRuns: 100 },
    );
  });

  it("answers nothing to say with an empty object", () => {
    for (const payload of samplePayloads(client, event))
      expect(dialectOf(client).render({}, { event, payload })).toEqual({});
  });
});

describe("tables of capabilities", () => {
  it("list as gaps exactly the wishes that are lost", () => {
    const lost = gates.flatMap(({ client, event, native }) =>
      ABILITIES.filter((ability) =>
        WISHES[ability].some((output) =>
          samplePayloads(client, event).some((payload) =>
            looser(client, native, output, { event, payload }).includes(ability),
          ),
        ),
      ).map((ability) => `${client} ${event} ${ability}`),
    );
    const listed = CLIENTS.flatMap((client) =>
      listGaps(CLIENT_CAPABILITIES[client]).map(({ event, ability }) => `${client} ${event} ${ability}`),
    );
    expect(lost.toSorted()).toEqual(listed.toSorted());
    expect(listed).toHaveLength(GAPS);
  });

  it.each(gates.filter(({ client }) => client !== "docker-agent"))(
    "say for $client $event what becomes of each wish",
    ({ client, event, native, capability }) => {
      for (const ability of ABILITIES) {
        for (const output of WISHES[ability]) {
          for (const payload of samplePayloads(client, event)) {
            const wished = nativeEffect(output, native, ARGUMENTS);
            const context = { event, payload };
            const effect = effectOf(client, native, dialectOf(client).render(output, context), context);
            const cell = fateOf(ability, wished, effect, output.continue === false);
            if (cell !== "nothing" && !isSameAsDenial(ability, native))
              expect([ability, allowedCells(capability[ability])]).toEqual([ability, expect.arrayContaining([cell])]);
          }
        }
      }
    },
  );
});

/** The number of cells in which the specification names a client's gap. */
const GAPS = 28;

/** A prompt or a compaction that is stopped is refused, and that is all: there is no run to end. */
function isSameAsDenial(ability: Ability, native: EventName): boolean {
  return ability === "stop" && (native === "user_prompt_submit" || native === "pre_compact");
}

/** A result of a shape that is not known ends the run although most results are replaced; so it is with MCP tools in Cursor. */
function allowedCells(cell: Cell): string[] {
  if (typeof cell === "object") return ["gap", "held"];
  return cell === "held" ? ["held", "ended"] : [cell];
}

function fateOf(ability: Ability, wished: Effect, effect: Effect, stops: boolean): string {
  switch (ability) {
    case "deny":
      return wished.refused ? (effect.refused ? "held" : "gap") : "nothing";
    case "ask":
      return wished.asked ? (effect.asked ? "held" : effect.refused ? "denied" : "gap") : "nothing";
    case "rewriteInput":
      if (wished.input === undefined || wished.input === ARGUMENTS) return "nothing";
      return effect.refused ? "denied" : "held";
    case "rewriteOutput":
      if (wished.result === undefined) return "nothing";
      return effect.ended ? "ended" : effect.result === undefined ? "gap" : "held";
    case "stop":
      if (wished.ended) return effect.ended ? "held" : "gap";
      return wished.refused && stops ? (effect.ended ? "held" : effect.refused ? "denied" : "gap") : "nothing";
  }
}

function reasonsIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" && REASON_KEYS.has(key) && inner.trim() !== "" ? [inner] : reasonsIn(inner),
  );
}
