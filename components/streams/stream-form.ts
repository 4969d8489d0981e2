/** A stream as form texts, and as it is saved. */
import type { Wrongs } from "@/components/ui/form-texts";
import { type SaveStream, STREAM_LIMITS, type StreamView, saveStream, USUAL_KINDS } from "@/server/streams/schema";

export interface StreamDraft
  extends Pick<
    SaveStream,
    | "name"
    | "kind"
    | "format"
    | "masking"
    | "isEnabled"
    | "address"
    | "index"
    | "bucket"
    | "region"
    | "prefix"
    | "fileType"
    | "accessKeyId"
    | "ca"
    | "agentsMode"
    | "from"
  > {
  readonly kinds: SaveStream["kinds"];
  readonly agents: string[];
  /** As typed; empty keeps the stored one. */
  readonly secret: string;
  readonly forgetsSecret: boolean;
  readonly batchMax: string;
  readonly rateMax: string;
}

const NEW: StreamDraft = {
  ...{ name: "", kind: "http", format: "ocsf", masking: "masked", isEnabled: true },
  ...{ address: "", index: "", bucket: "", region: "", prefix: "", fileType: "ndjson", accessKeyId: "", ca: "" },
  ...{ kinds: [...USUAL_KINDS], agentsMode: "all", agents: [], from: "now" },
  ...{ secret: "", forgetsSecret: false, batchMax: "500", rateMax: "1000" },
};

export function draftOf(stream: StreamView | null): StreamDraft {
  if (stream === null) return NEW;
  const { name, kind, format, masking, isEnabled, kinds, agentsMode, agents } = stream;
  const { address, index, bucket, region, prefix, fileType, accessKeyId, ca, batchMax, rateMax } = stream;
  return {
    ...NEW,
    ...{ name, kind, format, masking, isEnabled, kinds: [...kinds], agentsMode, agents: [...agents] },
    ...{ address, index, bucket, region, prefix, fileType, accessKeyId, ca },
    ...{ batchMax: String(batchMax), rateMax: String(rateMax) },
  };
}

const WHOLE = /^\d{1,6}$/;

/** The input, or the errors by field. */
export function readDraft(draft: StreamDraft, before: StreamView | null): { input: SaveStream } | { wrongs: Wrongs } {
  const { secret, forgetsSecret, batchMax, rateMax, ...rest } = draft;
  const read = saveStream.safeParse({
    ...rest,
    ...(before ? { id: before.id } : {}),
    batchMax: WHOLE.test(batchMax) ? Number(batchMax) : 0,
    rateMax: WHOLE.test(rateMax) ? Number(rateMax) : 0,
    secret: forgetsSecret ? "" : secret === "" && before !== null ? null : secret,
  });
  if (read.success) return { input: read.data };
  return {
    wrongs: Object.fromEntries(
      read.error.issues.map(({ path, message }) => [path.join("."), LIMITS[String(path[0])] ?? message]),
    ),
  };
}

const LIMITS: Readonly<Record<string, string>> = {
  batchMax: `Enter a number from 1 to ${STREAM_LIMITS.batchMax}.`,
  rateMax: `Enter a number from 1 to ${STREAM_LIMITS.rateMax}.`,
};
