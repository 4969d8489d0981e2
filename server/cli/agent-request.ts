/** A request of an agent's machine to the console, with the agent's key. */
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type Answer, exchange, unreachable } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

const CALL_MS_MAX = 15_000;
const TRIES_MAX = 5;
const RETRY_S_MAX = 5;
const failed = z.looseObject({ error: z.looseObject({ message: z.string().max(2_000), code: z.string().optional() }) });

export interface Console {
  readonly url: string;
  readonly key: string;
}

/**
 * The answer to a POST, parsed. A busy console is asked again, because it has not acted on the request.
 * Errors: a `Refusal` with the console's reason, or saying that the address is not a console that knows `subject`.
 */
export async function postAsAgent<T>(
  { url, key }: Console,
  path: string,
  body: object,
  { view, subject }: Expected<T>,
): Promise<T> {
  const answer = await askPatiently({ url, key }, "POST", path, JSON.stringify(body));
  return readAnswer(url, answer, { view, subject });
}

/** The answer to a GET, likewise. */
export async function getAsAgent<T>(console: Console, path: string, expected: Expected<T>): Promise<T> {
  return readAnswer(console.url, await askPatiently(console, "GET", path), expected);
}

interface Expected<T> {
  readonly view: z.ZodType<T>;
  readonly subject: string;
}

/** Errors: an `AgentRefusal` with the console's reason; a `Refusal` where the address is not a console that knows `subject`. */
function readAnswer<T>(url: string, answer: Answer, { view, subject }: Expected<T>): T {
  if (answer.status >= 400) {
    const error = failed.safeParse(parsed(answer.body)).data?.error;
    throw new AgentRefusal(error?.message ?? `The server at ${url} answered ${answer.status}.`, error?.code);
  }
  const read = view.safeParse(parsed(answer.body));
  if (!read.success)
    throw new Refusal(`What answers at ${url} is not Quarterdeck, or an older one without ${subject}.`);
  return read.data;
}

/** The console refused, with the code of its error. */
export class AgentRefusal extends Refusal {
  readonly code: string | undefined;

  constructor(sentence: string, code: string | undefined) {
    super(sentence);
    this.code = code;
  }
}

async function askPatiently(
  { url, key }: Console,
  method: "GET" | "POST",
  path: string,
  body?: string,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let tries = 1; ; tries += 1) {
    const asked = { method, headers, ...(body !== undefined && { body }), timeoutMs: CALL_MS_MAX };
    const answer = await exchange(`${url}${path}`, asked).catch((error: unknown) => {
      throw new Refusal(unreachable(url, error));
    });
    if (answer.status !== 503 || tries === TRIES_MAX) return answer;
    await setTimeout(Math.min(Number(answer.headers["retry-after"]) || 1, RETRY_S_MAX) * 1_000);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
