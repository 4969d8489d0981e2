/** The way of the browser to the server, which can be cut: also a stream that is open ends, as on a lost network. */
import { connect, createServer } from "node:net";

/** Passes on what comes to `port` of this machine, to the server's address (a URL). Ends with the process. */
export async function openWire(server) {
  const sockets = new Set();
  let isCut = false;
  const wire = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(Number(server.port || 80), server.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise((listening) => wire.listen(0, "127.0.0.1", listening));
  wire.unref();
  return {
    port: wire.address().port,
    cut() {
      isCut = true;
      const carried = sockets.size;
      for (const socket of sockets) socket.destroy();
      return carried;
    },
    mend() {
      isCut = false;
    },
  };
}
