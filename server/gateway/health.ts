/** Is the process alive, and can it do its work? The second question is answered in words. */
import type { ServerResponse } from "node:http";

/** Null when the check passes, else the problem as a sentence. */
export type ReadinessCheck = () => Promise<string | null> | string | null;

export interface Health {
  alive(response: ServerResponse): void;
  ready(response: ServerResponse): Promise<void>;
  /** The result of each check by its name; null when it passes. Concurrent callers share one run. */
  ask(): Promise<readonly Answered[]>;
}

export type Answered = readonly [name: string, reason: string | null];

const CHECK_MS = 2_000;

export function createHealth(checks: Readonly<Record<string, ReadinessCheck>>, draining: AbortSignal): Health {
  // Shared by concurrent callers, so that the database is queried once.
  let asking: Promise<readonly Answered[]> | undefined;

  const askAll = (): Promise<readonly Answered[]> =>
    Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<Answered> => [name, await inTime(check, name)]),
    );

  function ask(): Promise<readonly Answered[]> {
    asking ??= askAll().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    ask,
    alive: (response) => sendJson(response, 200, { status: "ok" }),
    async ready(response) {
      if (draining.aborted)
        return sendJson(response, 503, { status: "not_ready", reason: "The server is shutting down.", checks: {} });
      const answers = await ask();
      const reasons = answers.flatMap(([, reason]) => (reason === null ? [] : [reason]));
      const named = Object.fromEntries(answers.map(([name, reason]) => [name, reason ?? "ok"]));
      if (reasons.length === 0) sendJson(response, 200, { status: "ready", checks: named });
      else sendJson(response, 503, { status: "not_ready", reason: reasons.join(" "), checks: named });
    },
  };
}

async function inTime(check: ReadinessCheck, name: string): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The ${name} is not responding.`), CHECK_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return `The ${name} is not responding.`;
  } finally {
    clearTimeout(timer);
  }
}

export function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...(status === 503 ? { "retry-after": "1" } : {}),
  });
  response.end(body);
}
