/**
 * Where a model may be asked. Public addresses over https always; a private one only when the operator lists it in
 * QUARTERDECK_ALLOW_PRIVATE_MODELS (`loopback` when nothing is said, since that is where Ollama, vLLM and Docker Model
 * Runner listen). A cloud's link-local addresses, which hand out credentials, are never asked.
 */
import { BlockList, isIP } from "node:net";
import { StartupError } from "../platform/env.ts";

export interface AddressRule {
  /** Null when `url` may be asked, else why not and what to do. Names are looked up later, by `allowsAddress`. */
  refusal(url: URL): string | null;
  /** Whether a connection to `address` (an IP) may be opened for `host`. */
  allowsAddress(host: string, address: string): boolean;
}

const NEVER = ranges([
  "169.254.0.0/16",
  "fe80::/10",
  "224.0.0.0/4",
  "ff00::/8",
  "255.255.255.255/32",
  "fd00:ec2::254/128",
]);
const LOOPBACK = ranges(["127.0.0.0/8", "::1/128"]);
const PRIVATE = ranges([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "240.0.0.0/4",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
  "fc00::/7",
  "fec0::/10",
]);
const HOST = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/**
 * The rule that `list` writes down: `loopback`, hosts, addresses and ranges apart by commas, or `none`. `variable` is where
 * the operator writes it. Errors: StartupError.
 */
export function addressRule(list: string, variable = "QUARTERDECK_ALLOW_PRIVATE_MODELS"): AddressRule {
  const words = list
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "" && word !== "none");
  const hosts = new Set(words.filter((word) => word !== "loopback" && isHost(word)));
  const notAllowed = `This is a private address. The operator of this server allows it by listing it in ${variable}.`;
  const listed = ranges(
    words.filter((word) => word !== "loopback" && !isHost(word)),
    variable,
    "a host, ",
  );
  const hasLoopback = words.includes("loopback");

  function allowsAddress(host: string, address: string): boolean {
    const plain = unmapped(address);
    if (isIP(plain) === 0 || within(NEVER, plain)) return false;
    if (hosts.has(host) || within(listed, plain)) return true;
    if (within(LOOPBACK, plain)) return hasLoopback;
    return !within(PRIVATE, plain);
  }

  return {
    allowsAddress,
    refusal(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") return "Write an address that begins with https://.";
      if (url.username !== "" || url.password !== "") return "Leave name and password out of the address.";
      if (url.search !== "" || url.hash !== "") return "Leave everything from ? or # on out of the address.";
      const host = hostOf(url);
      if (isIP(host) !== 0 && !allowsAddress(host, host)) return notAllowed;
      const isPrivate = isIP(host) !== 0 ? isNearby(host) : hosts.has(host) || isLocalName(host);
      if (isLocalName(host) && !hasLoopback && !hosts.has(host)) return notAllowed;
      if (url.protocol === "http:" && !isPrivate)
        return "Use https: over http anyone on the way reads the key and the questions.";
      return null;
    },
  };
}

/** Whether an address is one of `list`: `loopback`, addresses and ranges apart by commas, or `none`. Errors: StartupError. */
export function addressList(list: string, variable: string): (address: string) => boolean {
  const words = list.split(",").map((word) => word.trim().toLowerCase());
  const isLoopback = words.includes("loopback");
  const listed = ranges(
    words.filter((word) => word !== "" && word !== "none" && word !== "loopback"),
    variable,
  );
  return (address) => within(listed, unmapped(address)) || (isLoopback && within(LOOPBACK, unmapped(address)));
}

/** The host of a URL as it is looked up: without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").toLowerCase();

const isLocalName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");
const isNearby = (address: string): boolean =>
  within(LOOPBACK, unmapped(address)) || within(PRIVATE, unmapped(address));
const isHost = (word: string): boolean => isIP(word) === 0 && HOST.test(word);

/** An IPv4 address in IPv6 clothes is that IPv4 address. */
function unmapped(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (dotted !== undefined) return dotted;
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(plain);
  if (!hex) return plain;
  const [high, low] = [Number.parseInt(hex[1] ?? "", 16), Number.parseInt(hex[2] ?? "", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function within(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

function ranges(words: readonly string[], variable = "This list", host = ""): BlockList {
  const list = new BlockList();
  for (const word of words) {
    const [address = "", bits] = word.split("/");
    const family = isIP(address);
    const prefix = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
    if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (family === 4 ? 32 : 128))
      throw new StartupError(
        `${variable} holds ${JSON.stringify(word)}; write loopback, ${host}an address or a range such as 10.0.0.0/8.`,
      );
    list.addSubnet(address, prefix, family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
