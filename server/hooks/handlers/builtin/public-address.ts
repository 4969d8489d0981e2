/** Tests for public addresses: not this machine, not its network, and not a tunnel into one. */
import { BlockList, isIPv4, isIPv6 } from "node:net";

const NOT_PUBLIC_4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // shared by carriers
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local; cloud metadata services with credentials
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** All public addresses are in 2000::/3. Private, local, mapped, NAT64 and multicast addresses are outside of it. */
const IN_USE_6 = ["2000::", 3] as const;
const NOT_PUBLIC_6 = [
  ["2001::", 23], // Teredo, benchmarking and other protocols
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4 carries an IPv4 address
  ["3fff::", 20],
] as const;

const refused = new BlockList();
for (const [net, bits] of NOT_PUBLIC_4) refused.addSubnet(net, bits, "ipv4");
for (const [net, bits] of NOT_PUBLIC_6) refused.addSubnet(net, bits, "ipv6");
const inUse = new BlockList();
inUse.addSubnet(...IN_USE_6, "ipv6");

/** True if `address`, an IP address as text, is public. False for anything else. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, "ipv4");
  return isIPv6(address) && inUse.check(address, "ipv6") && !refused.check(address, "ipv6");
}
