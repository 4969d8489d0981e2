/** Events as one Parquet file: a row for each, with its place, kind, times and hash, and the whole event as JSON. Pure. */
import { parquetWriteBuffer } from "hyparquet-writer";
import { eventId } from "../digest.ts";
import type { StreamLine } from "../formats/format.ts";

/** The same events give the same bytes. */
export function parquetFile(lines: readonly StreamLine[]): Buffer {
  const text = (name: string, of: (line: StreamLine) => string) =>
    ({ name, type: "STRING", nullable: false, data: lines.map(of) }) as const;
  const time = (name: string, of: (line: StreamLine) => string) =>
    ({ name, type: "TIMESTAMP", nullable: false, data: lines.map((line) => new Date(of(line))) }) as const;
  return Buffer.from(
    parquetWriteBuffer({
      columnData: [
        text("id", ({ position }) => eventId(position)),
        text("kind", ({ kind }) => kind),
        time("at", ({ at }) => at),
        time("recorded_at", ({ recordedAt }) => recordedAt),
        text("hash", ({ hash }) => hash),
        { name: "event", type: "JSON", nullable: false, data: lines.map(({ object }) => object) },
      ],
      createdBy: "quarterdeck",
    }),
  );
}
