import { describe, expect, it } from "vitest";
import type { JudgeCall } from "../../contract/judge.ts";
import {
  createExecutor,
  JudgeRefusal,
  type ModelClient,
  modelKind,
  type ReplySchema,
  redactText,
  systemClock,
} from "../../index.ts";

interface Options {
  readonly prompt?: string;
  readonly schema?: string;
  readonly timeout?: number;
  readonly schemas?: readonly ReplySchema[];
  readonly redact?: (text: string) => string;
}

async function judged(ask: ModelClient["ask"], options: Options = {}) {
  const { schemas, redact, prompt = "May {{ .ToolName }} run?", ...rest } = options;
  const hook = { type: "model", model: "stub/judge", prompt, schema: "pre_tool_use_decision", ...rest };
  const kind = modelKind({ ask }, { ...(schemas && { schemas }), ...(redact && { redact }) });
  const executor = createExecutor({
    config: { pre_tool_use: [{ hooks: [hook] }] },
    profile: "2026-08",
    kinds: [kind],
    clock: systemClock,
    env: {},
    workingDir: "/",
  });
  const { result, hooks } = await executor.dispatch({ event: "pre_tool_use", input: { tool_name: "shell" } });
  const judge: Readonly<JudgeCall> | undefined = hooks[0]?.judge;
  return { result, judge };
}
const allow = '{"decision":"allow","reason":"fine"}';

describe("a model hook", () => {
  it("asks with the rendered prompt, the schema and its own place, and puts the answer on record", async () => {
    const { result, judge } = await judged(async ({ user, schema, asker, system }) => {
      expect([user, schema?.name, asker.path]).toEqual([
        "May shell run?",
        "pre_tool_use_decision",
        "hooks.pre_tool_use[0].hooks[0]",
      ]);
      expect(system).toContain("JSON");
      return { text: allow, usage: { inputTokens: 9, outputTokens: 3 }, costNanoUsd: 7n, model: "judge-1" };
    });
    expect(result).toMatchObject({ allowed: true, decision: "allow", decision_reason: "fine" });
    expect(judge).toMatchObject({ reply: allow, costNanoUsd: 7n, answeredBy: "judge-1", prompt: "May shell run?" });
    expect(judge?.cause).toBeUndefined();
  });

  it("sends and keeps only what redaction left", async () => {
    const redact = (text: string) => text.replaceAll("shell", "[hidden]");
    const { judge } = await judged(
      async ({ user }) => {
        expect(user).toBe("May [hidden] run?");
        return { text: allow };
      },
      { redact },
    );
    expect(judge?.prompt).toBe("May [hidden] run?");
  });

  it("fences a value with a mark that redaction leaves alone", async () => {
    const { judge } = await judged(async () => ({ text: allow }), {
      prompt: "{{ fenced .ToolName }}",
      redact: redactText,
    });
    expect(judge?.prompt).toMatch(/^<data ([a-z]{20})>\n"shell"\n<\/data \1>$/);
  });

  it.each([
    ["over_budget", new JudgeRefusal("over_budget", "spent", { costNanoUsd: 5n }), "model stub/judge: spent"],
    ["provider_error", new Error("down"), "model stub/judge: down"],
  ])("that is refused (%s) denies, with the cause on record", async (cause, error, message) => {
    const { result, judge } = await judged(() => Promise.reject(error));
    expect(result.allowed).toBe(false);
    expect(result.message).toContain(message);
    expect(judge?.cause).toBe(cause);
  });

  it.each([
    ["", "empty", "interpret reply: empty model reply"],
    ["no", "unparsable", "no JSON object in reply"],
    [`${allow}{}`, "unparsable", "parse decision json"],
    ['{"decision":1}', "unparsable", "parse decision json"],
    ["x".repeat(300_000), "too_large", "longer than"],
  ])("that says %j denies", async (text, cause, message) => {
    const { result, judge } = await judged(async () => ({ text }));
    expect(result.allowed).toBe(false);
    expect(result.message).toContain(message);
    expect(judge?.cause).toBe(cause);
    expect(judge?.reply?.length).toBeLessThan(300_000);
  });

  it("that does not answer denies at its deadline, although the client does not listen", async () => {
    const { result, judge } = await judged(() => new Promise(() => {}), { timeout: 1 });
    expect(result.message).toContain("timed out after 1s");
    expect(judge).toMatchObject({ cause: "timeout", prompt: "May shell run?" });
  });

  it.each([
    ["{{ .Nope }}", undefined, "render prompt"],
    ["{{ if }}", undefined, "parse prompt template"],
    ["x", "other", 'unknown schema "other"'],
    [`{{ printf "%1000000d%1000000d" 1 2 }}`, undefined, "longer than"],
  ])("with %j and schema %j asks nobody and denies", async (prompt, schema, message) => {
    const ask = () => Promise.reject(new Error("asked"));
    const { result } = await judged(ask, { prompt, ...(schema && { schema }) });
    expect(result.allowed).toBe(false);
    expect(result.message).toContain(message);
  });

  it("reads replies by an embedder's schema", async () => {
    const strict: ReplySchema = {
      name: "yes",
      read: (reply) => ({ hook_specific_output: { permission_decision: reply === "yes" ? "allow" : "deny" } }),
    };
    const { result } = await judged(async () => ({ text: "yes" }), { schema: "yes", schemas: [strict] });
    expect(result.decision).toBe("allow");
    expect(() => modelKind({ ask: async () => ({ text: "" }) }, { schemas: [{ ...strict, name: "" }] })).toThrow(
      "name",
    );
  });
});
