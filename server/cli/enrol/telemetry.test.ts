/** The telemetry of clients in their own files: sent to the console, with the key in no settings, and taken back. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ANSWER_KEY,
  BEARER,
  createEnrolmentHome,
  type EnrolmentHome,
  KEY,
  URL,
} from "../../../e2e/fixtures/enrolment-home.ts";

let at: EnrolmentHome;
let base: string;
let home: string;
beforeEach(async () => {
  at = await createEnrolmentHome();
  ({ base, home } = at);
});
afterEach(() => at.remove());

const enrol: EnrolmentHome["enrol"] = (...args) => at.enrol(...args);
const write: EnrolmentHome["write"] = (...args) => at.write(...args);
const snapshot: EnrolmentHome["snapshot"] = (...args) => at.snapshot(...args);
const json: EnrolmentHome["readJson"] = (...args) => at.readJson(...args);

describe("telemetry", () => {
  const OTEL = `OTEL_EXPORTER_OTLP_HEADERS="Authorization=Bearer ${BEARER}" # quarterdeck\n`;
  const ANOTHER = `qd_${"a".repeat(43)}`;

  test("of Claude Code goes to the console, with the key in no settings", async () => {
    await write("home/.claude/settings.json", '{"env":{"EDITOR":"vi"}}');
    expect(await enrol(["claude-code"])).toMatchObject({ code: 0 });
    const { env, otelHeadersHelper } = await json("home/.claude/settings.json");
    expect(env).toMatchObject({
      EDITOR: "vi",
      CLAUDE_CODE_ENABLE_TELEMETRY: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${URL}/api/otlp`,
      OTEL_LOG_USER_PROMPTS: "0",
    });
    const { stdout } = await execa("sh", ["-c", otelHeadersHelper], { env: { HOME: home } });
    expect(JSON.parse(stdout)).toEqual({ Authorization: `Bearer ${BEARER}` });
    await enrol(["claude-code", "--remove"]);
    expect(await json("home/.claude/settings.json")).toEqual({ env: { EDITOR: "vi" } });
  });

  test.each([
    [
      "codex",
      ".codex/config.toml",
      'model = "m"\n\n[otel]\nenvironment = "dev"\n',
      `Authorization = "Bearer ${BEARER}"`,
    ],
    ["gemini", ".gemini/.env", "export GEMINI_API_KEY=abc # mine\n", OTEL],
  ])(
    "of %s has the key in a file that is closed, and is taken back to the last byte",
    async (client, name, text, line) => {
      const path = await write(`home/${name}`, text, 0o644);
      const before = await snapshot(home);
      const first = await enrol([client]);
      expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("0644 to 0600") });
      expect(first.stdout).toContain("Bearer (the key, not shown)");
      expect(first.stdout).not.toContain(BEARER);
      expect(await readFile(path, "utf8")).toContain(line);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect((await enrol([client])).stderr).toContain("Nothing to do");

      await enrol([client], { QUARTERDECK_KEY: `${ANOTHER}_${ANSWER_KEY}` });
      const replaced = await readFile(path, "utf8");
      expect(replaced).toContain(`Bearer ${ANOTHER}`);
      expect(replaced).not.toContain(BEARER);
      expect(await enrol([client, "--remove"])).toMatchObject({ code: 0 });
      expect(await snapshot(home)).toEqual(before);
    },
  );

  test("uses the key of a machine that joined", async () => {
    await write("home/.config/quarterdeck/header", `Authorization: Bearer ${KEY}\n`, 0o600);
    const before = await snapshot(home);
    expect(await enrol(["gemini"], { QUARTERDECK_KEY: "" })).toMatchObject({ code: 0 });
    expect(await readFile(join(home, ".gemini/.env"), "utf8")).toBe(OTEL);
    await enrol(["gemini", "--remove"]);
    expect(await snapshot(home)).toEqual(before);
  });

  test.each([
    ["claude-code", ".claude/settings.json", '{"env":{"OTEL_EXPORTER_OTLP_ENDPOINT":"https://other.example"}}'],
    ["codex", ".codex/config.toml", 'otel = { exporter = "none" }\n'],
    ["gemini", ".gemini/settings.json", '{"telemetry":{"otlpEndpoint":"https://other.example"}}'],
    ["gemini", ".gemini/.env", "OTEL_EXPORTER_OTLP_HEADERS=x=y\n"],
  ])("of %s stays where it goes already: %s", async (client, name, text) => {
    const path = await write(`home/${name}`, text);
    const { code, stderr } = await enrol([client]);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`${path} names another receiver of telemetry`),
    });
    expect(Object.values(await snapshot(home)).join("")).not.toContain("/api/otlp");
    await enrol([client, "--remove"]);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  test.each(["claude-code", "codex", "gemini"])("of %s is left out when nobody wants it", async (client) => {
    await enrol([client, "--no-telemetry"]);
    expect(Object.values(await snapshot(home)).join("")).not.toMatch(/otlp|otel/i);
    await enrol([client, "--remove"]);
    expect(await snapshot(home)).toEqual({});
  });

  test.each(["claude-code", "codex", "gemini"])("of %s is in no file of a project", async (client) => {
    await enrol([client, "--project"]);
    expect(Object.values(await snapshot(join(base, "project"))).join("")).not.toMatch(/otlp|otel/i);
  });
});
