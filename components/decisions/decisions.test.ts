import { describe, expect, it } from "vitest";
import { deciderWords } from "@/components/decisions/labels";
import { decisionsInput, filterKeys } from "@/components/decisions/query";
import { decidingReason, findHooksInText, hookReason } from "@/components/decisions/sent-words";
import { decidingHook, ignoredVerdict, whyOf } from "@/components/decisions/why";
import { inputParts } from "@/components/tool-call/input-parts";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { type CallRecordView, listDecisions, reasonParts, sourceWords, verdictWords } from "@/server/decisions/schema";

describe("the input of a tool call", () => {
  it("is a command where it has one, with its directory", () => {
    expect(inputParts({ cmd: "ls", cwd: "/srv", timeout: 5 })).toEqual([
      { kind: "command", text: "ls", cwd: "/srv" },
      { kind: "rest", json: '{\n  "timeout": 5\n}' },
    ]);
  });
  it.each([
    [{ path: "a.ts", edits: [{ oldText: "x", newText: "y" }] }],
    [{ file_path: "a.ts", old_string: "x", new_string: "y" }],
    [{ path: "a.ts", old_str: "x", new_str: "y" }],
  ])("is an edit with its file in %j", (input) => {
    expect(inputParts(input)).toEqual([{ kind: "edit", path: "a.ts", before: "x", after: "y" }]);
  });
  it("loses nothing of an edit that it cannot read", () => {
    const parts = inputParts({ path: "a", edits: [{ newText: "y", range: "1:1" }] });
    expect(parts.map((part) => part.kind)).toEqual(["path", "rest"]);
    expect(JSON.stringify(parts)).toContain("1:1");
  });
  it("has a description as a line, unless it is long or hides characters", () => {
    const described = (description: unknown) => inputParts({ cmd: "ls", description }).slice(1);
    expect(described("Lists files")).toEqual([{ kind: "description", text: "Lists files" }]);
    for (const hidden of ["two\nlines", "turns \u202E round", "x".repeat(401), "  ", 5])
      expect(described(hidden)).toEqual([{ kind: "rest", json: JSON.stringify({ description: hidden }, null, 2) }]);
  });
  it("is a file, a path, addresses, or plain JSON", () => {
    expect(inputParts({ path: "a", content: "b" })).toEqual([{ kind: "file", path: "a", content: "b" }]);
    expect(inputParts({ path: "a" })).toEqual([{ kind: "path", label: "Path", paths: ["a"] }]);
    expect(inputParts({ urls: ["http://x"] })).toEqual([{ kind: "path", label: "Addresses", paths: ["http://x"] }]);
    expect(inputParts({ cmd: 5 })).toEqual([{ kind: "rest", json: '{\n  "cmd": 5\n}' }]);
    expect(inputParts({})).toEqual([]);
  });
});

describe("the URL", () => {
  const range = { from: new Date(1_795_300_000_000), to: new Date(1_795_300_060_000) };
  it("asks for what its chips say", () => {
    const filter = parseFilter('verdict:deny verdict:ask by:gate agent:"ci bot" rm -rf', filterKeys);
    const input = decisionsInput(range, filter, "newest");
    expect(input.filters).toMatchObject({ verdict: ["deny", "ask"], by: ["gate"], agent: ["ci bot"], text: "rm -rf" });
  });
  it.each([
    "by:nobody",
    `verdict:${"x".repeat(100)}`,
    "y ".repeat(400),
    Array(30)
      .fill(0)
      .map((_, n) => `tool:t${n}`)
      .join(" "),
  ])("never asks what the server refuses: %j", (text) =>
    expect(listDecisions.safeParse(decisionsInput(range, parseFilter(text, filterKeys), "oldest")).success).toBe(true),
  );
});

describe("words", () => {
  it.each(["user_approved_session", "user_approved_safe", "user_approved_balanced", "mode_strict"])(
    "know the source %s",
    (source) => expect(sourceWords(source).label).not.toBe(source),
  );
  it("name a source of tomorrow as the agent spelled it", () => {
    expect(sourceWords("constructor")).toMatchObject({ label: "constructor", tone: "unknown" });
    expect(sourceWords("tool_guard_hook_deny")).toMatchObject({ label: "tool_guard hook", tone: "deny" });
  });
  it("show an unknown verdict as unknown, never as allowed", () => {
    expect(verdictWords("toString")).toEqual({ tone: "unknown", word: "toString" });
    expect(verdictWords("")).toEqual({ tone: "unknown", word: "Not said" });
  });
});

