import { lstat, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repetitions } from "../../../../e2e/fixtures/long-run.ts";
import { manualClock } from "../../conformance/manual-clock.ts";
import { type Builtin, builtinKind, createExecutor, type HooksConfig, PROFILES, withFlags } from "../../index.ts";
import { limitLargeToolResults } from "./limit-large-tool-results.ts";
import { segmentOf } from "./spill.ts";

let base: string;
let tempDir: string;
let results: string;
const logged: string[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), "spill-test-"));
  tempDir = join(base, "tmp");
  results = join(tempDir, "docker-agent-tool-results");
  await mkdir(tempDir);
  await writeFile(join(base, "outside.txt"), "keep me");
  await writeFile(join(tempDir, "beside.txt"), "keep me");
  logged.length = 0;
});
afterEach(() => rm(base, { recursive: true, force: true }));

const LARGE = `${"x".repeat(51_200)}\n`;
const answer = (session_id: string, tool_response: unknown) => ({
  event: "tool_response_transform" as const,
  input: { session_id, tool_name: "shell", tool_category: "shell", tool_response },
});

const redactor: Builtin = {
  name: "redact_secrets",
  run: ({ input: { tool_response } }) => {
    if (typeof tool_response !== "string") return null;
    const updated_tool_response = tool_response.replaceAll("hunter2", "[REDACTED]");
    return updated_tool_response === tool_response ? null : { hook_specific_output: { updated_tool_response } };
  },
};
function executor(config: HooksConfig = withFlags({}, {}), profile: (typeof PROFILES)[number] = "2026-07") {
  const kind = builtinKind([limitLargeToolResults({ tempDir }), redactor], { log: (_name, text) => logged.push(text) });
  return createExecutor({ config, profile, kinds: [kind], clock: manualClock(), workingDir: "/" });
}
const limited = async (session: string, text: string) =>
  (await executor().dispatch(answer(session, text))).result.updated_tool_response;
const end = (session_id: string) => executor().dispatch({ event: "session_end", input: { session_id } });
const pathIn = (text: string | null) => /available in a file: (.+)\n/.exec(text ?? "")?.[1] ?? "";

describe("redaction comes before truncation", () => {
  it.each(PROFILES)("neither the end that is shown nor the file holds what was redacted (%s)", async (profile) => {
    const text = `the password is hunter2\n${LARGE}the password is hunter2\n`;
    for (const config of [
      withFlags({}, {}),
      { tool_response_transform: withFlags({}, {}).tool_response_transform?.toReversed() ?? [] },
    ]) {
      const { result, hooks } = await executor(config, profile).dispatch(answer("s", text));
      expect(result.updated_tool_response).toMatch(/^Tool call result was too large \(51255 bytes/);
      expect(result.updated_tool_response).toMatch(/the password is \[REDACTED\]\n$/);
      const file = await readFile(pathIn(result.updated_tool_response), "utf8");
      expect(file).toBe(text.replaceAll("hunter2", "[REDACTED]"));
      expect(hooks.map(({ said }) => said)).toEqual(["rewrite", "rewrite"]);
    }
  });

  it.each(PROFILES)("a small answer is redacted and not cut (%s)", async (profile) => {
    const { result } = await executor(undefined, profile).dispatch(answer("s", "hunter2"));
    expect(result.updated_tool_response).toBe("[REDACTED]");
  });
});

describe("a session id names its own folder and nothing else", () => {
  const HOSTILE = [
    "..",
    ".",
    "...",
    "../..",
    "a/../../b",
    "/",
    "\\",
    "..%2F",
    "%2e%2e",
    "a\0b",
    "",
    " ",
    "~",
    "*",
    "-rf",
    "unknown/",
    "é/😀",
    "\ud800",
    "x".repeat(5_000),
    "CON",
    "a:b",
    "\n",
    "results\n..",
    "%",
    "@",
  ];

  it.each(HOSTILE.map((id) => [id.slice(0, 20), id]))(
    "%j: its file is in its folder, and its end deletes only that",
    async (_start, id) => {
      const mine = pathIn(await limited(id, LARGE));
      const others = pathIn(await limited("somebody-else", LARGE));
      expect(dirname(dirname(mine))).toBe(results);
      expect(await realpath(mine)).toBe(mine);
      await end(id);
      await expect(lstat(mine)).rejects.toThrow("ENOENT");
      expect(await readFile(others, "utf8")).toBe(LARGE);
      expect((await readdir(tempDir)).sort()).toEqual(["beside.txt", "docker-agent-tool-results"]);
      expect(await readdir(base)).toContain("outside.txt");
      await end(id);
      expect(logged).toEqual([]);
    },
  );

  it("any two ids have two folders, each a single harmless path segment", () => {
    const anyId = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(".", "/", "%", "2", "E", "@", "~", "\ud800", "é") }),
      fc.constantFrom(...HOSTILE),
    );
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        const [one, two] = [segmentOf(a), segmentOf(b)];
        for (const segment of [one, two]) {
          expect(segment).toMatch(/^[A-Za-z0-9%@._~-]{1,200}$/);
          expect(segment).not.toMatch(/^\.+$/);
          expect(join(results, segment)).toBe(`${results}/${segment}`);
        }
        // An absent id shares the folder that is called what it is.
        if (a !== b && a !== "" && b !== "") expect(one).not.toBe(two);
      }),
      { numRuns: repetitions(250, 5_000) },
    );
  });
});

