/** The parts of an export that are read, in its JSON form: the same for protobuf after decoding. */
import { z } from "zod";

/** The size of an SDK's queue. */
export const RECORDS_MAX = 2_048;
/** As SDKs limit them. */
export const ATTRIBUTES_MAX = 128;
export const INFLATED_BYTES_MAX = 4 * 1024 * 1024;

const digits = z.union([z.string().regex(/^-?\d{1,20}$/), z.int()]);

/** Nested values are not read. */
const anyValue = z.object({
  stringValue: z.string().nullish(),
  boolValue: z.boolean().nullish(),
  intValue: digits.nullish(),
  /** JSON cannot represent NaN and infinity, so they are texts. */
  doubleValue: z.union([z.number(), z.string()]).nullish(),
});
export type AnyValue = z.infer<typeof anyValue>;

const attributes = z.array(z.object({ key: z.string().default(""), value: anyValue.nullish() })).nullish();
/** Read again for each record. */
const resource = z
  .object({
    attributes: attributes.refine(
      (all) => (all?.length ?? 0) <= ATTRIBUTES_MAX,
      `A resource takes at most ${ATTRIBUTES_MAX} attributes.`,
    ),
  })
  .nullish();
const scope = z.object({ name: z.string().nullish() }).nullish();
const list = <Item extends z.ZodType>(item: Item) => z.array(item).nullish();

const logRecord = z.object({
  timeUnixNano: digits.nullish(),
  observedTimeUnixNano: digits.nullish(),
  eventName: z.string().nullish(),
  body: anyValue.nullish(),
  attributes,
});
export type LogRecord = z.infer<typeof logRecord>;

export const logsRequest = z.object({
  resourceLogs: list(z.object({ resource, scopeLogs: list(z.object({ scope, logRecords: list(logRecord) })) })),
});
export type LogsRequest = z.infer<typeof logsRequest>;
