/**
 * The rule for outgoing addresses: public ones only over https, private ones (this machine included) only if the
 * operator lists them in the variable for that purpose. Cloud metadata addresses that give out credentials are always
 * refused.
 */
import { isIP } from "node:net";
import { StartupError } from "../env.ts";
import { isLoopback, isNeverAsked, isPublic, isWithin, parseAddress, parseRange } from "./ip-address.ts";

/** The variables in which an operator lists private addresses, by purpose. */
export const VARIABLES = {
  models: "QUARTERDECK_ALLOW_PRIVATE_MODELS",
  webhooks: "QUARTERDECK_ALLOW_PRIVATE_WEBHOOKS",
  signOn: "QUARTERDECK_ALLOW_PRIVATE_SIGN_ON",
  mail: "QUARTERDECK_ALLOW_PRIVATE_MAIL",
} as const;

export interface AddressRule {
  /** Null when `url` may be asked, else the reason and what to do. A name is only judged fully when it is looked up. */
  refusal(url: URL): string | null;
  /** The same for a host without an address around it, as a mail server has. */
  hostRefusal(host: string): string | null;
  /** True if a connection to `address` (an IP) may be opened for `host`. */
  allowsAddress(host: string, address: string): boolean;
  /** The refusal of a private address, which names the variable. */
  readonly privateRefusal: string;
  /** This rule, with one more private host. */
  allowing(host: string): AddressRule;
}

export interface EndpointAddress {
  /** As it is looked up: lower case, without brackets. */
  readonly host: string;
  readonly port: number;
}

const HOST = /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/;

/**
 * The rule in `list`: `loopback`, hosts, addresses and ranges separated by commas, or `none`. `variable` is the name of
 * the setting. Errors: StartupError.
 */
export function addressRule(list: string, variable: string): AddressRule {
  const words = wordsOf(list);
  const hosts = new Set(words.filter((word) => word !== "loopback" && isHost(word)));
  const ranges = rangesOf(
    words.filter((word) => !hosts.has(word)),
    variable,
    "a host, ",
  );
  const hasLoopback = words.includes("loopback");
  return ruleOf({
    variable,
    isListedHost: (host) => hosts.has(host) || (hasLoopback && isLocalName(host)),
    allowsPrivate: (host, address) => {
      const parsed = parseAddress(address);
      if (parsed === null) return false;
      return hosts.has(host) || isWithin(ranges, parsed) || (hasLoopback && isLoopback(parsed));
    },
  });
}

interface Listed {
  readonly variable: string;
  isListedHost(host: string): boolean;
  allowsPrivate(host: string, address: string): boolean;
}

function ruleOf(listed: Listed): AddressRule {
  const privateRefusal = `This is a private address. The operator of this server allows it by listing it in ${listed.variable}.`;

  function allowsAddress(host: string, address: string): boolean {
    const parsed = parseAddress(address);
    if (parsed === null || isNeverAsked(parsed)) return false;
    return isPublic(parsed) || listed.allowsPrivate(host, address);
  }

  function hostRefusal(host: string): string | null {
    const isAllowed = isIP(host) === 0 ? !isLocalName(host) || listed.isListedHost(host) : allowsAddress(host, host);
    return isAllowed ? null : privateRefusal;
  }

  return {
    allowsAddress,
    hostRefusal,
    privateRefusal,
    refusal(url) {
      if (url.protocol !== "https:" && url.protocol !== "http:") return "Write an address that begins with https://.";
      if (url.username !== "" || url.password !== "") return "Leave name and password out of the address.";
      const host = hostOf(url);
      const refusal = hostRefusal(host);
      if (refusal !== null) return refusal;
      const parsed = parseAddress(host);
      const isPrivate = parsed === null ? listed.isListedHost(host) : !isPublic(parsed);
      if (url.protocol === "http:" && !isPrivate) return "Use https: over http anyone on the way reads what is sent.";
      return null;
    },
    allowing: (more) =>
      ruleOf({
        variable: listed.variable,
        isListedHost: (host) => host === more || listed.isListedHost(host),
        allowsPrivate: (host, address) => host === more || listed.allowsPrivate(host, address),
      }),
  };
}

/** The refusal of an address that others are built from: a base, an issuer. */
export function baseRefusal(rule: AddressRule, url: URL): string | null {
  if (url.search !== "" || url.hash !== "") return "Leave everything from ? or # on out of the address.";
  return rule.refusal(url);
}

/**
 * The reason to refuse an address for deliveries. Addresses are stored, shown and recorded as typed, so they may have
 * no query: receivers put their secrets there.
 */
export function receiverRefusal(rule: AddressRule, url: URL): string | null {
  if (url.search !== "" || url.hash !== "")
    return "Leave everything from ? or # on out of the address: whoever may read it here could read a secret in it. The receiver knows a delivery by its signature.";
  return rule.refusal(url);
}

/**
 * A test of addresses against `list`: `loopback`, addresses and ranges separated by commas, or `none`. Errors:
 * StartupError.
 */
export function addressList(list: string, variable: string): (address: string) => boolean {
  const words = wordsOf(list);
  const hasLoopback = words.includes("loopback");
  const ranges = rangesOf(words, variable, "");
  return (address) => {
    const parsed = parseAddress(address);
    return parsed !== null && (isWithin(ranges, parsed) || (hasLoopback && isLoopback(parsed)));
  };
}

/** The host of a URL as it is looked up: without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "").toLowerCase();

const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);
const isHost = (word: string): boolean => isIP(word) === 0 && HOST.test(word);

const wordsOf = (list: string): string[] =>
  list
    .split(",")
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "" && word !== "none");

function rangesOf(words: readonly string[], variable: string, host: string) {
  return words
    .filter((word) => word !== "loopback")
    .map((word) => {
      const range = parseRange(word);
      if (range !== null) return range;
      throw new StartupError(
        `${variable} holds ${JSON.stringify(word)}; write loopback, ${host}an address or a range such as 10.0.0.0/8.`,
      );
    });
}
