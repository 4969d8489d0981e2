/** Holds the dialects to a directory of vectors: payloads, rendered answers and detection. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { detectDialect, dialectOf, isDialectName } from "./registry.ts";

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

export async function runDialectVectors(directory: string): Promise<readonly VectorResult[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith(".json")).sort();
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(directory, file), "utf8"));
  const results: VectorResult[] = [];
  for (const file of files) {
    if (file === "_render-vectors.json") results.push(...runRender(renderVectors.parse(await read(file)).vectors));
    else if (file === "_detect-vectors.json") {
      for (const { file: of, declared, expect } of detectVectors.parse(await read(file)).vectors) {
        const id = `detect ${of} at ${declared}`;
        const body = payloadVector.parse(await read(of)).payload;
        results.push(isDialectName(declared) ? held(id, detectDialect(declared, body), expect) : skipped(id));
      }
    } else if (!file.startsWith("_")) results.push(runPayload(file, payloadVector.parse(await read(file))));
  }
  return results;
}

/** A vector without an expectation shows only what a plugin is given: there is nothing to hold. */
function runPayload(file: string, vector: z.infer<typeof payloadVector>): VectorResult {
  if (!vector.expect || !isDialectName(vector.dialect)) return skipped(file);
  const { native, ext } = dialectOf(vector.dialect).read(vector.payload, vector.client_event);
  const { hook_event_name: event } = vector.expect.native;
  return held(
    file,
    { native: { ...withoutZeros(native), hook_event_name: native.hook_event_name }, ext: withoutZeros(ext) },
    { native: { ...withoutZeros(vector.expect.native), hook_event_name: event }, ext: withoutZeros(vector.expect.ext) },
  );
}

function runRender(vectors: z.infer<typeof renderVectors>["vectors"]): VectorResult[] {
  return vectors.map((vector) => {
    const id = `render ${vector.id}`;
    if (!isDialectName(vector.dialect)) return skipped(id);
    const body = dialectOf(vector.dialect).render(vector.native_output, {
      event: vector.client_event,
      payload: vector.payload,
      ...(vector.options?.interactive !== undefined && { interactive: vector.options.interactive }),
    });
    return held(id, body, vector.expect_body);
  });
}

const skipped = (id: string): VectorResult => ({ id, state: "skipped" });

function held(id: string, got: unknown, wanted: unknown): VectorResult {
  // As JSON values: a field that is undefined does not travel.
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(got)), wanted)) return { id, state: "passed" };
  return { id, state: "failed", detail: `got ${JSON.stringify(got)}, wanted ${JSON.stringify(wanted)}` };
}

/** As Go leaves them out: absent, empty and false are the same. */
function withoutZeros(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isZero(value)));
}

function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "" || value === 0) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
