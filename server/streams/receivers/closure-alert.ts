/** TLS whose end means a closure alert (close_notify), and never the end of the connection alone. */
import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/**
 * A connection that passes on no end, in neither direction. TLS over it ends by the closure alert only: a process that was
 * killed closes its connections too, but sends no alert. The caller ends `plain` itself.
 */
export function withoutEnd(plain: Socket): Duplex {
  const wire = new Duplex({
    read: () => void plain.resume(),
    write: (chunk: Buffer, _encoding, done) => void plain.write(chunk, done),
    // The connection stays open until the reply: some servers send none once they have seen its end.
    final: (done) => done(),
    destroy(error, done) {
      plain.destroy();
      done(error);
    },
  });
  plain.on("data", (chunk) => {
    if (!wire.push(chunk)) plain.pause();
  });
  plain.on("error", (error) => wire.destroy(error));
  return wire;
}
