/**
 * The running server as the verbs call it: its procedures, with the installation's admin token. Not a tRPC client: a
 * verb needs one call, and its answer is parsed by the same schema that made it.
 */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import superjson from "superjson";
import { z } from "zod";
import { env } from "../platform/env.ts";
import { ADMIN_TOKEN_FILE } from "../platform/secrets.ts";
import { type PolicyProblem, policyProblem } from "../policies/schema.ts";
import { Refusal } from "./refusal.ts";

const CALL_MS_MAX = 150_000;
const wrapped = z.looseObject({ json: z.unknown(), meta: z.looseObject({}).optional() });
const answered = z.looseObject({ result: z.looseObject({ data: wrapped.optional() }) });
const failed = z.looseObject({
  error: z.looseObject({
    message: z.string().optional(),
    json: z
      .looseObject({
        message: z.string(),
        data: z.looseObject({ appCode: z.string(), problems: z.array(policyProblem).optional() }),
      })
      .optional(),
  }),
});

/** The server refused: what for, and every problem when it was a policy. */
export class Refused extends Refusal {
  readonly problems: readonly PolicyProblem[];

  constructor(sentence: string, problems: readonly PolicyProblem[] = []) {
    super(sentence);
    this.problems = problems;
  }
}

/** What a query answers. Errors: a `Refusal` in words when there is no server, no trust or no answer. */
export function ask<T>(path: string, input: unknown, view: z.ZodType<T>): Promise<T> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
  return call(`${path}${query}`, { method: "GET" }, view);
}

/** What a mutation answers. Errors: as `ask`. */
export function tell<T>(path: string, input: unknown, view: z.ZodType<T>): Promise<T> {
  const body = JSON.stringify(superjson.serialize(input));
  return call(path, { method: "POST", body, headers: { "content-type": "application/json" } }, view);
}

async function call<T>(path: string, request: RequestInit, view: z.ZodType<T>): Promise<T> {
  const { url } = env();
  const headers = { ...request.headers, authorization: `Bearer ${await token()}` };
  const signal = AbortSignal.timeout(CALL_MS_MAX);
  const response = await fetch(`${url}/api/trpc/${path}`, { ...request, headers, signal }).catch((error: unknown) => {
    throw new Refusal(unreachable(url, error));
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw refusalOf(response.status, body, url);
  const answer = answered.safeParse(body);
  if (!answer.success) throw new Refusal(`What answers at ${url} is not Quarterdeck.`);
  const { json, meta } = answer.data.result.data ?? {};
  // Holds: superjson wrote both; it reads them leniently.
  return view.parse(superjson.deserialize({ json, meta } as Parameters<typeof superjson.deserialize>[0]));
}

/** Why nothing answered at `url`, and what to do. */
export function unreachable(url: string, error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  if (error instanceof Error && error.name === "TimeoutError") return `The server at ${url} did not answer in time.`;
  const why = code === "ECONNREFUSED" || code === undefined ? "" : ` (${code})`;
  return `No server answers at ${url}${why}. Start it with npm start, or set QUARTERDECK_URL.`;
}

function refusalOf(status: number, body: unknown, url: string): Refusal {
  const failure = failed.safeParse(body).data?.error;
  const { appCode, problems } = failure?.json?.data ?? {};
  if (status === 401 || appCode === "not_signed_in")
    return new Refusal(
      `The server at ${url} does not trust this token. Set QUARTERDECK_DATA_DIR to its data directory, or QUARTERDECK_TOKEN.`,
    );
  const says = failure?.json?.message ?? failure?.message;
  return new Refused(says ?? `The server at ${url} answered ${status}.`, problems);
}

async function token(): Promise<string> {
  const { token, dataDir } = env();
  if (token !== undefined) return token;
  const file = join(resolve(dataDir), ADMIN_TOKEN_FILE);
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new Refusal(
      `There is no admin token at ${file}. Start the server with npm start, or set QUARTERDECK_DATA_DIR to its data directory or QUARTERDECK_TOKEN.`,
    );
  }
}
