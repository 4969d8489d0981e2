/**
 * The names that this server answers to. With DNS rebinding, a page of another site points its own name at this
 * machine; its requests carry that name and are refused before any other check.
 */
import { isIP, isIPv4 } from "node:net";

export interface HostRule {
  /** True if a request with this Host header, on a connection that came to `localAddress`, is meant for this server. */
  allows(header: string, localAddress: string | undefined): boolean;
}

export interface HostRuleOptions {
  /** Where people and agents reach this server: QUARTERDECK_URL. */
  readonly url: string;
  /** The address that it listens on: HOST. */
  readonly host: string;
  /** Additional names and addresses, separated by commas: QUARTERDECK_ALLOWED_HOSTS. */
  readonly allowed: string;
}

const LISTENS_EVERYWHERE = new Set(["0.0.0.0", "::", "[::]", ""]);
const HOST_HEADER = /^(\[[\da-f:.]+\]|[^\s:/?#@[\]\\]+)(?::\d{1,5})?$/i;

export function createHostRule({ url, host, allowed }: HostRuleOptions): HostRule {
  const names = new Set(["localhost", nameOf(new URL(url).host)]);
  if (!LISTENS_EVERYWHERE.has(host)) names.add(bare(host));
  for (const name of allowed.split(",")) {
    const trimmed = bare(name.trim());
    if (trimmed !== "" && trimmed !== "none") names.add(trimmed);
  }
  return {
    allows(header, localAddress) {
      const name = nameOf(header);
      if (name === null) return false;
      if (names.has(name) || isLoopbackAddress(name)) return true;
      // An address cannot be rebound: a request for the address that it reached is meant for this server.
      return isIP(name) !== 0 && localAddress !== undefined && name === bare(localAddress.replace(/^::ffff:/i, ""));
    },
  };
}

/** True for 127.0.0.0/8 and ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || (isIPv4(address) && address.startsWith("127."));

/** The name or address in a Host header, without its port; null when the header is invalid. */
export function nameOf(header: string): string | null {
  const found = HOST_HEADER.exec(header)?.[1];
  return found === undefined ? null : bare(found);
}

const bare = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
