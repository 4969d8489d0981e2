import pg from "pg";

/** The directory of the socket in `databaseUrl`, in any spelling; empty for an address with a port. */
export function databaseSocketDirs(databaseUrl: string): string[] {
  // The driver's own reading. Nothing is connected.
  const { host } = new pg.Client(databaseUrl);
  return host.startsWith("/") ? [host] : [];
}