describe("the folder is ours", () => {
  it("files are for us alone", async () => {
    const path = pathIn(await limited("s", LARGE));
    const bits = async (of: string) => ((await stat(of)).mode & 0o777).toString(8);
    expect(await Promise.all([path, dirname(path), results].map(bits))).toEqual(["600", "700", "700"]);
  });

  it("a link or a folder open to others at the foreseeable place is not used, and nothing behind it is deleted", async () => {
    const trap = join(base, "trap");
    await mkdir(join(trap, "s"), { recursive: true });
    await writeFile(join(trap, "s", "precious.txt"), "x");
    await symlink(trap, results);
    expect(await limited("s", LARGE)).toBeNull();
    await end("s");
    expect(await readdir(join(trap, "s"))).toEqual(["precious.txt"]);
    expect(logged).toEqual([`the answer stays as it is: ${results} belongs to somebody else, or is not a directory`]);

    await rm(results);
    await mkdir(results, { mode: 0o777 });
    await symlink(join(trap, "s"), join(results, "s"));
    expect(await limited("s", LARGE)).toBeNull();
    await rm(results, { recursive: true });
    await mkdir(results, { mode: 0o700 });
    await symlink(join(trap, "s"), join(results, "s"));
    expect(await limited("s", LARGE)).toBeNull();
    await end("s");
    expect(await readdir(join(trap, "s"))).toEqual(["precious.txt"]);
  });

  it("an answer that cannot be written stays whole", async () => {
    await rm(tempDir, { recursive: true });
    expect(await limited("s", LARGE)).toBeNull();
    expect(logged[0]).toContain("the answer stays as it is: ENOENT");
  });
});

describe("what is shown", () => {
  const shownOf = (text: string | null) => text?.split("(up to 51200 bytes):\n\n")[1] ?? "";

  it("is the end, whole characters, at most 2000 lines and 51200 bytes; the file is the answer byte for byte", async () => {
    const piece = fc.oneof(
      fc.constantFrom("\n", "é", "€", "😀", "ab", "\r\n"),
      fc.string({ unit: "grapheme", maxLength: 5 }),
    );
    const text = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 6_000 }));
    await fc.assert(
      fc.asyncProperty(text, async ([pieces, times]) => {
        const whole = pieces.join("").repeat(times);
        const lines = whole === "" ? 0 : whole.split("\n").length - (whole.endsWith("\n") ? 1 : 0);
        const said = await limited("s", whole);
        expect(said !== null).toBe(Buffer.byteLength(whole) > 51_200 || lines > 2_000);
        if (said === null) return;
        const shown = shownOf(said);
        expect(whole.endsWith(shown)).toBe(true);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(51_200);
        const shownLines = shown.split("\n").length - (shown.endsWith("\n") ? 1 : 0);
        expect(shownLines).toBeLessThanOrEqual(2_000);
        // Not less than fits: the last 2000 lines, or all but a character of the last 51200 bytes.
        if (shownLines < 2_000) expect(Buffer.byteLength(shown)).toBeGreaterThan(51_196);
        expect(await readFile(pathIn(said), "utf8")).toBe(whole);
      }),
      { numRuns: repetitions(15, 300) },
    );
  });

  it("other categories, structured answers and other events are left alone", async () => {
    for (const tool_category of [undefined, "", "memory", "Shell", "filesystem "]) {
      const { event, input } = answer("s", LARGE);
      const { result } = await executor().dispatch({ event, input: { ...input, tool_category } });
      expect(result.updated_tool_response).toBeNull();
    }
    expect((await executor().dispatch(answer("s", { text: LARGE }))).result.updated_tool_response).toBeNull();
    expect(await readdir(tempDir)).toEqual(["beside.txt"]);
  });
});
