/** A request of an agent's machine to the console, with the agent's key. */
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { type Answer, exchange, unreachable } from "./exchange.ts";
import { Refusal } from "./refusal.ts";

const CALL_MS_MAX = 15_000;
const TRIES_MAX = 5;
const RETRY_S_MAX = 5;
const failed = z.looseObject({ error: z.looseObject({ message: z.string().max(2_000) }) });

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
  { view, subject }: { readonly view: z.ZodType<T>; readonly subject: string },
): Promise<T> {
  const answer = await askPatiently({ url, key }, path, JSON.stringify(body));
  if (answer.status >= 400) throw new Refusal(sentenceOf(url, answer));
  const read = view.safeParse(parsed(answer.body));
  if (!read.success)
    throw new Refusal(`What answers at ${url} is not Quarterdeck, or an older one without ${subject}.`);
  return read.data;
}

async function askPatiently({ url, key }: Console, path: string, body: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let tries = 1; ; tries += 1) {
    const asked = { method: "POST", headers, body, timeoutMs: CALL_MS_MAX } as const;
    const answer = await exchange(`${url}${path}`, asked).catch((error: unknown) => {
      throw new Refusal(unreachable(url, error));
    });
    if (answer.status !== 503 || tries === TRIES_MAX) return answer;
    await setTimeout(Math.min(Number(answer.headers["retry-after"]) || 1, RETRY_S_MAX) * 1_000);
  }
}

function sentenceOf(url: string, { status, body }: Answer): string {
  return failed.safeParse(parsed(body)).data?.error.message ?? `The server at ${url} answered ${status}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
