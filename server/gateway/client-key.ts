/** The key that distinguishes clients that showed no credentials. */
import { isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** The address, or of an IPv6 address the network of 64 bits that one customer usually has whole. */
export function clientKey(address: string | null): string {
  if (address === null) return "";
  if (!isIPv6(address)) return address;
  const [network] = [ipaddr.IPv6.parse(address).toByteArray().slice(0, 8)];
  return Buffer.from(network).toString("hex");
}
