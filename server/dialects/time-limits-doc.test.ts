/** The time limits that docs/approvals.md names, held against the files that an enrolment writes. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { clientTitle, ENROLLED_CLIENT_NAMES, type EnrolledClient } from "./schema.ts";

const DOCUMENT = readFileSync(new URL("../../docs/approvals.md", import.meta.url), "utf8");

/** The hook before a tool runs. */
const GATES: Readonly<Record<EnrolledClient, string>> = {
  ...{
    "docker-agent": "pre_tool_use",
    "claude-code": "PreToolUse",
    codex: "PreToolUse",
    copilot: "PreToolUse",
    cursor: "preToolUse",
  },
  ...{ gemini: "BeforeTool", qwen: "PreToolUse", cline: "PreToolUse", opencode: "pre_tool_use" },
};

const IN_MILLISECONDS: ReadonlySet<EnrolledClient> = new Set(["gemini", "qwen"]);

const hook = z.object({ command: z.string(), timeout: z.number() });
const group = z.object({ hooks: z.tuple([hook]) }).transform(({ hooks: [only] }) => only);
const settings = z.object({ hooks: z.record(z.string(), z.tuple([z.union([hook, group])])) });
const plugin = z.object({ forAPerson: z.object({ relay: z.number(), wait: z.number() }) });

interface Limits {
  /** Seconds; null where the file writes none. */
  readonly client: number | null;
  readonly relay: number;
  readonly wait: number;
}

/** Of the command of a hook. */
function limitsOf(command: string, client: number | null): Limits {
  const [, relay = 0, wait = 0] = / (?:exit|print|permission|cancel|ignore|verdict) (\d+) (\d+)\b/.exec(command) ?? [];
  return { client, relay: Number(relay), wait: Number(wait) };
}

function writtenLimits(name: EnrolledClient): Limits {
  const files = CLIENT_ENROLMENTS[name]({ url: "https://quarterdeck.example.com", scope: "user" });
  const text = (end: string) => files.find(({ path }) => path.endsWith(end))?.content ?? "";
  if (name === "cline") return limitsOf(text(`/${GATES.cline}`), null);
  if (name === "opencode") {
    const [, json = ""] = /const SECONDS = (.*);/.exec(text(".js")) ?? [];
    return { client: null, ...plugin.parse(JSON.parse(json)).forAPerson };
  }
  if (name === "docker-agent") {
    const [gate] = z.record(z.string(), z.array(z.unknown())).parse(parse(text(".yaml")))[GATES[name]] ?? [];
    const { command, timeout } = group.parse(gate);
    return limitsOf(command, timeout);
  }
  const [gate] = settings.parse(JSON.parse(files[0]?.content ?? "")).hooks[GATES[name]] ?? [];
  const { command, timeout } = hook.parse(gate);
  return limitsOf(command, IN_MILLISECONDS.has(name) ? timeout / 1_000 : timeout);
}

it.each(ENROLLED_CLIENT_NAMES)("those of %s", (name) => {
  const { client, relay, wait } = writtenLimits(name);
  const row = DOCUMENT.split("\n").find((line) => line.startsWith(`| ${clientTitle(name)} |`)) ?? "";
  const [, , , limit = "", gateway = "", person = ""] = row.split("|").map((cell) => cell.trim());
  expect(limit).toMatch(client === null ? /^none/ : new RegExp(`^${client} s(,|$)`));
  expect(gateway).toBe(`${relay} s`);
  expect(person).toMatch(wait === 0 ? /^none/ : new RegExp(`^${wait} s$`));
});
