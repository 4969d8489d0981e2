/** Name lookup that yields only addresses that the rule allows: the address that is connected to is the one that was checked. */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import type { AddressRule } from "./address-rule.ts";

/** A name that leads to no address which may be asked. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
}

/** True if nothing that `host` stands for today may be asked for being private; false for a name nobody knows. */
export function isRefusedHost(rule: AddressRule, host: string): Promise<boolean> {
  if (rule.hostRefusal(host) !== null) return Promise.resolve(true);
  if (isIP(host) !== 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    guardedLookup(rule, host)(host, { all: true }, (error) => resolve(error instanceof PrivateAddressError));
  });
}

export function guardedLookup(rule: AddressRule, host: string): LookupFunction {
  return (name, options, done) => {
    systemLookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, []);
      const allowed = addresses.filter(({ address }) => rule.allowsAddress(host, address));
      const first = allowed[0];
      if (!first) return done(new PrivateAddressError(rule.privateRefusal), []);
      if (options.all) return done(null, allowed);
      return done(null, first.address, first.family);
    });
  };
}
