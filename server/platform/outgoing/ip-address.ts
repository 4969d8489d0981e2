/** Classes of IP addresses: public, of this machine, private, or never to be asked. */
import { isIP } from "node:net";
import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

type Address = IPv4 | IPv6;
type Range = readonly [Address, number];

const NEVER_RANGES = new Set(["linkLocal", "multicast", "broadcast"]);
/** Cloud metadata addresses outside of the link-local range: AWS over IPv6, Azure's host, Alibaba. */
const NEVER_ADDRESSES = ["fd00:ec2::254", "168.63.129.16", "100.100.100.200"].map((text) => ipaddr.parse(text));
/** All IPv6 addresses in use are in 2000::/3; these within it are protocols, documentation or tunnels. */
const IN_USE_6 = ipaddr.parseCIDR("2000::/3");
const NOT_PUBLIC = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"].map((text) => ipaddr.parseCIDR(text));
/** IPv6 ranges whose addresses carry an IPv4 address, and the byte at which it begins. */
const CARRIERS = [
  [ipaddr.parseCIDR("64:ff9b::/96"), 12],
  [ipaddr.parseCIDR("64:ff9b:1::/48"), 12],
  [ipaddr.parseCIDR("::/96"), 12],
  [ipaddr.parseCIDR("2002::/16"), 2],
] as const;

/** Parses an address without its zone; an IPv4-mapped IPv6 address becomes IPv4. Null for other text. */
export function parseAddress(text: string): Address | null {
  const plain = text.replace(/%.*$/, "");
  return isIP(plain) === 0 ? null : ipaddr.process(plain);
}

/** An address or a range such as `10.0.0.0/8`; null for anything else. */
export function parseRange(text: string): Range | null {
  const [written = "", bits, more] = text.split("/");
  const address = isIP(written) === 0 ? null : ipaddr.parse(written);
  if (address === null || more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return null;
  const whole = address.kind() === "ipv4" ? 32 : 128;
  const prefix = bits === undefined ? whole : Number(bits);
  return prefix > whole ? null : [address, prefix];
}

export const isWithin = (ranges: readonly Range[], address: Address): boolean =>
  ranges.some(([base, prefix]) => matches(address, [base, prefix]));

export const isLoopback = (address: Address): boolean => address.range() === "loopback";

/**
 * True for link-local and multicast addresses, and for cloud metadata addresses that give out credentials, also inside
 * a tunnel.
 */
export function isNeverAsked(address: Address): boolean {
  const carried = carriedBy(address);
  if (carried !== null && isNeverAsked(carried)) return true;
  return (
    NEVER_RANGES.has(address.range()) ||
    NEVER_ADDRESSES.some((one) => one.kind() === address.kind() && one.toString() === address.toString())
  );
}

/** True for an address on the open internet: not this machine, not its network, not a tunnel into one. */
export function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (matches(address, IN_USE_6) && !isWithin(NOT_PUBLIC, address));
}

function carriedBy(address: Address): IPv4 | null {
  if (address.kind() === "ipv4") return null;
  const carrier = CARRIERS.find(([range]) => matches(address, range));
  if (!carrier) return null;
  const from = carrier[1];
  return new ipaddr.IPv4(address.toByteArray().slice(from, from + 4));
}

const matches = (address: Address, [base, prefix]: Range): boolean =>
  // Holds: both are of the same kind, which the types cannot express.
  address.kind() === base.kind() && (address as IPv6).match(base as IPv6, prefix);
