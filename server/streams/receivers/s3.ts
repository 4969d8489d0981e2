/**
 * Receivers that store files: one gzipped file of lines for each request, in a bucket of an S3-compatible store. The
 * file's name is made of the first and the last event, so that a repeated request writes the same file again.
 */
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { AwsV4Signer } from "aws4fetch";
import { createOutgoing } from "../../platform/outgoing/outgoing.ts";
import type { StreamLine } from "../formats/format.ts";
import type { Position } from "../schema.ts";
import { outcomeOfError, outcomeOfStatus } from "./http-outcome.ts";
import type { Receiver, ReceiverSettings } from "./receiver.ts";

const compress = promisify(gzip);
const SEQ_DIGITS = 12;

/** `prefix/2026/11/30/000000001042.0-000000001050.3.ndjson.gz`; names sort in the record's order. */
export function objectKey(prefix: string, lines: readonly StreamLine[]): string {
  const [first, last] = [lines[0], lines.at(-1)];
  const day = (first?.recordedAt ?? "").slice(0, 10).replaceAll("-", "/");
  const folder = prefix.replaceAll(/^\/+|\/+$/g, "");
  const range = `${placeText(first?.position)}-${placeText(last?.position)}`;
  return [folder, day, `${range}.ndjson.gz`].filter((part) => part !== "").join("/");
}

const placeText = (position: Position | undefined): string =>
  `${String(position?.seq ?? 0).padStart(SEQ_DIGITS, "0")}.${position?.place ?? 0}`;

export function createS3({ target, secret, addresses, timeoutMs }: ReceiverSettings): Receiver {
  const { address, bucket, region, prefix, accessKeyId, ca } = target;
  const outgoing = createOutgoing(addresses, { bytesMax: 0, timeoutMs, ca: ca || undefined });
  const base = address.replace(/\/$/, "");
  return {
    async send(lines, signal) {
      try {
        const body = await compress(lines.map(({ text }) => `${text}\n`).join(""));
        const signed = await new AwsV4Signer({
          ...{ method: "PUT", url: `${base}/${bucket}/${objectKey(prefix, lines)}`, service: "s3", region },
          ...{ accessKeyId, secretAccessKey: secret ?? "" },
          headers: { "x-amz-content-sha256": hash("sha256", body, "hex"), "content-type": "application/gzip" },
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
