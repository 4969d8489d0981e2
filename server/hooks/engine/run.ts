/** Runs one hook within its time limit. The executor stops waiting shortly after the deadline, even if the handler still runs. */
import { goDuration } from "./duration.ts";
import { failureText, type HookFailure } from "./outcome.ts";
import type { PlannedHook } from "./plan.ts";
import type { Clock, Handler, HandlerCall, HandlerReply, Turn } from "./ports.ts";
import { readableReply, thrownText } from "./reply.ts";

/** The time after the deadline in which a handler may deliver its stderr. */
const LAST_WORDS_MS = 1_000;

export type Ran = Answered & {
  /** Milliseconds until its turn; absent if it did not wait. */
  readonly waitedMs?: number;
};

type Answered =
  | { readonly kind: "replied"; readonly reply: HandlerReply }
  | { readonly kind: "failed"; readonly failure: HookFailure; readonly stderr: string };

export interface Running {
  readonly hook: PlannedHook;
  readonly call: HandlerCall;
  readonly clock: Clock;
  /** The caller's cancellation. */
  readonly signal?: AbortSignal | undefined;
  /** The keys of its shared quota. `waitMs` limits its wait for a turn. */
  readonly shares: Turn["shares"];
  readonly waitMs: number;
}

/** The outcome of one hook: its reply, or the way it failed. Never rejects. */
export function runHook({ hook, call, clock, signal, shares, waitMs }: Running): Promise<Ran> {
  const { handler } = hook;
  if (!isHandler(handler)) return Promise.resolve({ kind: "failed", failure: handler, stderr: "" });
  const command = hook.definition.command ?? "";
  const timedOut: HookFailure = { code: "timed_out", command, afterMs: hook.timeoutMs };
  const stopped = (): HookFailure => (isTimeout(signal?.reason) ? timedOut : { code: "cancelled", command });
  if (signal?.aborted) return Promise.resolve({ kind: "failed", failure: stopped(), stderr: "" });

  return new Promise((resolve) => {
    const deadline = new AbortController();
    let ended: HookFailure | undefined;
    let forgetLastWords = () => {};
    let waitsSinceMs: number | undefined;
    let waitedMs = 0;

    const finish = (ran: Answered) => {
      if (waitsSinceMs !== undefined) waitedMs = clock.now() - waitsSinceMs;
      forgetDeadline();
      forgetLastWords();
      signal?.removeEventListener("abort", onStop);
      resolve(waitedMs > 0 ? { ...ran, waitedMs } : ran);
    };
    const end = (failure: HookFailure) => {
      if (ended) return;
      ended = failure;
      forgetLastWords = clock.after(LAST_WORDS_MS, () => finish({ kind: "failed", failure, stderr: "" }));
      deadline.abort(
        new DOMException(failureText(failure), failure.code === "timed_out" ? "TimeoutError" : "AbortError"),
      );
    };
    const onStop = () => end(stopped());
    let forgetDeadline = clock.after(hook.timeoutMs, () => end(timedOut));
    const turn: Turn = {
      shares,
      waits() {
        if (ended || waitsSinceMs !== undefined) return;
        waitsSinceMs = clock.now();
        forgetDeadline();
        forgetDeadline = clock.after(waitMs, () => end({ code: "waited_too_long", message: waitedText(waitMs) }));
      },
      begins() {
        if (ended || waitsSinceMs === undefined) return;
        waitedMs += clock.now() - waitsSinceMs;
        waitsSinceMs = undefined;
        forgetDeadline();
        forgetDeadline = clock.after(hook.timeoutMs, () => end(timedOut));
      },
    };
    signal?.addEventListener("abort", onStop, { once: true });

    const panicked = (value: string) =>
      finish({ kind: "failed", failure: ended ?? { code: "panicked", value }, stderr: "" });
    started(handler, { ...call, turn }, deadline.signal).then(
      (given) => {
        const reply = readableReply(given);
        if (!reply) panicked("the handler's reply cannot be read");
        else if (ended) finish({ kind: "failed", failure: ended, stderr: stderrOf(reply) });
        else finish({ kind: "replied", reply });
      },
      (thrown: unknown) => panicked(thrownText(thrown)),
    );
  });
}

/** A handler that throws synchronously counts as failed, like one whose promise rejects. */
async function started(handler: Handler, call: HandlerCall, signal: AbortSignal): Promise<unknown> {
  return handler.run(call, signal);
}

function isHandler(handler: Handler | HookFailure): handler is Handler {
  return "run" in handler;
}

function stderrOf(reply: HandlerReply): string {
  return "stderr" in reply ? (reply.stderr ?? "") : "";
}

function waitedText(waitMs: number): string {
  return `This server was busy running other hooks for ${goDuration(waitMs)}, and this one was not started. Try again; should it last, look at Health for hooks that hang.`;
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "TimeoutError";
}
