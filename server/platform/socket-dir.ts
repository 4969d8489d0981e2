import pg from "pg";

/** The directory of the socket that `databaseUrl` leads to, in whatever way it is spelled; none where it leads to a port. */
export function databaseSocketDirs(databaseUrl: string): string[] {
  // The driver's own reading. Nothing is connected.
  const { host } = new pg.Client(databaseUrl);
  return host.startsWith("/") ? [host] : [];
}
