import type { useTRPCClient } from "@/components/trpc/client";
import type { StreamHandlers } from "@/components/trpc/shared-stream";

/** Reads the server's stream of changes, and connects again when it is lost; answers its end. */
export function openStream(client: ReturnType<typeof useTRPCClient>, handlers: StreamHandlers): () => void {
  let attempts = 0;
  let stopped = false;
  // Changes before the stream began, like those missed while away, cannot be known.
  let isBehind = true;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let subscription: { unsubscribe: () => void } | undefined;
  const lost = () => {
    isBehind = true;
    handlers.onLost();
  };
  const connect = () => {
    subscription = client.events.changes.subscribe(
      {},
      {
        onData({ data }) {
          // The stream is open, but the server itself receives no changes.
          if (data.isCurrent === false) return lost();
          if (data.isCurrent === true) {
            handlers.onStarted(isBehind);
            isBehind = false;
          }
          handlers.onChange(data);
        },
        onConnectionStateChange: (state) => {
          if (state.state === "pending") {
            attempts = 0;
            handlers.onStarted(isBehind);
            isBehind = false;
          } else if (state.state === "connecting" && state.error) lost();
        },
        onError: () => {
          lost();
          if (!stopped) retry = setTimeout(connect, Math.min(1000 * 2 ** attempts++, 15_000));
        },
      },
    );
  };
  connect();
  return () => {
    stopped = true;
    clearTimeout(retry);
    subscription?.unsubscribe();
  };
}
