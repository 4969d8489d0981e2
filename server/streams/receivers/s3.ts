/**
 * Receivers that store files: one for each request, in a bucket of an S3-compatible store. The file's name is made of the
 * first and the last event, so that a repeated request writes the same file again.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { AwsV4Signer } from "aws4fetch";
import { createOutgoing } from "../../platform/outgoing/outgoing.ts";
import type { StreamLine } from "../formats/format.ts";
import type { FileType, Position } from "../schema.ts";
import { outcomeOfError, outcomeOfStatus } from "./http-outcome.ts";
import { parquetFile } from "./parquet.ts";
import type { Receiver, ReceiverSettings } from "./receiver.ts";

const compress = promisify(gzip);
const SEQ_DIGITS = 12;
const PLACE_DIGITS = 5;

interface FileWriter {
  readonly extension: string;
  readonly contentType: string;
  readonly write: (lines: readonly StreamLine[]) => Promise<Buffer>;
}
const WRITERS: Readonly<Record<FileType, FileWriter>> = {
  ndjson: {
    ...{ extension: "ndjson.gz", contentType: "application/gzip" },
    write: (lines) => compress(lines.map(({ text }) => `${text}\n`).join("")),
  },
  parquet: {
    ...{ extension: "parquet", contentType: "application/vnd.apache.parquet" },
    write: async (lines) => parquetFile(lines),
  },
};

/** `prefix/2026/11/30/000000001042.00000-000000001050.00003.ndjson.gz`; names sort in the record's order. */
function objectKey(prefix: string, extension: string, lines: readonly StreamLine[]): string {
  const [first, last] = [lines[0], lines.at(-1)];
  const day = (first?.recordedAt ?? "").slice(0, 10).replaceAll("-", "/");
  const folder = prefix.replaceAll(/^\/+|\/+$/g, "");
  const range = `${placeText(first?.position)}-${placeText(last?.position)}`;
  return [folder, day, `${range}.${extension}`].filter((part) => part !== "").join("/");
}

const placeText = (position: Position | undefined): string =>
  [String(position?.seq ?? 0).padStart(SEQ_DIGITS, "0"), String(position?.place ?? 0).padStart(PLACE_DIGITS, "0")].join(
    ".",
  );

export function createS3({ target, secret, addresses, timeoutMs }: ReceiverSettings): Receiver {
  const { address, bucket, region, prefix, accessKeyId, ca } = target;
  const { extension, contentType, write } = WRITERS[target.fileType];
  const outgoing = createOutgoing(addresses, { bytesMax: 0, timeoutMs, ca: ca || undefined });
  const base = address.replace(/\/$/, "");
  return {
    async send(lines, signal) {
      try {
        const body = await write(lines);
        const signed = await new AwsV4Signer({
          ...{ method: "PUT", url: `${base}/${bucket}/${objectKey(prefix, extension, lines)}`, service: "s3", region },
          ...{ accessKeyId, secretAccessKey: secret ?? "" },
          headers: { "x-amz-content-sha256": hash("sha256", body, "hex"), "content-type": contentType },
        }).sign();
        const headers = Object.fromEntries(signed.headers);
        const request = { method: "PUT", headers, body, isBodyWanted: false, ...(signal && { signal }) } as const;
        return outcomeOfStatus((await outgoing.send(signed.url, request)).status);
      } catch (error) {
        return outcomeOfError(error);
      }
    },
    close: outgoing.close,
  };
}
