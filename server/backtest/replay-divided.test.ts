import { expect, it } from "vitest";
import { AppError } from "../errors/app-error.ts";
import { replayDivided } from "./replay-divided.ts";
import type { ReplayRow } from "./replay-row.ts";
import type { ReplayedChunk } from "./replay-tasks.ts";
import { EMPTY_TALLY } from "./tally-schema.ts";

const row = (id: string): ReplayRow => ({
  ...{ id, atMs: 0, agentId: "a", agentName: "root", sessionId: "s", event: "pre_tool_use", lane: "default" },
  ...{ tool_name: "shell", has_early: false, asks_early: false, input: "{}", marks: {} },
});
const ROWS = ["1", "2", "3", "4", "5", "6", "7"].map(row);

const counted = (rows: readonly ReplayRow[]): ReplayedChunk => ({
  tally: { ...EMPTY_TALLY, unchanged: rows.length },
  flips: rows.map(({ id }) => ({ id, family: "", rule: "", from: "none", to: "deny", isLooser: false })),
  candidates: [],
});

it("does not know the row that takes too long, and keeps all others in order", async () => {
  const asked: number[] = [];
  const { tally, flips } = await replayDivided(ROWS, async (rows) => {
    asked.push(rows.length);
    if (rows.some(({ id }) => id === "5")) throw new AppError("too_costly");
    return counted(rows);
  });
  expect(tally).toMatchObject({ unchanged: 6, unknown: { busy: 1 } });
  expect(flips.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "6", "7"]);
  expect(Math.max(...asked.slice(1))).toBe(4);
});

it("passes every other failure on", async () => {
  const failing = () => Promise.reject(new AppError("busy"));
  await expect(replayDivided(ROWS, failing)).rejects.toMatchObject({ code: "busy" });
});
