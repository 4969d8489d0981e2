/** The lifecycle of a supervised process, from inside. */
import { StartupError } from "../platform/env.ts";
import { log as processLog } from "../platform/log.ts";
import type { Line } from "../platform/worker-rpc.ts";
import { order, type ProcessReport } from "./messages.ts";

export interface RoleProcess {
  /**
   * Resolves when the role may begin, with the settings known by then. Slow preparations without side effects come
   * first.
   */
  readonly begin: Promise<unknown>;
  /** Aborted when a shutdown begins. */
  readonly draining: AbortSignal;
  /** The line to the supervisor and, through it, to the other processes. */
  readonly line: Line;
  /** Registers a stop function; they run at the end in reverse order. */
  onEnd(name: string, stop: () => unknown): void;
}

/** Runs `start`, sends its result to the supervisor, and ends on an order or when the supervisor is gone. */
export async function runRole(start: (role: RoleProcess) => Promise<unknown>): Promise<void> {
  const log = processLog();
  const draining = new AbortController();
  const started: { readonly name: string; stop(): unknown }[] = [];
  let begin: (known: unknown) => void = () => undefined;
  const begun = new Promise<unknown>((resolve) => {
    begin = resolve;
  });

  let ending: Promise<never> | undefined;
  function end(code: number): Promise<never> {
    ending ??= (async () => {
      draining.abort();
      let exitCode = code;
      for (const { name, stop } of started.reverse()) {
        try {
          await stop();
        } catch (error) {
          exitCode ||= 1;
          log.error({ err: error }, `${name} did not stop cleanly`);
        }
      }
      return process.exit(exitCode);
    })();
    return ending;
  }

  // The supervisor says when we end; a Ctrl-C in its terminal is its business.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  process.on("disconnect", () => process.exit(0));
  process.on("message", (value) => {
    const heard = order.safeParse(value).data;
    if (heard?.order === "begin") begin(heard.known);
    if (heard?.order === "drain") draining.abort();
    if (heard?.order === "end") void end(0);
  });
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error nobody caught");
    void end(1);
  });

  tell({ role: "loaded" } satisfies ProcessReport);
  try {
    const says = await start({
      begin: begun,
      draining: draining.signal,
      line: { send: tell, onMessage: (listener) => void process.on("message", listener) },
      onEnd: (name, stop) => void started.push({ name, stop }),
    });
    tell({ role: "ready", says: says ?? null } satisfies ProcessReport);
  } catch (error) {
    if (ending === undefined) {
      if (!(error instanceof StartupError)) log.fatal({ err: error }, "the start failed");
      tell({ role: "failed", says: error instanceof Error ? error.message : String(error) } satisfies ProcessReport);
    }
    await end(1);
  }
}

/** Sends a message to the supervisor, unless it is gone. */
function tell(message: object): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}
