/** Is the process alive, and can it do its work? The second question is answered in words. */
import type { ServerResponse } from "node:http";

/** Null when all is well, else what is wrong, as a sentence. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

export interface Health {
  alive(response: ServerResponse): void;
  ready(response: ServerResponse): Promise<void>;
}

const CHECK_MS = 2_000;

export function createHealth(checks: Readonly<Record<string, ReadinessCheck>>, draining: AbortSignal): Health {
  // Many may ask at once; the database is asked once.
  let asking: Promise<[string, string | null][]> | undefined;

  async function ask(): Promise<[string, string | null][]> {
    const names = Object.entries(checks);
    return Promise.all(
      names.map(async ([name, check]) => [name, await inTime(check, name)] as [string, string | null]),
    );
  }

  return {
    alive: (response) => send(response, 200, { status: "ok" }),
    async ready(response) {
      if (draining.aborted)
        return send(response, 503, { status: "not_ready", reason: "The server is shutting down.", checks: {} });
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      const answers = await asking;
      const reasons = answers.flatMap(([, reason]) => (reason === null ? [] : [reason]));
      const named = Object.fromEntries(answers.map(([name, reason]) => [name, reason ?? "ok"]));
      if (reasons.length === 0) send(response, 200, { status: "ready", checks: named });
      else send(response, 503, { status: "not_ready", reason: reasons.join(" "), checks: named });
    },
  };
}

async function inTime(check: ReadinessCheck, name: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The ${name} does not answer.`), CHECK_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return `The ${name} does not answer.`;
  } finally {
    clearTimeout(timer);
  }
}

function send(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...(status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(body);
}
