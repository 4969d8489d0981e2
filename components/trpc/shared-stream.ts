/**
 * One stream of changes for all tabs of a browser. A browser opens six connections to a server over HTTP/1.1: with one
 * stream per tab, six tabs would leave none for other requests. The tab that holds a lock reads the stream and passes
 * it on; when it closes, sleeps or is stopped, another tab takes over.
 */
import type { LiveChange } from "@/server/events/schema";

export interface StreamHandlers {
  readonly onChange: (change: LiveChange) => void;
  /** The stream runs. `isBehind`: changes before this moment may have been missed. */
  readonly onStarted: (isBehind: boolean) => void;
  readonly onLost: () => void;
}

/** Opens its own stream, and keeps reconnecting; returns a function that ends it. */
export type OpenStream = (handlers: StreamHandlers) => () => void;

type Message =
  | { readonly kind: "change"; readonly change: LiveChange }
  /** `to`: the only addressed tab; null for all. */
  | { readonly kind: "running"; readonly reader: string; readonly isBehind: boolean; readonly to: string | null }
  | { readonly kind: "lost" }
  /** A newly opened tab queries the state of the stream. */
  | { readonly kind: "question"; readonly from: string };

const ALIVE_EVERY_MS = 1_000;
/** A reader that is silent for this long is asleep. A visible tab then counts as not live, and takes over. */
const SILENT_MS = 3_500;

/** One tab: its shared state, and its rank among the tabs. */
interface Tab {
  readonly name: string;
  readonly open: OpenStream;
  readonly handlers: StreamHandlers;
  readonly channel: BroadcastChannel;
  readonly ended: AbortController;
  readonly own: string;
  followed: string | null;
  heardMs: number;
  isReader: boolean;
  /** True while this tab reads the stream. */
  isRunning: boolean;
  stopWaiting: () => void;
}

/**
 * Reads the stream, or follows the tab that does. Without locks, as over plain HTTP to another machine, each tab reads
 * its own stream.
 */
export function shareStream(name: string, open: OpenStream, handlers: StreamHandlers): () => void {
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined") return open(handlers);
  const tab: Tab = {
    name,
    open,
    handlers,
    channel: new BroadcastChannel(name),
    ended: new AbortController(),
    own: crypto.randomUUID(),
    followed: null,
    heardMs: performance.now(),
    isReader: false,
    isRunning: false,
    stopWaiting: () => {},
  };
  tab.channel.onmessage = ({ data }: MessageEvent<Message>) => hear(tab, data);
  const takeOver = () => takeOverWhenSilent(tab);
  const watch = setInterval(takeOver, ALIVE_EVERY_MS);
  document.addEventListener("visibilitychange", takeOver, { signal: tab.ended.signal });
  void takeTurn(tab, false);
  send(tab, { kind: "question", from: tab.own });

  return () => {
    clearInterval(watch);
    tab.stopWaiting();
    tab.ended.abort();
    tab.channel.close();
  };
}

const send = (tab: Tab, message: Message) => tab.channel.postMessage(message);

function read(tab: Tab): () => void {
  tab.isReader = true;
  const end = tab.open({
    onChange(change) {
      tab.handlers.onChange(change);
      send(tab, { kind: "change", change });
    },
    onStarted(isBehind) {
      tab.isRunning = true;
      tab.handlers.onStarted(isBehind);
      send(tab, { kind: "running", reader: tab.own, isBehind, to: null });
    },
    onLost() {
      tab.isRunning = false;
      tab.handlers.onLost();
      send(tab, { kind: "lost" });
    },
  });
  const alive = setInterval(() => {
    if (tab.isRunning) send(tab, { kind: "running", reader: tab.own, isBehind: false, to: null });
  }, ALIVE_EVERY_MS);
  return () => {
    tab.isReader = false;
    tab.isRunning = false;
    clearInterval(alive);
    end();
  };
}

/** Waits until no other tab reads, or takes over from the reading tab. */
async function takeTurn(tab: Tab, isSteal: boolean): Promise<void> {
  const { signal: ended } = tab.ended;
  tab.stopWaiting();
  const waiting = new AbortController();
  tab.stopWaiting = () => waiting.abort();
  let end: (() => void) | undefined;
  try {
    await navigator.locks.request(tab.name, isSteal ? { steal: true } : { signal: waiting.signal }, async () => {
      end = read(tab);
      await new Promise<void>((resolve) => ended.addEventListener("abort", () => resolve(), { once: true }));
    });
  } catch {
    // Another tab took the place of this one, or this one stopped waiting.
  }
  end?.();
  if (!ended.aborted && !waiting.signal.aborted) void takeTurn(tab, false);
}

function hear(tab: Tab, message: Message): void {
  if (message.kind === "question") {
    if (tab.isRunning) send(tab, { kind: "running", reader: tab.own, isBehind: true, to: message.from });
    return;
  }
  if (tab.isReader) return;
  tab.heardMs = performance.now();
  if (message.kind === "change") tab.handlers.onChange(message.change);
  else if (message.kind === "lost") {
    tab.followed = null;
    tab.handlers.onLost();
  } else if (message.to === null || message.to === tab.own) {
    const isOther = message.reader !== tab.followed;
    tab.followed = message.reader;
    if (isOther || message.isBehind) tab.handlers.onStarted(true);
  }
}

function takeOverWhenSilent(tab: Tab): void {
  if (tab.isReader || document.visibilityState !== "visible" || performance.now() - tab.heardMs < SILENT_MS) return;
  tab.heardMs = performance.now();
  if (tab.followed !== null) tab.handlers.onLost();
  tab.followed = null;
  void takeTurn(tab, true);
}
