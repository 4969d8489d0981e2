import { z } from "zod";
import { BODY_BYTES_MAX, REPORT_EVENTS_MAX, reportLineView } from "../../dispatches/schema.ts";
import { type SessionLine, sessionLines } from "./lines.ts";
import type { Pace } from "./pace.ts";
import { errorOf, type Poster } from "./post.ts";
import type { ReplayCounts } from "./replay-counts.ts";

/** The maximum time that a batch waits for the next due line. */
const WAIT_MS_MAX = 250;
const reported = z.looseObject({ results: z.array(reportLineView) });

/** Reports the lines of `file` in batches, dated so that its last one happens now. */
export async function reportFile(file: string, poster: Poster, pace: Pace, outcome: ReplayCounts): Promise<void> {
  const baseMs = Date.now() - (await lastMs(file));
  let batch: { line: SessionLine; text: string }[] = [];
  let bytes = 0;

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    await send(batch, poster, outcome);
    batch = [];
    bytes = 0;
  }

  for await (const line of sessionLines(file)) {
    if ("problem" in line) {
      outcome.refuseLine(line);
      continue;
    }
    if (pace.dueInMs(line.atMs) > WAIT_MS_MAX) await flush();
    await pace.until(line.atMs);
    const head = JSON.stringify({
      event_id: line.eventId,
      event: line.event,
      occurred_at: new Date(baseMs + line.atMs).toISOString(),
    });
    const text = `${head.slice(0, -1)},"input":${line.inputText}}\n`;
    const size = Buffer.byteLength(text);
    if (batch.length === REPORT_EVENTS_MAX || bytes + size > BODY_BYTES_MAX) await flush();
    batch.push({ line, text });
    bytes += size;
  }
  await flush();
}

async function send(batch: readonly { line: SessionLine; text: string }[], poster: Poster, outcome: ReplayCounts) {
  const body = batch.map(({ text }) => text).join("");
  const answer = await poster.post("/api/v1/events", "application/x-ndjson", body);
  const results = resultsIn(answer.body);
  if (results === null) {
    const error = errorOf(answer.body);
    const [code, message] = [error?.code ?? `http_${answer.status}`, error?.message ?? "The report was refused."];
    for (const { line } of batch) outcome.refuse(line.place, code, message);
    return;
  }
  for (const { index, status, error } of results) {
    if (status === "stored") outcome.stored += 1;
    else if (status === "repeated") outcome.repeated += 1;
    else outcome.refuse(batch[index]?.line.place ?? "?", error?.code ?? "refused", error?.message ?? "It was refused.");
  }
}

function resultsIn(body: string): z.infer<typeof reported>["results"] | null {
  try {
    return reported.parse(JSON.parse(body)).results;
  } catch {
    return null;
  }
}

async function lastMs(file: string): Promise<number> {
  let last = 0;
  for await (const line of sessionLines(file)) if ("atMs" in line && line.atMs > last) last = line.atMs;
  return last;
}
