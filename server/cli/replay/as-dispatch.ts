import { sessionLines } from "./lines.ts";
import type { Pace } from "./pace.ts";
import { errorOf, type Poster } from "./post.ts";
import { type ReplayCounts, verdictIn } from "./replay-counts.ts";

/** Sends each line of `file` to its hook, one after the other, as the agent did. */
export async function dispatchFile(file: string, poster: Poster, pace: Pace, outcome: ReplayCounts): Promise<void> {
  for await (const line of sessionLines(file)) {
    if ("problem" in line) {
      outcome.refuseLine(line);
      continue;
    }
    await pace.until(line.atMs);
    // One line is one dispatch: a session has a line for each gate that was asked.
    const lane = line.event === "pre_tool_use" ? "?lane=default" : "";
    const path = `/api/v1/hooks/${encodeURIComponent(line.event)}${lane}`;
    const answer = await poster.post(path, "application/json", line.inputText, { "idempotency-key": line.eventId });
    if (answer.status !== 200) {
      const error = errorOf(answer.body);
      outcome.refuse(line.place, error?.code ?? `http_${answer.status}`, error?.message ?? "It was refused.");
      continue;
    }
    if (answer.headers["idempotency-replayed"] === "true") outcome.repeated += 1;
    else outcome.stored += 1;
    outcome.verdicts[verdictIn(answer.body)] += 1;
  }
}
