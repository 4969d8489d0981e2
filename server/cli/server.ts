/**
 * The running server as the verbs call it: its procedures, with the installation's admin token. Not a tRPC client: a
 * verb needs one call, and its answer is parsed by the same schema that made it.
 */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import superjson from "superjson";
import { z } from "zod";
import { env } from "../platform/env.ts";
import { ADMIN_TOKEN_FILE } from "../platform/secrets.ts";
import { type PolicyProblem, policyProblem } from "../policies/schema.ts";
import { exchange, unreachable } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

const CALL_MS_MAX = 150_000;
/** The time during which a request to a busy server is repeated: the server says when, and has not acted on it. */
const PATIENCE_MS = 30_000;
const RETRY_S_MAX = 5;
const wrapped = z.looseObject({ json: z.unknown(), meta: z.looseObject({}).optional() });
const answered = z.looseObject({ result: z.looseObject({ data: wrapped.optional() }) });
const failed = z.looseObject({
  error: z.looseObject({
    message: z.string().optional(),
    json: z
      .looseObject({
        message: z.string(),
        data: z.looseObject({ appCode: z.string(), problems: z.array(policyProblem).nullish() }),
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

export interface Asking {
  /** Another workspace than the first. */
  readonly workspaceId?: string | undefined;
  readonly timeoutMs?: number;
}

/** The answer to a query, after some tries where the server is busy. Errors: a `Refusal` in words when there is no server, no trust or no answer. */
export function ask<T>(path: string, input: unknown, view: z.ZodType<T>, asking: Asking = {}): Promise<T> {
  const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
  return call("GET", `${path}${query}`, "", view, asking);
}

/** The answer to a mutation. Errors: as `ask`. */
export function mutate<T>(path: string, input: unknown, view: z.ZodType<T>): Promise<T> {
  return call("POST", path, JSON.stringify(superjson.serialize(input)), view);
}

async function call<T>(
  method: "GET" | "POST",
  path: string,
  body: string,
  view: z.ZodType<T>,
  { workspaceId, timeoutMs = CALL_MS_MAX }: Asking = {},
): Promise<T> {
  const { url } = env();
  const headers = {
    authorization: `Bearer ${await token()}`,
    "content-type": "application/json",
    ...(workspaceId === undefined ? {} : { "x-quarterdeck-workspace": workspaceId }),
  };
  const asked = { method, headers, body, timeoutMs };
  const once = () =>
    exchange(`${url}/api/trpc/${path}`, asked).catch((error: unknown) => {
      throw new Refusal(unreachable(url, error));
    });
  const endMs = performance.now() + PATIENCE_MS;
  let answer = await once();
  while (method === "GET" && answer.status === 503 && performance.now() < endMs) {
    await setTimeout(Math.min(Number(answer.headers["retry-after"]) || 1, RETRY_S_MAX) * 1_000);
    answer = await once();
  }
  const value = parsed(answer.body);
  if (answer.status !== 200) throw refusalOf(answer.status, value, url);
  const answeredWith = answered.safeParse(value);
  if (!answeredWith.success) throw new Refusal(`What answers at ${url} is not Quarterdeck.`);
  const { json, meta } = answeredWith.data.result.data ?? {};
  // Holds: superjson wrote both; it reads them leniently.
  return view.parse(superjson.deserialize({ json, meta } as Parameters<typeof superjson.deserialize>[0]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, body: unknown, url: string): Refusal {
  const failure = failed.safeParse(body).data?.error;
  const { appCode, problems } = failure?.json?.data ?? {};
  if (status === 401 || appCode === "not_signed_in")
    return new Refusal(
      `The server at ${url} does not trust this token. Set QUARTERDECK_DATA_DIR to its data directory, or QUARTERDECK_TOKEN.`,
    );
  const says = failure?.json?.message ?? failure?.message;
  return new Refused(says ?? `The server at ${url} answered ${status}.`, problems ?? []);
}

async function token(): Promise<string> {
  const { token, dataDir } = env();
  if (token !== undefined) return token;
  const file = join(resolve(dataDir), ADMIN_TOKEN_FILE);
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    throw new Refusal(
      `There is no admin token at ${file}. Start the server, or set QUARTERDECK_DATA_DIR to its data directory or QUARTERDECK_TOKEN.`,
    );
  }
}
