/** The share of judge calls that reused verdicts save on recorded sessions. Measured where the recordings are present. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelQuestion, questionOf, redactText, replySchemas } from "@quarterdeck/hooks";
import { expect, test } from "vitest";
import { z } from "zod";
import { ALLOW_TTL_MS, createVerdictCache, OTHER_TTL_MS, questionKey } from "./verdict-cache.ts";

const SESSIONS = join(import.meta.dirname, "../../../shared/data/sessions");
const line = z.looseObject({
  event: z.string(),
  at_ms: z.number(),
  input: z.looseObject({ tool_name: z.string().optional() }),
});
const SCHEMA = "pre_tool_use_decision";
const PROMPT = "May it run? {{ toJSON .ToolName }}\n{{ fenced .ToolInput }}";

/** Each tool call of a file in its order, put to one judge that gives every call the same verdict. */
async function savedIn(file: string, isAllow: boolean): Promise<{ calls: number; saved: number }> {
  const schema = replySchemas()(SCHEMA);
  if (!schema?.shape) throw new Error("no schema");
  let nowMs = 1;
  const cache = createVerdictCache(() => nowMs);
  const sums = { calls: 0, saved: 0 };
  for (const text of readFileSync(join(SESSIONS, file), "utf8").trim().split("\n")) {
    const { event, at_ms, input } = line.parse(JSON.parse(text));
    if (event !== "pre_tool_use") continue;
    nowMs = at_ms + 1;
    const asked = await questionOf({ prompt: PROMPT, schema, input, profile: "2026-11" }, redactText);
    const asker = { origin: { policy: "p", revision: 1 }, path: "hooks.pre_tool_use[0].hooks[0]", name: "judge" };
    const question: ModelQuestion = { ...asked, schema: schema.shape, model: "p/m", asker, timeoutMs: 1_000 };
    const key = questionKey(question, { workspaceId: "w", version: "1" }) ?? "";
    sums.calls += 1;
    if (cache.find(key)) sums.saved += 1;
    else cache.keep(key, { text: "{}", model: "m" }, isAllow);
  }
  return sums;
}

test.runIf(existsSync(SESSIONS))("reused verdicts save a part of the calls of recorded sessions", async () => {
  const shares = new Map<boolean, { calls: number; saved: number }>();
  for (const isAllow of [true, false]) {
    const all = await Promise.all(readdirSync(SESSIONS).map((file) => savedIn(file, isAllow)));
    shares.set(isAllow, {
      calls: all.reduce((sum, { calls }) => sum + calls, 0),
      saved: all.reduce((sum, { saved }) => sum + saved, 0),
    });
  }
  const [allow, other] = [shares.get(true), shares.get(false)];
  console.info(
    `reused verdicts: allows (${ALLOW_TTL_MS} ms) save ${allow?.saved} of ${allow?.calls} calls, others (${OTHER_TTL_MS} ms) ${other?.saved}`,
  );
  expect(allow?.saved).toBeGreaterThan(0);
  expect(other?.saved).toBeGreaterThanOrEqual(allow?.saved ?? 0);
});
