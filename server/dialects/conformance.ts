/**
 * Tests the dialects against a directory of vectors: payloads, rendered answers and detection, through each transport. A transport
 * gets the payload as the client sends it, and a judge that returns the vector's output.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Payload } from "./dialect.ts";
import { type DialectName, isDialectName } from "./registry.ts";
import type { Body } from "./render-table.ts";

const payload = z.record(z.string(), z.unknown());
const payloadVector = z.object({
  dialect: z.string(),
  client_event: z.string(),
  payload,
  expect: z.object({ native: payload, ext: payload }).optional(),
});
const renderVectors = z.object({
  vectors: z.array(
    z.object({
      id: z.string(),
      dialect: z.string(),
      client_event: z.string(),
      payload,
      native_output: payload,
      expect_body: payload,
      options: z.object({ interactive: z.boolean().optional() }).optional(),
    }),
  ),
});
const detectVectors = z.object({
  vectors: z.array(z.object({ file: z.string(), declared: z.string(), expect: z.string() })),
});

export interface VectorResult {
  readonly id: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly detail?: string;
}

export interface Delivery {
  readonly dialect: DialectName;
  /** The client's name for the event, as enrolled. */
  readonly event: string;
  readonly payload: Payload;
  readonly interactive: boolean;
  /** The judge's answer. */
  readonly output: Readonly<Record<string, unknown>>;
}

/** A path of a client's event into Quarterdeck and back. */
export interface Way {
  readonly name: string;
  /** The input that the judge received (its event is null if the judge was not asked), and the answer that the client reads. */
  deliver(delivery: Delivery): Promise<Delivered>;
}

export interface Delivered {
  readonly input: Readonly<Record<string, unknown>>;
  readonly body: Body;
}

export async function runDialectVectors(directory: string, ways: readonly Way[]): Promise<readonly VectorResult[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".json")).sort();
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(directory, file), "utf8"));
  const results: VectorResult[] = [];
  for (const file of files) {
    if (file === "_render-vectors.json") {
      for (const vector of renderVectors.parse(await read(file)).vectors)
        results.push(...(await runRender(vector, ways)));
    } else if (file === "_detect-vectors.json") {
      for (const { file: of, declared, expect } of detectVectors.parse(await read(file)).vectors) {
        const id = `detect ${of} at ${declared}`;
        const vector = payloadVector.parse(await read(of));
        results.push(...(await runDetect(id, { ...vector, dialect: declared }, expect, ways)));
      }
    } else if (!file.startsWith("_")) {
      results.push(...(await runPayload(file, payloadVector.parse(await read(file)), ways)));
    }
  }
  return results;
}

type PayloadVector = z.infer<typeof payloadVector>;
type RenderVector = z.infer<typeof renderVectors>["vectors"][number];

/** A vector without an expectation only shows a plugin's input, so there is nothing to compare. */
async function runPayload(file: string, vector: PayloadVector, ways: readonly Way[]): Promise<VectorResult[]> {
  const { expect } = vector;
  if (!expect) return [skipped(file)];
  const { hook_event_name: event } = expect.native;
  const wanted = {
    native: { ...withoutZeros(expect.native), hook_event_name: event },
    ext: withoutZeros(expect.ext),
  };
  return throughAll(file, vector, ways, wanted, ({ input: { ext, ...native } }) => ({
    native: { ...withoutZeros(native), hook_event_name: native.hook_event_name },
    ext: withoutZeros(payload.parse(ext)),
  }));
}

async function runDetect(id: string, vector: PayloadVector, wanted: string, ways: readonly Way[]) {
  return throughAll(id, vector, ways, wanted, ({ input }) => payload.parse(input.ext).dialect);
}

/** These vectors contain only the fields that affect an answer. They omit the session, which every client sends. */
const SESSION = { session_id: "conformance", sessionId: "conformance", taskId: "conformance" };

async function runRender(vector: RenderVector, ways: readonly Way[]): Promise<VectorResult[]> {
  const whole = { ...vector, payload: { ...SESSION, ...vector.payload } };
  return throughAll(`render ${vector.id}`, whole, ways, vector.expect_body, ({ body }) => body);
}

interface Sent {
  readonly dialect: string;
  readonly client_event: string;
  readonly payload: Payload;
  readonly native_output?: Readonly<Record<string, unknown>>;
  readonly options?: { readonly interactive?: boolean | undefined } | undefined;
}

async function throughAll(
  id: string,
  sent: Sent,
  ways: readonly Way[],
  wanted: unknown,
  got: (delivered: Delivered) => unknown,
): Promise<VectorResult[]> {
  const { dialect, client_event: event, native_output: output = {}, options } = sent;
  if (!isDialectName(dialect)) return [skipped(id)];
  const delivery = { dialect, event, payload: sent.payload, interactive: options?.interactive === true, output };
  const results: VectorResult[] = [];
  for (const way of ways) {
    const name = `${way.name}: ${id}`;
    try {
      results.push(held(name, got(await way.deliver(delivery)), wanted));
    } catch (error) {
      results.push({ id: name, state: "failed", detail: String(error) });
    }
  }
  return results;
}

const skipped = (id: string): VectorResult => ({ id, state: "skipped" });

function held(id: string, got: unknown, wanted: unknown): VectorResult {
  // Compared as JSON values, because an undefined field is not sent.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(got)), wanted)) return { id, state: "passed" };
  return { id, state: "failed", detail: `got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}` };
}

/** Omits empty values as Go does: absent, empty and false are equal. */
function withoutZeros(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isZero(value)));
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