describe("why", () => {
  const hook = (name: string, said: string, outcome = "completed") => ({
    policy: "guard",
    policyId: null,
    revision: 3,
    path: "hooks.pre_tool_use[0].hooks[0]",
    name,
    type: "command",
    outcome,
    said,
    startedMs: 0,
    durationMs: 1,
    stdout: "",
    stderr: "",
  });
  it("names the hook that said it, not one that only ran", () => {
    const hooks = [hook("logger", "nothing"), hook("guard", "deny"), hook("other", "failed", "failed")];
    expect(decidingHook("deny", hooks)?.name).toBe("guard");
    expect(decidingHook("ask", hooks)).toBeNull();
  });
  it("names the hook that failed when nothing else denied", () => {
    expect(decidingHook("deny", [hook("a", "nothing"), hook("b", "failed", "failed")])?.name).toBe("b");
  });
  it("gives a denial the words of the rule that denied, and each sent text its rule", () => {
    const output = { permission_decision: "ask", permission_decision_reason: "A person decides." };
    const asks = { ...hook("publishing", "ask"), stdout: JSON.stringify({ hook_specific_output: output }) };
    const denies = { ...hook("no force", "deny", "refused"), exitCode: 2, stderr: "Open a pull request.\n" };
    const hooks = [asks, denies];
    const deciding = decidingHook("deny", hooks);
    expect(deciding).toBe(denies);
    // The sentence of a release that mixed them up does not matter.
    expect(decidingReason({ reason: 'Denied by "no force" (guard, a): A person decides.' }, denies)).toBe(
      "Open a pull request.",
    );
    expect(findHooksInText("Open a pull request.", hooks)).toEqual([denies]);
    expect(findHooksInText("A person decides.", hooks)).toEqual([asks]);
    const builtin = hook("guard", "deny");
    expect(decidingReason({ reason: 'Denied by "guard" (safe revision 1, a): Never.' }, builtin)).toBe("Never.");
    expect(decidingReason({ reason: 'Denied by "other" (safe revision 1, a): Never.' }, builtin)).toBeNull();
  });
  it("reads a judge's reason in its reply", () => {
    const judge = { model: "openai/x", reply: 'Sure: {"decision":"deny","reason":"Too wide."}' };
    expect(hookReason({ ...hook("judge", "deny"), judge })).toBe("Too wide.");
  });
  it("says honestly that a final decision without a gate was not made here", () => {
    const base = {
      kind: "final",
      verdict: "deny",
      event: "on_tool_approval_decision",
      reason: "",
      hooks: [],
      callRecords: [],
    } as const;
    expect(whyOf({ ...base, source: "pre_tool_use_hook_deny" }).note).toContain(
      "This console did not run the hook that decided",
    );
    expect(whyOf({ ...base, source: "user_rejected" }).sentence).toContain("person");
    expect(whyOf({ ...base, source: "user_rejected" }).note).toContain("does not report which person");
  });
  it("tells when an agent went on after a denial", () => {
    const record = (event: string, decision: object | null) =>
      ({
        event,
        decision,
        occurredAt: new Date(0),
        id: event,
        lane: "default",
        origin: "dispatch",
        verdict: "none",
        toolError: null,
        durationUs: 0,
      }) as CallRecordView; // holds: every field is there
    const allowed = record("on_tool_approval_decision", { kind: "final", verdict: "allow", source: "yolo" });
    const denied = record("on_tool_approval_decision", { kind: "final", verdict: "deny", source: "user_rejected" });
    const gate = { kind: "gate", verdict: "deny" } as const;
    expect(ignoredVerdict({ ...gate, callRecords: [allowed, record("post_tool_use", null)] })).toContain(
      "the tool ran",
    );
    expect(ignoredVerdict({ ...gate, callRecords: [denied, record("tool_response_transform", null)] })).toBeNull();
    expect(ignoredVerdict({ ...gate, verdict: "ask", callRecords: [allowed] })).toBeNull();
  });
});

describe("a gate's reason", () => {
  it.each([
    ['Denied by "no rm" (guard revision 3, hooks.pre_tool_use[0].hooks[0]): not here.', "no rm", "not here."],
    ['Denied because "ask \\"x\\"" (hooks.a[0]) failed: exited with status 7.', 'ask \\"x\\"', "exited with status 7."],
    ['A person is asked by "installs" (guard revision 1, hooks.a[0]).', "installs", ""],
    ["Denied: the server could not record.", null, "Denied: the server could not record."],
    ["", null, ""],
  ])("in %j names its hook", (reason, hook, said) => expect(reasonParts(reason)).toEqual({ hook, said }));
});

describe("the decider of a gate", () => {
  const words = (reason: string) => deciderWords({ kind: "gate", source: "pre_tool_use_hook_lifted", reason });
  const at = '"no-fetch" (guard revision 1, hooks.pre_tool_use[0].hooks[0])';
  it("is the exception that lifted a verdict, with whoever made it", () => {
    expect(words(`Not denied by ${at}: exception EX-12 of Ada.`)).toBe("exception EX-12 of Ada");
    expect(words(`Nobody is asked by ${at}: exception EX-7 of Bo Li, and by 2 more.`)).toBe("exception EX-7 of Bo Li");
    expect(words(`Not denied by ${at}: an exception of Ada.`)).toBe("an exception of Ada");
  });
  it("is no exception that a hook only speaks of", () => {
    expect(words(`Denied by ${at}: exception EX-12 of Ada.`)).toBe("no-fetch");
  });
});
