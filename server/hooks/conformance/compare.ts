/** The differences between a case's expectations and the observed results, as sentences; empty if it passed. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Observed } from "./target.ts";

const SUFFIX = "_contains";

/** Every failed expectation. Keys that a case omits are not compared. */
export async function listDifferences(
  expected: Readonly<Record<string, unknown>>,
  observed: Observed,
  workingDir: string,
): Promise<string[]> {
  const found: string[] = [];
  if (observed.error !== undefined && expected.dispatch_error_contains === undefined) {
    return [`the dispatch failed: ${observed.error}`];
  }
  for (const [key, value] of Object.entries(expected)) {
    const check = SPECIAL[key];
    if (check) found.push(...(await check(value, observed, workingDir)));
    else if (key.endsWith(SUFFIX)) found.push(...contains(key.slice(0, -SUFFIX.length), value, observed));
    else if (!isDeepStrictEqual(plain(observed.result?.[key]), value)) {
      found.push(expectedGot(key, value, observed.result?.[key]));
    }
  }
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

/** Compares each request only on the keys that the case gives. */
function requestDifferences(expected: readonly Fields[], asked: readonly Fields[]): string[] {
  if (expected.length !== asked.length) return [expectedGot("number of model requests", expected.length, asked.length)];
  return expected.flatMap((request, index) =>
    Object.entries(request)
      .filter(([key, value]) => !isDeepStrictEqual(asked[index]?.[key] ?? null, value))
      .map(([key, value]) => expectedGot(`model request ${index} ${key}`, value, asked[index]?.[key])),
  );
}

type Check = (value: unknown, observed: Observed, workingDir: string) => string[] | Promise<string[]>;

const SPECIAL: Readonly<Record<string, Check>> = {
  has: (value, { has }) => (has === value ? [] : [expectedGot("has", value, has)]),
  model_calls: (value, { modelCalls }) =>
    isDeepStrictEqual(modelCalls, value) ? [] : [expectedGot("model_calls", value, modelCalls)],
  model_requests: (value, { modelRequests }) => requestDifferences(value as readonly Fields[], modelRequests), // holds: the format says a list of mappings
  evaluator_calls: (value, { evaluatorCalls }) =>
    isDeepStrictEqual(plain(evaluatorCalls), value) ? [] : [expectedGot("evaluator_calls", value, evaluatorCalls)],
  evaluator_call_count: (value, { evaluatorCalls }) =>
    evaluatorCalls.length === value ? [] : [expectedGot("evaluator_call_count", value, evaluatorCalls.length)],
  result_lacks: (value, { result }) => {
    const text = JSON.stringify(result ?? null);
    const texts = Array.isArray(value) ? value.map(String) : [];
    return texts
      .filter((one) => text.includes(JSON.stringify(one).slice(1, -1)))
      .map((one) => `the Result holds ${one}`);
  },
  max_elapsed_ms: (value, { elapsedMs }) =>
    elapsedMs <= Number(value) ? [] : [`expected at most ${String(value)} ms, took ${Math.round(elapsedMs)}`],
  min_elapsed_ms: (value, { elapsedMs }) =>
    elapsedMs >= Number(value) ? [] : [`expected at least ${String(value)} ms, took ${Math.round(elapsedMs)}`],
  dispatch_error_contains: (value, { error }) =>
    error?.includes(String(value)) ? [] : [expectedGot("dispatch error containing", value, error)],
  files: async (value, _observed, workingDir) => {
    const found: string[] = [];
    for (const [path, content] of Object.entries(value as Record<string, string | null>)) {
      // holds: the format says path to content, or null for a file that must not exist
      const actual = await readFile(join(workingDir, path), "utf8").catch(() => null);
      if (actual !== content) found.push(expectedGot(`file ${path}`, content, actual));
    }
    return found;
  },
};

function contains(key: string, parts: unknown, { result }: Observed): string[] {
  const text = String(result?.[key] ?? "");
  const missing = (Array.isArray(parts) ? parts : [parts]).filter((part) => !text.includes(String(part)));
  return missing.map((part) => expectedGot(`${key} containing`, part, text));
}

/** Removes undefined fields and prototypes, so that only the wire form is compared. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function expectedGot(what: string, expected: unknown, got: unknown): string {
  return `${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
