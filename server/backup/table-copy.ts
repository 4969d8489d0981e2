/** One table as COPY text: out of the database, into it, and the hash that says both are the same. */
import { createHash } from "node:crypto";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from, to } from "pg-copy-streams";
import { quoted, type Table } from "./catalogue.ts";

/** Hashes and counts what passes. COPY text has one line a row: a line end inside a value is escaped. */
function measuring() {
  const hash = createHash("sha256");
  let rows = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) rows += 1;
      done(null, chunk);
    },
  });
  return { stream, read: () => ({ rows, sha256: hash.digest("hex") }) };
}

export interface Measured {
  readonly rows: number;
  readonly sha256: string;
}

/** Writes the table's rows, in the order of its key, through `sinks`. */
export async function copyOut(
  client: Client,
  { name, columns, key }: Table,
  ...sinks: NodeJS.ReadWriteStream[] | [...NodeJS.ReadWriteStream[], NodeJS.WritableStream]
): Promise<Measured> {
  const order =
    key.length === 0 ? "1" : key.map(({ name, isText }) => `${quoted(name)}${isText ? ' COLLATE "C"' : ""}`).join(", ");
  const listed = columns.map(quoted).join(", ");
  const source = client.query(to(`COPY (SELECT ${listed} FROM ${quoted(name)} ORDER BY ${order}) TO STDOUT`));
  const measured = measuring();
  await pipeline([Readable.from(source), measured.stream, ...(sinks.length === 0 ? [nowhere()] : sinks)]);
  return measured.read();
}

/** Reads COPY text into the table. */
export async function copyIn(
  client: Client,
  table: Omit<Table, "key" | "texts">,
  source: AsyncIterable<unknown>,
  ...through: NodeJS.ReadWriteStream[]
): Promise<Measured> {
  const listed = table.columns.map(quoted).join(", ");
  const measured = measuring();
  await pipeline([
    Readable.from(source),
    ...through,
    measured.stream,
    client.query(from(`COPY ${quoted(table.name)} (${listed}) FROM STDIN`)),
  ]);
  return measured.read();
}

function nowhere(): Transform {
  return new Transform({ transform: (_chunk, _encoding, done) => done() }).resume();
}
