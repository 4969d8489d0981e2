import { createServer } from "node:net";
import { StartupError } from "../platform/env.ts";

/** Proves early, before the slow steps, that `startGateway` will get its port. */
export async function checkPort(options: { readonly host: string; readonly port: number }): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, options.host, options.port)));
    probe.listen(options.port, options.host, () => resolve());
  });
  await new Promise((resolve) => probe.close(resolve));
}

/** The reason for a failure to listen, in words. */
export function cannotListen(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new StartupError(
        `Port ${port} on ${host} is taken by another program. Stop it, or set PORT to another port.`,
      );
    case "EACCES":
      return new StartupError(`This user may not listen on port ${port}. Set PORT to one above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new StartupError(`HOST is ${host}, which is not an address of this machine.`);
    default:
      return error;
  }
}
