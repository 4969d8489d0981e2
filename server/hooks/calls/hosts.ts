/** Hosts in a call, and the tests that rules apply to them. Pure. */

export interface Host {
  /** Lower case, without port, brackets or trailing dot. A number in any notation is an IPv4 address. */
  readonly name: string;
  /** As it is written. */
  readonly source: string;
}

const SCHEME = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i;
const USER_HOST = /^(?:[\w.+-]+@)?((?:[a-z0-9-]+\.)+[a-z]{2,}|\d{1,3}(?:\.\d{1,3}){3}|localhost)(?::(?!\/\/)|$)/i;

/** The host of a URL, or of `host/path` if `isAddress` says that the text is an address. */
export function hostOf(text: string, isAddress = false): Host | null {
  // Few words are addresses, and the expressions below are asked of every word.
  if (!isAddress && !text.includes("//")) return null;
  const trimmed = text.trim();
  if (trimmed === "" || /\s/.test(trimmed)) return null;
  if (!SCHEME.test(trimmed) && !isAddress) return null;
  const rest = trimmed.replace(SCHEME, "");
  const authority = rest.split(/[/?#\\]/)[0] ?? "";
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  const name = /^\[([^\]]*)\]/.exec(host)?.[1] ?? host.replace(/:\d*$/, "");
  return name === "" ? null : { name: canonicalName(name), source: text };
}

/** Reads `user@host` and `host:path`, as scp, ssh and rsync accept them. */
export function remoteHostOf(text: string): Host | null {
  const url = hostOf(text);
  if (url) return url;
  const [, name] = USER_HOST.exec(text) ?? [];
  if (name !== undefined) return { name: canonicalName(name), source: text };
  const at = /^[\w.+-]+@([\w.-]+)(?::|$)/.exec(text)?.[1];
  return at === undefined ? null : { name: canonicalName(at), source: text };
}

function canonicalName(name: string): string {
  const plain = safeDecode(name).normalize("NFKC").toLowerCase().replace(/\.+$/, "");
  const address = ipv4Of(plain);
  if (address !== null) return dotted(address);
  const mapped = /^(?:::ffff:|::)((?:\d+\.){3}\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const words = /^(?:::ffff:)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(plain);
  if (words) return dotted(((Number.parseInt(words[1] ?? "0", 16) << 16) | Number.parseInt(words[2] ?? "0", 16)) >>> 0);
  try {
    return new URL(`http://${plain.includes(":") ? `[${plain}]` : plain}/`).hostname.replace(/^\[|\]$/g, "");
  } catch {
    return plain;
  }
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");

/** An IPv4 address in any notation of `inet_aton`: decimal, octal, hexadecimal, with one to four parts. */
export function ipv4Of(text: string): number | null {
  const parts = text.split(".");
  if (parts.length > 4 || parts.some((part) => !/^(?:0x[0-9a-f]+|\d+)$/i.test(part))) return null;
  const numbers = parts.map((part) =>
    /^0x/i.test(part)
      ? Number.parseInt(part.slice(2), 16)
      : /^0\d/.test(part)
        ? Number.parseInt(part, 8)
        : Number(part),
  );
  const last = numbers.pop() ?? Number.NaN;
  const lastMax = 256 ** (4 - numbers.length);
  if (!(last < lastMax) || numbers.some((number) => !(number < 256))) return null;
  return numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last) >>> 0;
}

interface Network {
  readonly address: bigint;
  readonly bits: number;
  readonly isWide: boolean;
}

/** IPv4 as 32 bits, IPv6 as 128. */
function addressOf(name: string): { readonly value: bigint; readonly isWide: boolean } | null {
  const short = ipv4Of(name);
  if (short !== null) return { value: BigInt(short), isWide: false };
  if (!name.includes(":")) return null;
  const [head = "", tail] = name.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const words = [...left, ...Array.from({ length: Math.max(0, gap) }, () => "0"), ...right];
  if (words.length !== 8 || words.some((word) => !/^[0-9a-f]{1,4}$/i.test(word))) return null;
  return { value: words.reduce((sum, word) => (sum << 16n) | BigInt(Number.parseInt(word, 16)), 0n), isWide: true };
}

function networkOf(cidr: string): Network | null {
  const [text = "", bits] = cidr.split("/");
  const address = addressOf(text);
  if (!address || bits === undefined || !/^\d+$/.test(bits)) return null;
  const size = address.isWide ? 128 : 32;
  return Number(bits) > size ? null : { address: address.value, bits: Number(bits), isWide: address.isWide };
}

export function isInNetwork(name: string, cidr: string): boolean {
  const [network, address] = [networkOf(cidr), addressOf(name)];
  if (!network || !address || network.isWide !== address.isWide) return false;
  const shift = BigInt((network.isWide ? 128 : 32) - network.bits);
  return network.address >> shift === address.value >> shift;
}

export const isNetwork = (text: string): boolean => networkOf(text) !== null;

const PRIVATE = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "0.0.0.0/8",
  "::1/128",
  "fc00::/7",
  "fe80::/10",
];
const PRIVATE_NAME = /^(?:localhost|.+\.(?:localhost|local|internal|lan|home\.arpa|corp|intranet))$/;
/** Addresses and names that serve a cloud machine's credentials: AWS, ECS, EKS, Azure, Google, Alibaba, Oracle. */
const METADATA = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "metadata.google.internal",
  "metadata",
  "metadata.goog",
  "100.100.100.200",
  "192.0.0.192",
  "instance-data",
  "169.254.169.253",
  "168.63.129.16",
]);

export const HOST_CLASSES = ["private", "metadata"] as const;
export type HostClass = (typeof HOST_CLASSES)[number];

export function isOfClass(name: string, hostClass: HostClass): boolean {
  if (hostClass === "metadata") return METADATA.has(name);
  return METADATA.has(name) || PRIVATE_NAME.test(name) || PRIVATE.some((cidr) => isInNetwork(name, cidr));
}

/** The pattern is `example.org`, `*.example.org` (which excludes `example.org` itself), or a network. */
export function hostMatches(pattern: string, name: string): boolean {
  if (isNetwork(pattern)) return isInNetwork(name, pattern);
  const wanted = pattern.toLowerCase();
  if (wanted.startsWith("*.")) return name.endsWith(wanted.slice(1)) && name.length > wanted.length - 1;
  return wanted === "*" || name === canonicalName(wanted);
}
