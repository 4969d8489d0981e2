/** Texts as a viewer may send them. Real threads. */
import { describe, expect, it } from "vitest";
import { AppError } from "../../errors/app-error.ts";
import { textWorkers } from "../../platform/worker-pool.ts";
import { checkInWorker, previewImport, readText, SMALL_CHARACTERS } from "./read-in-worker.ts";
import { checkPolicy, readPolicy } from "./source.ts";

const hook = "    - { type: command, command: 'true' }\n";
const policy = (hooks: number) => `hooks:\n  stop:\n${hook.repeat(hooks)}`;
const keys = `hooks: {${Array.from({ length: 40_000 }, (_, at) => `k${at}: 1`)}}\n`;

describe("a text", () => {
  it("that is small is read here; any other on a thread, with the same result", async () => {
    const [small, large] = [policy(1), policy(500)];
    expect(large.length).toBeGreaterThan(SMALL_CHARACTERS);
    const before = textWorkers().load.running;
    const here = readText("ada", small);
    expect(textWorkers().load.running).toBe(before);
    const there = readText("ada", large);
    expect(textWorkers().load.running).toBe(before + 1);
    expect(await here).toEqual(readPolicy(small));
    expect(await there).toEqual(readPolicy(large));
    expect(await checkInWorker("ada", { source: large })).toEqual(checkPolicy(large));
  });

  it.each<[string, string, RegExp]>([
    ["40,000 keys", keys, /more than 5,000 keys/],
    ["100,000 empty items", `hooks:\n  stop:\n${"    -\n".repeat(100_000)}`, /more than 20,000 items/],
    ["200,000 brackets", `hooks: ${"[".repeat(200_000)}`, /deeper than 64 levels/],
    ["an alias to itself", "hooks: &a\n  stop: [*a]\n", /refers to a value that contains it/],
    ["a key twice", "hooks:\n  stop: []\n  stop: []\n", /Line 3: The key "stop" is repeated/],
  ])("of %s is no import, and is refused in words", async (_what, source, says) => {
    const refused = await previewImport("ada", { source }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: "invalid_input", message: expect.stringMatching(says) });
  });

  it("with a key that every object has is taken like any other", async () => {
    const agents = ["a", "b"].map((name) => `  ${name}:\n    hooks:\n      constructor: [1]\n      __proto__: [2]\n`);
    const { source, check } = await previewImport("ada", { source: `agents:\n${agents.join("")}` });
    expect(source).toContain("constructor");
    expect(check.problems.map(({ message }) => message)).toContainEqual(expect.stringContaining("constructor"));
  });

  it("of 3,000 agents with the same event is joined in one pass", async () => {
    const agent = (at: number) => `  a${at}: {hooks: {stop: [{type: command, command: x${at}}]}}\n`;
    const source = `agents:\n${Array.from({ length: 3_000 }, (_, at) => agent(at)).join("")}`;
    const { source: joined } = await previewImport("ada", { source });
    expect(joined.match(/command: x/g)).toHaveLength(3_000);
  });
});
