/**
 * One stream of changes for all tabs of a browser. A browser opens six connections to a server over HTTP/1.1: with a stream for each
 * tab, six tabs would leave none for anything else. The tab that holds a lock reads the stream and passes it on; when it closes,
 * sleeps or is stopped, another takes its place.
 */
import type { LiveChange } from "@/server/events/schema";

export interface StreamHandlers {
  readonly onChange: (change: LiveChange) => void;
  /** The stream runs. `isBehind`: changes before this moment may have been missed. */
  readonly onStarted: (isBehind: boolean) => void;
  readonly onLost: () => void;
}

/** Opens a stream of its own, and keeps trying; answers its end. */
export type OpenStream = (handlers: StreamHandlers) => () => void;

type Message =
  | { readonly kind: "change"; readonly change: LiveChange }
  /** `to`: the only tab that it is for; null for all. */
  | { readonly kind: "running"; readonly reader: string; readonly isBehind: boolean; readonly to: string | null }
  | { readonly kind: "lost" }
  /** A tab that was just opened asks for the state of the stream. */
  | { readonly kind: "question"; readonly from: string };

const ALIVE_EVERY_MS = 1_000;
/** A reader that is silent for this long is asleep. A visible tab then counts as not live, and takes over. */
const SILENT_MS = 3_500;

/** Reads the stream, or follows the tab that does. Without locks, as over plain HTTP to another machine, it reads by itself. */
export function shareStream(name: string, open: OpenStream, handlers: StreamHandlers): () => void {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return open(handlers);
  const channel = new BroadcastChannel(name);
  const ended = new AbortController();
  const own = crypto.randomUUID();
  let followed: string | null = null;
  let heardMs = performance.now();
  let isReader = false;
  /** Of the stream that this tab reads. */
  let isRunning = false;
  let stopWaiting = () => {};
  const send = (message: Message) => channel.postMessage(message);

  function read(): () => void {
    isReader = true;
    const end = open({
      onChange(change) {
        handlers.onChange(change);
        send({ kind: "change", change });
      },
      onStarted(isBehind) {
        isRunning = true;
        handlers.onStarted(isBehind);
        send({ kind: "running", reader: own, isBehind, to: null });
      },
      onLost() {
        isRunning = false;
        handlers.onLost();
        send({ kind: "lost" });
      },
    });
    const alive = setInterval(() => {
      if (isRunning) send({ kind: "running", reader: own, isBehind: false, to: null });
    }, ALIVE_EVERY_MS);
    return () => {
      isReader = false;
      isRunning = false;
      clearInterval(alive);
      end();
    };
  }

  /** Waits until no other tab reads, or takes the place of the one that does. */
  async function takeTurn(isSteal: boolean): Promise<void> {
    stopWaiting();
    const waiting = new AbortController();
    stopWaiting = () => waiting.abort();
    let end: (() => void) | undefined;
    try {
      await navigator.locks.request(name, isSteal ? { steal: true } : { signal: waiting.signal }, async () => {
        end = read();
        await new Promise<void>((resolve) => ended.signal.addEventListener("abort", () => resolve(), { once: true }));
      });
    } catch {
      // Another tab took the place of this one, or this one stopped waiting.
    }
    end?.();
    if (!ended.signal.aborted && !waiting.signal.aborted) void takeTurn(false);
  }

  function hear(message: Message): void {
    if (message.kind === "question") {
      if (isRunning) send({ kind: "running", reader: own, isBehind: true, to: message.from });
      return;
    }
    if (isReader) return;
    heardMs = performance.now();
    if (message.kind === "change") handlers.onChange(message.change);
    else if (message.kind === "lost") {
      followed = null;
      handlers.onLost();
    } else if (message.to === null || message.to === own) {
      const isOther = message.reader !== followed;
      followed = message.reader;
      if (isOther || message.isBehind) handlers.onStarted(true);
    }
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);

  function takeOverWhenSilent(): void {
    if (isReader || document.visibilityState !== "visible" || performance.now() - heardMs < SILENT_MS) return;
    heardMs = performance.now();
    if (followed !== null) handlers.onLost();
    followed = null;
    void takeTurn(true);
  }
  const watch = setInterval(takeOverWhenSilent, ALIVE_EVERY_MS);
  document.addEventListener("visibilitychange", takeOverWhenSilent, { signal: ended.signal });
  void takeTurn(false);
  send({ kind: "question", from: own });

  return () => {
    clearInterval(watch);
    stopWaiting();
    ended.abort();
    channel.close();
  };
}
