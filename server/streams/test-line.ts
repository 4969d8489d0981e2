/** A test event, which is in no record: `0.0` is the place of none. */
import { lineOf, type StreamLine } from "./formats/format.ts";
import type { StreamFormat } from "./schema.ts";

const NO_HASH = "0".repeat(64);

export function createTestLine(workspaceId: string, format: StreamFormat, at: Date): StreamLine {
  const instant = at.toISOString();
  const body = { kind: "stream_tested", says: "A test event from Quarterdeck." };
  const act = { entry: "stream_tested", target: null, actor: null, ip: null, userAgent: null, body };
  return lineOf(format, {
    ...{ workspaceId, position: { seq: 0, place: 0 }, kind: "administration", hash: NO_HASH },
    ...{ at: instant, recordedAt: instant, agent: null, act },
  });
}
